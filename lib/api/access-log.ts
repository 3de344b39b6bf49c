/**
 * The log of all requests to the API: a line of JSON for each, which API Gateway writes. It has
 * no caller's address.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  type IAccessLogDestination,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigateway';
import { FilterPattern, type IFilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricsNamespace } from '../../lambda/io/platform/metrics.ts';
import type { StageConfig } from '../config/stage-config.ts';

/**
 * The fields of a line, with the variables of API Gateway that fill them. A line has no API key
 * (`apiKeyId` is the key's id), and no query, which shows what people search for. Values are in
 * quotes, because API Gateway writes a bare `-` for a missing one.
 */
const LOG_FIELDS = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  /** If API Gateway itself responded: THROTTLED, QUOTA_EXCEEDED, INVALID_API_KEY … */
  gatewayError: '$context.error.responseType',
  latencyMs: '$context.responseLatency',
  functionMs: '$context.integrationLatency',
  functionStatus: '$context.integration.status',
  apiKeyId: '$context.identity.apiKeyId',
} as const;
/**
 * A line as JSON. Before its closing brace it gets one more field, `responseBytes`, without quotes,
 * because the metric needs a number. The field is never missing: each response has a length.
 */
const FORMAT = `${JSON.stringify(LOG_FIELDS).slice(0, -1)},"responseBytes":$context.responseLength}`;

/** The metrics of the access log: calls above the rate of a plan, and bytes of all responses. */
export type AccessLogMetric = 'CallersRefused' | 'BytesSent';

/** The access log of API Gateway, and the metrics that CloudWatch counts in it. */
export class AccessLog extends Construct {
  readonly logGroup: LogGroup;
  readonly destination: IAccessLogDestination;
  readonly format = AccessLogFormat.custom(FORMAT);

  constructor(scope: Construct, id: string, { name, logRetentionDays }: StageConfig) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Lines', {
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.destination = new LogGroupLogDestination(this.logGroup);
    const count = (
      metricName: AccessLogMetric,
      filterPattern: IFilterPattern,
      metricValue: string,
    ) =>
      this.logGroup.addMetricFilter(metricName, {
        filterPattern,
        metricNamespace: metricsNamespace(name),
        metricName,
        metricValue,
      });
    count('CallersRefused', FilterPattern.stringValue('$.gatewayError', '=', 'THROTTLED'), '1');
    // AWS documents this form for numbers. The CDK's `exists` would quote the asterisk.
    count('BytesSent', FilterPattern.literal('{ $.responseBytes = * }'), '$.responseBytes');
  }
}
