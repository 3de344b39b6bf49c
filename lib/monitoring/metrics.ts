/** The metrics that alarms and the dashboard read. */
import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ReadFunctionName } from '../../lambda/core/contract/route-table.ts';
import {
  METRICS_SERVICE,
  type MetricName,
  metricsNamespace,
} from '../../lambda/io/platform/metrics.ts';
import type { AccessLogMetric } from '../api/access-log.ts';
import type { ReadApi } from '../api/read-api.ts';
import type { StageConfig } from '../config/stage-config.ts';

/** The parts of the stack that alarms, dashboard and saved queries observe. */
export interface Monitored {
  readonly stage: StageConfig;
  readonly refresher: LambdaFunction;
  readonly archiver: LambdaFunction | undefined;
  readonly check: LambdaFunction;
  /** The functions that answer callers. */
  readonly functions: ReadonlyMap<ReadFunctionName, LambdaFunction>;
  readonly api: ReadApi;
  /** The names of the tables. */
  readonly tables: { readonly snapshots: string; readonly rateLimits: string };
}

export const FIVE_MINUTES = Duration.minutes(5);

/** How CloudWatch adds up a metric's values. */
interface MetricOptions {
  readonly statistic: string;
  readonly period: Duration;
}

/** A metric that the functions write into their logs. */
export function serviceMetric(
  stage: StageConfig,
  name: MetricName,
  options: MetricOptions,
): Metric {
  const dimensionsMap = { service: METRICS_SERVICE };
  return new Metric({
    namespace: metricsNamespace(stage.name),
    metricName: name,
    dimensionsMap,
    ...options,
  });
}

/** A metric that CloudWatch counts in the access log. */
export function accessLogMetric(
  stage: StageConfig,
  metricName: AccessLogMetric,
  options: MetricOptions,
): Metric {
  return new Metric({ namespace: metricsNamespace(stage.name), metricName, ...options });
}

/** A metric of DynamoDB. */
type TableMetric = 'ReadThrottleEvents' | 'WriteThrottleEvents' | 'ConsumedWriteCapacityUnits';

/** A metric of one table, summed over five minutes. @param label its name in the graph */
export function tableMetric(table: string, metricName: TableMetric, label: string): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: table },
    statistic: Stats.SUM,
    period: FIVE_MINUTES,
    label,
  });
}

/** A metric of all functions of the account and region together, because they share one quota. */
export function accountMetric(
  metricName: 'Throttles' | 'ConcurrentExecutions',
  statistic: string,
): Metric {
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    statistic,
    period: FIVE_MINUTES,
    label: metricName,
  });
}
