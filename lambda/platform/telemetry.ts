import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import type { FunctionName } from '../contract/environment.ts';
import { METRICS, type MetricName, UPSTREAM_DIMENSION } from '../contract/metrics.ts';
import type { UpstreamName } from '../contract/upstreams.ts';

export interface Telemetry {
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
}

/** The namespace of the metrics is Powertools' own variable, which the stack sets: the stage's. */
export function telemetry(service: FunctionName): Telemetry {
  return {
    logger: new Logger({ serviceName: service }),
    metrics: new ServiceMetrics(
      (defaultDimensions) =>
        new Metrics({ serviceName: service, ...(defaultDimensions && { defaultDimensions }) }),
    ),
  };
}

/** Makes a set of metrics with the dimension `service` and the given ones. */
type NewMetrics = (dimensions?: Readonly<Record<string, string>>) => Metrics;

/** The metrics by their names in the contract. Values are collected and written in one line by `flush`. */
export class ServiceMetrics {
  private readonly create: NewMetrics;
  private readonly metrics: Metrics;
  private readonly ofUpstream = new Map<UpstreamName, Metrics>();

  constructor(create: NewMetrics) {
    this.create = create;
    this.metrics = create();
  }

  add(name: MetricName, value: number): void {
    this.metrics.addMetric(name, METRICS[name], value);
  }

  /** Upstream metrics carry the upstream as a dimension too, hence a line of their own, written at once. */
  addUpstream(upstream: UpstreamName, values: Readonly<Partial<Record<MetricName, number>>>): void {
    const metrics = this.ofUpstream.get(upstream) ?? this.create({ [UPSTREAM_DIMENSION]: upstream });
    this.ofUpstream.set(upstream, metrics);
    for (const [name, value] of Object.entries(values)) {
      metrics.addMetric(name, METRICS[name as MetricName], value);
    }
    metrics.publishStoredMetrics();
  }

  flush(): void {
    this.metrics.publishStoredMetrics();
  }
}
