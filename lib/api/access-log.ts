import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  type IAccessLogDestination,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigateway';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricsNamespace } from '../../lambda/contract/metrics.ts';
import type { Stage } from '../config/stages.ts';

/** Requests that a usage plan or a throttle refused: only the access log can tell them from other 4xx. */
export const PLAN_REFUSALS_METRIC = 'PlanRefusals';

/**
 * One line a request: enough to follow it, to count it and to find out which layer responded. Neither the caller's
 * address nor a key is among the fields; `apiKeyId` is the key's id, which opens nothing. All values are texts, since
 * API Gateway writes a bare `-` for what it does not have. The query stays out: it is what people look for.
 */
const FIELDS = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  protocol: '$context.protocol',
  status: '$context.status',
  /** Which of API Gateway's own responses it was, where it was one: THROTTLED, QUOTA_EXCEEDED, INVALID_API_KEY … */
  gatewayAnswer: '$context.error.responseType',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionMs: '$context.integrationLatency',
  functionStatus: '$context.integrationStatus',
  apiKeyId: '$context.identity.apiKeyId',
  traceId: '$context.xrayTraceId',
} as const;

/** Where the API writes its access log, and the metric that is made of it. */
export class AccessLog extends Construct {
  readonly logGroup: LogGroup;
  readonly destination: IAccessLogDestination;
  readonly format: AccessLogFormat;

  constructor(scope: Construct, id: string, props: { readonly stage: Stage }) {
    super(scope, id);
    const { logRetentionDays, name } = props.stage;
    this.logGroup = new LogGroup(this, 'Lines', {
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.destination = new LogGroupLogDestination(this.logGroup);
    this.format = AccessLogFormat.custom(JSON.stringify(FIELDS));
    new MetricFilter(this, 'PlanRefusals', {
      logGroup: this.logGroup,
      filterPattern: FilterPattern.any(
        FilterPattern.stringValue('$.gatewayAnswer', '=', 'THROTTLED'),
        FilterPattern.stringValue('$.gatewayAnswer', '=', 'QUOTA_EXCEEDED'),
      ),
      metricNamespace: metricsNamespace(name),
      metricName: PLAN_REFUSALS_METRIC,
      metricValue: '1',
    });
  }
}
