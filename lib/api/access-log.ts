import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat, type IAccessLogDestination, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StageConfig } from '../config/stage-config.ts';

/**
 * No address, no key (`apiKeyId` is its id), and no query, which shows what people search for. All values are strings:
 * API Gateway writes a bare `-` for a missing one.
 */
const LOG_FIELDS = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  /** If API Gateway itself responded: THROTTLED, QUOTA_EXCEEDED, INVALID_API_KEY … */
  gatewayError: '$context.error.responseType',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionMs: '$context.integrationLatency',
  functionStatus: '$context.integrationStatus',
  apiKeyId: '$context.identity.apiKeyId',
} as const;

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
