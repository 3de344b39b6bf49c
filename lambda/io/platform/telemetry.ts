import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import { Metrics } from '@aws-lambda-powertools/metrics';
import type { Environment, FunctionName } from './environment.ts';
import { METRICS, METRICS_SERVICE, type MetricName, metricsNamespace } from './metrics.ts';
import { currentRequestId } from './request-context.ts';

type LogMethod = (message: string, ...fields: Record<string, unknown>[]) => void;

/** The message is a fixed sentence. Values are fields, for the saved queries. */
export interface Log {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

interface Telemetry {
  readonly logger: Log;
  readonly metrics: ServiceMetrics;
}

export function telemetry(service: FunctionName, environment: Environment): Telemetry {
  return {
    logger: new Logger({ serviceName: service, logFormatter: new RequestLogFormatter() }),
    metrics: new ServiceMetrics(environment.METRICS_NAMESPACE ?? metricsNamespace('local')),
  };
}

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

/** The local server runs requests concurrently, so the request id comes from the asynchronous context. */
class RequestLogFormatter extends LogFormatter {
  override formatAttributes(attributes: UnformattedAttributes, fields: LogAttributes): LogItem {
    const line = {
      level: attributes.logLevel,
      message: attributes.message,
      timestamp: this.formatTimestamp(attributes.timestamp),
      service: attributes.serviceName,
      xray_trace_id: attributes.xRayTraceId,
      requestId: currentRequestId(),
    };
    return new LogItem({ attributes: line }).addAttributes(fields);
  }

  /** Omits nested objects: the SDK attaches whole responses to its errors. */
  override formatError(error: Error): LogAttributes {
    const entries = Object.entries(super.formatError(error));
    return Object.fromEntries(entries.filter(([name, value]) => name === 'cause' || typeof value !== 'object'));
  }
}
