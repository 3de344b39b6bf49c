import { compileFunction } from 'node:vm';
import { type Resource, resources, template } from '../templates.ts';
import type { Variant } from '../variants.ts';

/** A value of a metric. `metric` is namespace, name, and the prefix of the function's logical id if there is one. */
export interface Point {
  readonly metric: string;
  /** Seconds. CloudWatch counts the value in this minute. */
  readonly at: number;
  /** Seconds: when CloudWatch has received the value. */
  readonly visibleAt: number;
  readonly value: number;
}

export type State = 'ALARM' | 'OK';

interface Dimension {
  readonly Name: string;
  readonly Value: unknown;
}
interface MetricStat {
  readonly Metric: {
    readonly Namespace: string;
    readonly MetricName: string;
    readonly Dimensions?: readonly Dimension[];
  };
  readonly Period: number;
  readonly Stat: string;
}
interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: MetricStat;
}

/** Periods before those of the alarm that CloudWatch reads as well, in case that newer ones have no data yet. */
const EARLIER_PERIODS = 2;
const MINUTE = 60;

/**
 * The alarms of a synthesised template, evaluated once a minute as the CloudWatch User Guide describes it ("Alarm
 * evaluation", "Missing data", "Alarm evaluation window").
 */
export class CloudWatch {
  readonly #alarms: ReadonlyMap<string, Resource['Properties']>;
  readonly #points = new Map<string, Map<number, Point[]>>();
  readonly #compiled = new Map<string, (...values: number[]) => number>();

  constructor(variant: Variant, points: readonly Point[]) {
    const alarms = resources(template(variant), 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    this.#alarms = new Map(alarms.map((alarm) => [String(alarm.AlarmDescription).split('#')[1] ?? '', alarm]));
    for (const point of points) {
      const minutes = this.#points.get(point.metric) ?? new Map<number, Point[]>();
      const minute = Math.floor(point.at / MINUTE);
      minutes.set(minute, [...(minutes.get(minute) ?? []), point]);
      this.#points.set(point.metric, minutes);
    }
  }

  /** The states that each alarm enters between two minutes. Every alarm is OK at first. */
  play(fromMinute: number, toMinute: number): Readonly<Record<string, readonly State[]>> {
    const states = [...this.#alarms].map(([id, alarm]) => {
      const entered: State[] = [];
      let state: State = 'OK';
      for (let minute = fromMinute; minute < toMinute; minute += 1) {
        const next = this.#stateOf(alarm, minute * MINUTE + 5);
        if (next !== state) entered.push(next);
        state = next;
      }
      return [id, entered] as const;
    });
    return Object.fromEntries(states);
  }

  #stateOf(alarm: Resource['Properties'], now: number): State {
    const wanted = Number(alarm.EvaluationPeriods);
    const length = periodOf(alarm);
    const aligned = alarm.EvaluationWindow === undefined ? MINUTE : length;
    const end = Math.floor(now / aligned) * aligned;
    const read = (first: number, count: number) =>
      Array.from({ length: count }, (_, n) => end - (first + n) * length).map((to) =>
        this.#valueOf(alarm, to - length, to, now),
      );
    const values = read(0, wanted);
    if (values.includes(undefined)) values.push(...read(wanted, EARLIER_PERIODS));
    const found = values.filter((value) => value !== undefined);
    const missing = alarm.TreatMissingData === 'breaching';
    // With enough values, CloudWatch ignores the gaps. Otherwise it fills them.
    const breaches =
      found.length >= wanted
        ? found.slice(0, wanted).map((value) => isBreaching(alarm, value))
        : values.slice(0, wanted).map((value) => (value === undefined ? missing : isBreaching(alarm, value)));
    return breaches.filter(Boolean).length >= Number(alarm.DatapointsToAlarm ?? wanted) ? 'ALARM' : 'OK';
  }

  /** The value of one period; undefined without data. */
  #valueOf(alarm: Resource['Properties'], from: number, to: number, now: number): number | undefined {
    const queries = alarm.Metrics as readonly Query[] | undefined;
    if (!queries) return this.#statistic(plainMetric(alarm), from, to, now);
    const values = queries.flatMap(({ MetricStat }) =>
      MetricStat ? [this.#statistic(MetricStat, from, to, now) ?? Number.NaN] : [],
    );
    const value = this.#expressionOf(queries)(...values);
    return Number.isNaN(value) ? undefined : value;
  }

  /** The expression of an alarm as a function of its metrics. */
  #expressionOf(queries: readonly Query[]): (...values: number[]) => number {
    const expression = queries.find(({ Expression }) => Expression !== undefined)?.Expression ?? '';
    const names = queries.flatMap(({ Id, MetricStat }) => (MetricStat ? [Id] : []));
    const known = this.#compiled.get(expression);
    if (known) return known;
    const compiled = compileFunction(`return ${expression};`, ['FILL', 'IF', ...names]).bind(undefined, FILL, IF);
    this.#compiled.set(expression, compiled);
    return compiled;
  }

  #statistic({ Metric, Stat }: MetricStat, from: number, to: number, now: number): number | undefined {
    const minutes = this.#points.get(nameOf(Metric));
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

/** Metric math, with NaN for a missing value. */
const FILL = (value: number, otherwise: number): number => (Number.isNaN(value) ? otherwise : value);
const IF = (condition: boolean, value: number, otherwise: number): number => (condition ? value : otherwise);

function isBreaching({ ComparisonOperator, Threshold }: Resource['Properties'], value: number): boolean {
  const threshold = Number(Threshold);
  if (ComparisonOperator === 'GreaterThanThreshold') return value > threshold;
  if (ComparisonOperator === 'GreaterThanOrEqualToThreshold') return value >= threshold;
  return value < threshold;
}

function plainMetric(alarm: Resource['Properties']): MetricStat {
  const { Namespace, MetricName, Dimensions, Period, Statistic } = alarm;
  return { Metric: { Namespace, MetricName, Dimensions }, Period, Stat: Statistic } as MetricStat;
}

function periodOf(alarm: Resource['Properties']): number {
  const queries = alarm.Metrics as readonly Query[] | undefined;
  return Number(alarm.Period ?? queries?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period);
}

function nameOf({ Namespace, MetricName, Dimensions = [] }: MetricStat['Metric']): string {
  const ref = Dimensions.find(({ Name }) => Name === 'FunctionName')?.Value as { Ref: string } | undefined;
  return [Namespace, MetricName, ...(ref ? [ref.Ref.slice(0, -8)] : [])].join(' ');
}
