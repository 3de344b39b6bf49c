import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat, type IAccessLogDestination, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StageConfig } from '../config/stage-config.ts';

/**
 * One line for each request: enough to follow it, to count it and to find the layer that responded. The line has neither
 * the caller's address nor a key, and no query, because queries show what people search for. `apiKeyId` is the id of the
 * key. All values are strings, because API Gateway writes a bare `-` for a missing value.
 */
const LOG_FIELDS = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  /** API Gateway's own response, if it made one: THROTTLED, QUOTA_EXCEEDED, INVALID_API_KEY … */
  gatewayError: '$context.error.responseType',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionMs: '$context.integrationLatency',
  functionStatus: '$context.integrationStatus',
  apiKeyId: '$context.identity.apiKeyId',
} as const;

/** Where the API writes its access log, and in which form. */
export class AccessLog extends Construct {
  readonly logGroup: LogGroup;
  readonly destination: IAccessLogDestination;
  readonly format = AccessLogFormat.custom(JSON.stringify(LOG_FIELDS));

  constructor(scope: Construct, id: string, { logRetentionDays }: StageConfig) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Lines', {
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.destination = new LogGroupLogDestination(this.logGroup);
  }
}
