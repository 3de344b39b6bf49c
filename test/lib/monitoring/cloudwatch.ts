import { compileFunction } from 'node:vm';
import { type Resource, resources, type StackId, template } from '../templates.ts';
import type { Variant } from '../variants.ts';

/** A value of a metric. */
export interface Point {
  /** As `nameOf` returns it. */
  readonly metric: string;
  /** Seconds. CloudWatch counts the value in this minute. */
  readonly at: number;
  /** Seconds: when CloudWatch has received the value. */
  readonly visibleAt: number;
  readonly value: number;
}

export type State = 'ALARM' | 'OK';

/**
 * The value of a metric in a period without data. The documents contradict each other, so the alarms must be right in each
 * case. `zero`: 0 if another metric of the expression has data. `filled`: no value, except through FILL. `none`: FILL
 * fills only a metric that has data in another period.
 */
export const MISSING_VALUES = ['zero', 'filled', 'none'] as const;
type MissingValue = (typeof MISSING_VALUES)[number];

type Values = readonly (number | undefined)[];

interface Metric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

interface MetricStat {
  readonly Metric: Metric;
  readonly Period: number;
  readonly Stat: string;
}

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: MetricStat;
}

export interface Alarm {
  readonly properties: Resource['Properties'];
  /** The names of its metrics are `id`s. An alarm on a plain metric has the expression `value`. */
  readonly expression: string;
  readonly metrics: readonly (MetricStat & { readonly id: string; readonly name: string })[];
  /** Seconds. */
  readonly period: number;
}

/** The alarms of a synthesised template, by the anchors of their sections in the runbook. */
export function alarmsOf(variant: Variant, stack: StackId = 'MarketDataProxy'): ReadonlyMap<string, Alarm> {
  const alarms = resources(template(variant, stack), 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => {
    const { Period, Statistic: Stat } = Properties;
    const plain = { Id: 'value', MetricStat: { Metric: Properties, Period, Stat } };
    const queries = (Properties.Metrics ?? [plain]) as readonly Query[];
    const metrics = queries.flatMap(({ Id, MetricStat }) =>
      MetricStat ? [{ id: Id, name: nameOf(MetricStat.Metric), ...MetricStat }] : [],
    );
    const expression = queries.find(({ Expression }) => Expression !== undefined)?.Expression ?? 'value';
    const alarm: Alarm = { properties: Properties, expression, metrics, period: metrics[0]?.Period ?? Number.NaN };
    return [String(Properties.AlarmDescription).split('#')[1] ?? '', alarm] as const;
  });
  return new Map(alarms);
}

/** The name of a metric with its dimensions. A reference to a resource becomes its logical id without the hash. */
function nameOf({ Namespace, MetricName, Dimensions = [] }: Metric): string {
  const dimensions = Dimensions.map(({ Name, Value }) => {
    const { Ref } = Value as { readonly Ref?: string };
    const isOutput = JSON.stringify(Value).includes('Fn::GetStackOutput');
    return `${Name}=${isOutput ? 'output' : (Ref?.slice(0, -8) ?? String(Value))}`;
  });
  return [Namespace, MetricName, ...dimensions].join(' ');
}

/** Periods before those of the alarm that CloudWatch reads as well, in case that newer ones have no data yet. */
const EARLIER_PERIODS = 2;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * The alarms of a synthesised template, evaluated once a minute as the CloudWatch User Guide describes it ("Alarm
 * evaluation", "Missing data", "Alarm evaluation window", "Basic arithmetic functions").
 */
export class CloudWatch {
  readonly #alarms: ReadonlyMap<string, Alarm>;
  readonly #points = new Map<string, Map<number, Point[]>>();
  readonly #compiled = new Map<string, (...values: unknown[]) => number>();

  readonly #missing: MissingValue;

  constructor(variant: Variant, points: readonly Point[], missing: MissingValue) {
    this.#missing = missing;
    this.#alarms = alarmsOf(variant);
    for (const point of points) {
      const minutes = this.#points.get(point.metric) ?? new Map<number, Point[]>();
      const minute = Math.floor(point.at / MINUTE);
      minutes.set(minute, [...(minutes.get(minute) ?? []), point]);
      this.#points.set(point.metric, minutes);
    }
  }

  /**
   * The states that each alarm enters between its creation and a later minute. A new alarm has insufficient data; the OK
   * after that, which begins nothing and ends nothing, is left out.
   */
  play(createdAtMinute: number, toMinute: number): Readonly<Record<string, readonly State[]>> {
    const states = [...this.#alarms].map(([id, alarm]) => {
      const entered = this.#changes(alarm, createdAtMinute, toMinute).map(({ state }) => state);
      return [id, entered[0] === 'OK' ? entered.slice(1) : entered] as const;
    });
    return Object.fromEntries(states);
  }

  /** The minute in which the first of all alarms begins. */
  firstAlarm(createdAtMinute: number, toMinute: number): number {
    const changes = [...this.#alarms.values()].flatMap((alarm) => this.#changes(alarm, createdAtMinute, toMinute));
    return Math.min(...changes.flatMap(({ state, minute }) => (state === 'ALARM' ? minute : [])));
  }

  #changes(alarm: Alarm, from: number, to: number): readonly { readonly state: State; readonly minute: number }[] {
    const changes: { readonly state: State; readonly minute: number }[] = [];
    const step = alarm.period < HOUR ? 1 : 10;
    for (let minute = from; minute < to; minute += step) {
      const state = this.#stateOf(alarm, minute * MINUTE + 5);
      if (state !== undefined && state !== changes.at(-1)?.state) changes.push({ state, minute });
    }
    return changes;
  }

  /** @returns undefined if the alarm keeps its state */
  #stateOf(alarm: Alarm, now: number): State | undefined {
    const { EvaluationPeriods, EvaluationWindow, TreatMissingData, DatapointsToAlarm } = alarm.properties;
    const wanted = Number(EvaluationPeriods);
    const toAlarm = Number(DatapointsToAlarm ?? wanted);
    const aligned = EvaluationWindow === undefined ? MINUTE : alarm.period;
    const end = Math.floor(now / aligned) * aligned;
    let values = this.#valuesOf(alarm, end, wanted, now);
    if (values.includes(undefined)) values = this.#valuesOf(alarm, end, wanted + EARLIER_PERIODS, now);
    const found = values.filter((value) => value !== undefined).slice(0, wanted);
    const breaching = found.filter((value) => isBreaching(alarm, value)).length;
    if (breaching >= toAlarm) return 'ALARM';
    // With enough values, CloudWatch ignores the gaps. With fewer, only `ignore` keeps a state that they cannot decide.
    const canBreach = TreatMissingData === 'ignore' ? breaching + wanted - found.length : breaching;
    return canBreach >= toAlarm ? undefined : 'OK';
  }

  /** The values of some periods, newest first; undefined without data. */
  #valuesOf(alarm: Alarm, end: number, count: number, now: number): Values {
    const compiled = this.#compile(alarm);
    const RUNNING_SUM = runningSum();
    const periods = Array.from({ length: count }, (_, n) => {
      const to = end - (count - 1 - n) * alarm.period;
      return alarm.metrics.map((one) => this.#statistic(one, to - alarm.period, to, now));
    });
    const isEmpty = alarm.metrics.map((_, metric) => periods.every((period) => period[metric] === undefined));
    const values = periods.map((found) => {
      const hasData = found.some((one) => one !== undefined);
      const missing = this.#missing === 'zero' && hasData ? 0 : Number.NaN;
      const metrics = found.map((one, n) => one ?? (this.#missing === 'none' && isEmpty[n] ? undefined : missing));
      const value = compiled(FILL, IF, MAX, SUM, RUNNING_SUM, ...metrics);
      // CloudWatch drops a division by zero.
      return Number.isFinite(value) ? value : undefined;
    });
    return values.toReversed();
  }

  /** The expression of an alarm as a function of its metrics. */
  #compile({ expression, metrics }: Alarm): (...values: unknown[]) => number {
    const known = this.#compiled.get(expression);
    if (known) return known;
    const names = ['FILL', 'IF', 'MAX', 'SUM', 'RUNNING_SUM', ...metrics.map(({ id }) => id)];
    const compiled = compileFunction(`return ${expression};`, names).bind(undefined);
    this.#compiled.set(expression, compiled);
    return compiled;
  }

  #statistic({ name, Stat }: Alarm['metrics'][number], from: number, to: number, now: number): number | undefined {
    const minutes = this.#points.get(name);
    const values: number[] = [];
    for (let minute = from / MINUTE; minute < to / MINUTE; minute += 1) {
      for (const point of minutes?.get(minute) ?? []) if (point.visibleAt <= now) values.push(point.value);
    }
    if (values.length === 0) return undefined;
    if (Stat === 'Sum') return values.reduce((sum, value) => sum + value, 0);
    if (Stat === 'Minimum') return Math.min(...values);
    if (Stat === 'Average') return values.reduce((sum, value) => sum + value, 0) / values.length;
    if (Stat === 'p99') return Math.max(...values);
    throw new Error(`No test needs the statistic ${Stat} yet`);
  }
}

/** Metric math, with NaN for a missing value and undefined for one that FILL does not fill. */
const FILL = (value: number | undefined, otherwise: number) => (Number.isNaN(value) ? otherwise : value);
/** Functions of an array leave out missing values. */
const valuesOf = (values: Values) => values.filter((value) => value !== undefined && !Number.isNaN(value)) as number[];
const MAX = (values: Values): number => {
  const present = valuesOf(values);
  return present.length === 0 ? Number.NaN : Math.max(...present);
};
const SUM = (values: Values): number => {
  const present = valuesOf(values);
  return present.length === 0 ? Number.NaN : present.reduce((sum, value) => sum + value, 0);
};
const IF = (condition: boolean, value: number, otherwise = Number.NaN): number => (condition ? value : otherwise);
/** A sum over the periods that CloudWatch reads, from the oldest on. */
function runningSum(): (value: number) => number {
  let sum = 0;
  return (value) => {
    if (Number.isNaN(value)) return value;
    sum += value;
    return sum;
  };
}

function isBreaching({ properties: { ComparisonOperator, Threshold } }: Alarm, value: number): boolean {
  const threshold = Number(Threshold);
  if (ComparisonOperator === 'GreaterThanThreshold') return value > threshold;
  if (ComparisonOperator === 'GreaterThanOrEqualToThreshold') return value >= threshold;
  return value < threshold;
}
