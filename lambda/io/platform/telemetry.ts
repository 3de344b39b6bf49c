/** What a function reports of itself: log lines, and metrics in CloudWatch. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import { Metrics } from '@aws-lambda-powertools/metrics';
import type { Clock } from './clock.ts';
import type { Environment, FunctionName } from './environment.ts';
import { METRICS, METRICS_SERVICE, type MetricName, metricsNamespace } from './metrics.ts';

/** The log of a function. Saved queries of CloudWatch find its lines by their message. */
export interface Log {
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

/**
 * Writes a log line. The message is a fixed sentence; values are fields, for example
 * `warn('Upstream call failed', { route: 'book' })`.
 */
type LogMethod = (message: string, ...fields: Record<string, unknown>[]) => void;

/** Makes the log and the metrics of one function. */
export function telemetry(
  service: FunctionName,
  environment: Environment,
): { readonly logger: Log; readonly metrics: ServiceMetrics } {
  return {
    logger: new Logger({ serviceName: service, logFormatter: new RequestLogFormatter() }),
    metrics: new ServiceMetrics(environment.METRICS_NAMESPACE ?? metricsNamespace('local')),
  };
}

/**
 * The metrics of a stage, a deployment of the service. `flush` writes a log line in CloudWatch's
 * embedded metric format.
 */
export class ServiceMetrics {
  readonly #metrics: Metrics;

  constructor(namespace: string) {
    this.#metrics = new Metrics({ namespace, serviceName: METRICS_SERVICE });
  }

  add(name: MetricName, value: number): void {
    this.#metrics.addMetric(name, METRICS[name], value);
  }

  flush(): void {
    if (this.#metrics.hasStoredMetrics()) this.#metrics.publishStoredMetrics();
  }
}

/** Allows each kind of event once per interval, so that an outage does not fill the log. */
export class LogThrottle {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #intervalMs: number;
  readonly #lastAt = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>, intervalMs: number) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /**
   * Whether the event may be logged now.
   *
   * @param kind one of a few names, because the throttle keeps each
   */
  allow(kind: string): boolean {
    const now = this.#clock.now();
    const age = now - (this.#lastAt.get(kind) ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < this.#intervalMs) return false;
    this.#lastAt.set(kind, now);
    return true;
  }
}

/**
 * The id of the request that the running code serves, for its log lines. Each request runs inside
 * `requestIds.run(id, …)`, which keeps the ids of concurrent requests of the local server apart.
 */
export const requestIds = new AsyncLocalStorage<string>();

/** The fields of each log line. */
class RequestLogFormatter extends LogFormatter {
  override formatAttributes(attributes: UnformattedAttributes, fields: LogAttributes): LogItem {
    const line = {
      level: attributes.logLevel,
      message: attributes.message,
      // UTC. Powertools would write the time in the zone of the variable `TZ`.
      timestamp: attributes.timestamp.toISOString(),
      service: attributes.serviceName,
      xray_trace_id: attributes.xRayTraceId,
      requestId: requestIds.getStore(),
    };
    return new LogItem({ attributes: line }).addAttributes(fields);
  }

  /**
   * An error as fields. Omits nested objects, because the SDK attaches whole responses to its
   * errors.
   */
  override formatError(error: Error): LogAttributes {
    const entries = Object.entries(super.formatError(error));
    return Object.fromEntries(
      entries.filter(([name, value]) => name === 'cause' || typeof value !== 'object'),
    );
  }
}
