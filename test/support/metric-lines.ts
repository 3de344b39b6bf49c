import type { OutputLine } from './operator-output.ts';

/** A metric as CloudWatch tells it from others: `<namespace> <name> <dimension>=<value>…`, dimensions in order. */
export type MetricIdentity = string;

export function identity(
  namespace: string,
  name: string,
  dimensions: Readonly<Record<string, string>>,
): MetricIdentity {
  const texts = Object.entries(dimensions).map(([key, value]) => `${key}=${value}`);
  return [namespace, name, ...texts.sort()].join(' ');
}

interface EmbeddedMetrics {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string }[];
}

/** The metrics of a line in CloudWatch's embedded format; none for a line of the log. */
export function metricsOf(line: OutputLine): MetricIdentity[] {
  const { _aws } = line as { _aws?: { readonly CloudWatchMetrics: readonly EmbeddedMetrics[] } };
  return (_aws?.CloudWatchMetrics ?? []).flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(names.map((name) => [name, String(line[name])]));
      return Metrics.map(({ Name }) => identity(Namespace, Name, dimensions));
    }),
  );
}

interface TemplateMetric {
  readonly MetricName?: string;
  readonly Namespace?: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

/** The metrics that an alarm of a template looks at. */
export function metricsOfAlarm(properties: Readonly<Record<string, unknown>>): TemplateMetric[] {
  const { Metrics = [] } = properties as {
    Metrics?: readonly { readonly MetricStat?: { readonly Metric: TemplateMetric } }[];
  };
  const inner = Metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
  return inner.length > 0 ? inner : [properties as TemplateMetric];
}

export function identityOf({ MetricName, Namespace, Dimensions = [] }: TemplateMetric): MetricIdentity {
  const dimensions = Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, String(Value)]));
  return identity(Namespace ?? '', MetricName ?? '', dimensions);
}

export interface Widget {
  readonly type: string;
  readonly y: number;
  readonly properties: {
    readonly title?: string;
    readonly markdown?: string;
    /** Of a widget that asks the log. */
    readonly query?: string;
    readonly metrics?: readonly (readonly unknown[])[];
  };
}

/** The widgets of a dashboard, with `?` for what is known after the deployment only. */
export function widgetsOf(body: unknown): Widget[] {
  const { 'Fn::Join': join } = body as { 'Fn::Join': readonly [string, readonly unknown[]] };
  const text = join[1].map((part) => (typeof part === 'string' ? part : '?')).join('');
  return JSON.parse(text).widgets;
}

/** `[namespace, name, dimension, value, …, options]`; an expression has its options only. */
export function metricsOfWidget({ properties }: Widget): MetricIdentity[] {
  return (properties.metrics ?? []).flatMap((row) => {
    const [namespace, name, ...pairs] = row.filter((part) => typeof part === 'string');
    if (namespace === undefined || name === undefined) return [];
    const dimensions: Record<string, string> = {};
    for (let at = 0; at + 1 < pairs.length; at += 2) dimensions[String(pairs[at])] = String(pairs[at + 1]);
    return [identity(namespace, name, dimensions)];
  });
}
