import { type Resource, resources, type StackId, template } from '../templates.ts';
import type { Variant } from '../variants.ts';

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
  readonly MetricStat?: MetricStat;
}

interface Alarm {
  readonly properties: Resource['Properties'];
  readonly metrics: readonly (MetricStat & { readonly id: string; readonly name: string })[];
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
    const alarm: Alarm = { properties: Properties, metrics };
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
