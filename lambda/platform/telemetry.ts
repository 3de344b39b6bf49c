import type { FunctionName } from '../contract/environment.ts';
import { type MetricName, SERVICE_DIMENSION, UPSTREAM_FIELD } from '../contract/metrics.ts';
import type { UpstreamName } from '../contract/upstreams.ts';
import { JsonLog, type Log } from './log.ts';
import { type LineFields, metricLine } from './metric-line.ts';

export interface Telemetry {
  readonly logger: Log;
  readonly metrics: ServiceMetrics;
}

/** The namespace of the metrics is the stage's, which the stack sets. */
export function telemetry(service: FunctionName): Telemetry {
  return {
    logger: new JsonLog(service),
    metrics: new ServiceMetrics(service, process.env.METRICS_NAMESPACE ?? ''),
  };
}

/** The metrics by their names in the contract. Values are collected, added up, and written in one line by `flush`. */
export class ServiceMetrics {
  readonly #service: FunctionName;
  readonly #namespace: string;
  readonly #values = new Map<MetricName, number>();

  constructor(service: FunctionName, namespace: string) {
    this.#service = service;
    this.#namespace = namespace;
  }

  add(name: MetricName, value: number): void {
    this.#values.set(name, (this.#values.get(name) ?? 0) + value);
  }

  /** What is told of an upstream names it, hence a line of its own, written at once. */
  addUpstream(upstream: UpstreamName, values: Readonly<Partial<Record<MetricName, number>>>): void {
    this.#write({ [UPSTREAM_FIELD]: upstream }, new Map(Object.entries(values) as [MetricName, number][]));
  }

  flush(): void {
    this.#write({}, this.#values);
    this.#values.clear();
  }

  /** Past the console: Lambda puts words before its lines, and they would be no JSON any more. */
  #write(fields: LineFields, values: ReadonlyMap<MetricName, number>): void {
    if (values.size === 0) return;
    const named = { [SERVICE_DIMENSION]: this.#service, ...fields };
    process.stdout.write(`${metricLine(this.#namespace, Date.now(), named, values)}\n`);
  }
}
