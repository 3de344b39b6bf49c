import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { ReadFunctionName } from '../../lambda/contract/routes.ts';
import type { AccessLog } from '../api/access-log.ts';
import type { Stage } from '../config/stages.ts';

/** The parts of the service that are watched. */
export interface Monitored {
  readonly stage: Stage;
  /** The page that every alarm names a section of. */
  readonly runbookUrl: string;
  readonly refresher: {
    readonly function: LambdaFunction;
    readonly undelivered: Queue;
    readonly failed: Queue;
  };
  readonly functions: Readonly<Record<ReadFunctionName, LambdaFunction>>;
  readonly api: RestApi;
  /** Names of the tables. */
  readonly tables: { readonly snapshots: string; readonly rateLimits: string };
  /** Where the stage has one. */
  readonly accessLog?: AccessLog | undefined;
  /** Id of the distribution, where the stage has an edge. */
  readonly distributionId?: string | undefined;
  /** The watch of the front door, where there is one. */
  readonly watch?: LambdaFunction | undefined;
}

/** How often alarms about callers look, and the grain of most graphs. */
export const FIVE_MINUTES = Duration.minutes(5);

/** One value a run: the interval of the schedule. */
export function runInterval({ refreshMinutes }: Stage): Duration {
  return Duration.minutes(refreshMinutes);
}

/** All functions of the service with their names in the contract, the refresher first. */
export function allFunctions({ refresher, functions, watch }: Monitored): [string, LambdaFunction][] {
  return [
    ['refresh-snapshot', refresher.function],
    ...Object.entries(functions),
    ...(watch ? [['watch-front-door', watch] satisfies [string, LambdaFunction]] : []),
  ];
}

/** Names of the log groups of all functions behind endpoints. */
export function readerLogs({ functions }: Monitored): string[] {
  return Object.values(functions).map(({ logGroup }) => logGroup.logGroupName);
}

type TableMetric =
  | 'ReadThrottleEvents'
  | 'WriteThrottleEvents'
  | 'ConsumedReadCapacityUnits'
  | 'ConsumedWriteCapacityUnits';

/** A metric of DynamoDB that is kept by table. */
export function tableMetric(metricName: TableMetric, table: string, label: string): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: table },
    statistic: Stats.SUM,
    period: FIVE_MINUTES,
    label,
  });
}

/**
 * Invocations that Lambda refused in the account and region, ours and others': they share one quota. An alarm may look at
 * ten metrics at most, and this is one instead of one a function.
 */
export function accountThrottles(period: Duration): Metric {
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'Throttles',
    statistic: Stats.SUM,
    period,
    label: 'Throttled invocations',
  });
}

/** Percent of the account's concurrent executions that all its functions use together, ours and others'. */
export function accountConcurrency(): IMetric {
  const period = Duration.minutes(1);
  const used = new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'ConcurrentExecutions',
    statistic: Stats.MAXIMUM,
    period,
  });
  return new MathExpression({
    expression: '100 * used / SERVICE_QUOTA(used)',
    usingMetrics: { used },
    label: 'Share of the quota (%)',
    period,
  });
}
