import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { FunctionName } from '../../lambda/contract/environment.ts';
import {
  METRIC_SOURCES,
  type MetricName,
  metricsNamespace,
  SERVICE_DIMENSION,
  UPSTREAM_DIMENSION,
  upstreamsOf,
} from '../../lambda/contract/metrics.ts';
import type { UpstreamName } from '../../lambda/contract/upstreams.ts';

export interface ReadOptions {
  readonly period: Duration;
  /** @default the sum */
  readonly statistic?: string;
  /** @default the metric's name */
  readonly label?: string;
}

/** The metrics that the functions of a stage emit, by their names and dimensions in the contract. */
export class ServiceMetricReader {
  private readonly namespace: string;

  constructor(stageName: string) {
    this.namespace = metricsNamespace(stageName);
  }

  /** A metric of the only function that emits it. @throws Error when there are several: see `total` */
  one(name: MetricName, options: ReadOptions): Metric {
    const [service, another] = METRIC_SOURCES[name];
    if (service === undefined || another !== undefined) throw new Error(`${name} has several sources`);
    return this.metric(name, { [SERVICE_DIMENSION]: service }, options);
  }

  /** The metric of each function that emits it, labelled with the function. */
  each(name: MetricName, options: ReadOptions): Metric[] {
    return METRIC_SOURCES[name].map((service) =>
      this.metric(name, { [SERVICE_DIMENSION]: service }, { label: service, ...options }),
    );
  }

  /** A metric of the calls of one function to one upstream. */
  upstream(name: MetricName, service: FunctionName, upstream: UpstreamName, options: ReadOptions): Metric {
    const dimensions = { [SERVICE_DIMENSION]: service, [UPSTREAM_DIMENSION]: upstream };
    return this.metric(name, dimensions, { label: `${upstream} (${service})`, ...options });
  }

  /** A metric of each function and each of the upstreams it calls. */
  everyUpstream(name: MetricName, options: ReadOptions): Metric[] {
    return METRIC_SOURCES[name].flatMap((service) =>
      upstreamsOf(service).map((upstream) => this.upstream(name, service, upstream, options)),
    );
  }

  private metric(name: MetricName, dimensionsMap: Record<string, string>, options: ReadOptions): Metric {
    const { period, statistic = Stats.SUM, label = name } = options;
    return new Metric({
      namespace: this.namespace,
      metricName: name,
      dimensionsMap,
      period,
      statistic,
      label,
    });
  }
}

/** The sum of metrics of which some may have no values: nothing counts as zero. */
export function total(metrics: readonly IMetric[], label: string, period: Duration): IMetric {
  const names = metrics.map((_, index) => `m${index}`);
  return new MathExpression({
    expression: names.map((name) => `FILL(${name},0)`).join('+'),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    label,
    period,
  });
}
