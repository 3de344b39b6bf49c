import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  METRIC_SOURCES,
  METRICS,
  type MetricName,
  metricsNamespace,
  SERVICE_DIMENSION,
  SHARED,
  SHARED_DIMENSION,
} from '../../lambda/contract/metrics.ts';

export interface ReadOptions {
  readonly period: Duration;
  /** @default the sum */
  readonly statistic?: string;
  /** @default the metric's name */
  readonly label?: string;
}

/** The metrics that alarms look at, by their names and dimensions in the contract. */
export class ServiceMetricReader {
  readonly #namespace: string;

  constructor(stageName: string) {
    this.#namespace = metricsNamespace(stageName);
  }

  /** @throws Error for what is kept in the log only, and for a metric that several functions emit apart */
  read(name: MetricName, options: ReadOptions): Metric {
    const { period, statistic = Stats.SUM, label = name } = options;
    return new Metric({
      namespace: this.#namespace,
      metricName: name,
      dimensionsMap: dimensionsOf(name),
      period,
      statistic,
      label,
    });
  }
}

function dimensionsOf(name: MetricName): Record<string, string> {
  const { kept } = METRICS[name];
  if (kept === 'shared') return { [SHARED_DIMENSION]: SHARED };
  const [service, another] = METRIC_SOURCES[name];
  if (kept === 'log' || service === undefined || another !== undefined) {
    throw new Error(`${name} is no metric of one function`);
  }
  return { [SERVICE_DIMENSION]: service };
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
