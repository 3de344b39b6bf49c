import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import type { FunctionName } from '../contract/environment.ts';
import {
  METRICS,
  METRICS_NAMESPACE,
  type MetricName,
  UPSTREAM_DIMENSION,
  type UpstreamName,
} from '../contract/metrics.ts';

export interface Telemetry {
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
}

export function telemetry(service: FunctionName): Telemetry {
  return {
    logger: new Logger({ serviceName: service }),
    metrics: new ServiceMetrics(new Metrics({ namespace: METRICS_NAMESPACE, serviceName: service })),
  };
}

/** The metrics by their names in the contract. Values are collected and written in one line by `flush`. */
export class ServiceMetrics {
  private readonly metrics: Metrics;

  constructor(metrics: Metrics) {
    this.metrics = metrics;
    this.metrics.setThrowOnEmptyMetrics(false);
  }

  add(name: MetricName, value: number): void {
    this.metrics.addMetric(name, METRICS[name], value);
  }

  /** Upstream metrics carry the upstream as a dimension, hence a line of their own. */
  addUpstream(upstream: UpstreamName, values: Partial<Record<MetricName, number>>): void {
    for (const [name, value] of Object.entries(values)) {
      const single = this.metrics.singleMetric();
      single.addDimension(UPSTREAM_DIMENSION, upstream);
      single.addMetric(name, METRICS[name as MetricName], value);
    }
  }

  flush(): void {
    this.metrics.publishStoredMetrics();
  }
}
