import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { PRICES } from '../prices.ts';
import { graph, type Section } from './dashboard-section.ts';
import { allFunctions, type Monitored, tableMetric } from './monitored.ts';
import type { OperatorQuestion } from './operator-question.ts';

const period = Duration.hours(1);
const sum = { period, statistic: Stats.SUM };

/** What does it cost? The alarm is the budget's, which CloudWatch does not know (monthly-budget.ts). */
export const costQuestion: OperatorQuestion = { alarms: () => [], section };

function section(monitored: Monitored): Section {
  const { api, tables, accessLog } = monitored;
  const reads = tableMetric('ConsumedReadCapacityUnits', tables.snapshots, 'snapshots, reads').with(sum);
  const writes = [
    tableMetric('ConsumedWriteCapacityUnits', tables.snapshots, 'snapshots, writes').with(sum),
    tableMetric('ConsumedWriteCapacityUnits', tables.rateLimits, 'rate limits, writes').with(sum),
  ];
  const functions = allFunctions(monitored);
  const logs = [
    ...functions.map(([name, { logGroup }]) => logBytes(logGroup.logGroupName, name)),
    ...(accessLog ? [logBytes(accessLog.logGroup.logGroupName, 'access log')] : []),
  ];
  return {
    question: 'What does it cost?',
    well: 'At list prices, without free tiers, the edge and what costs the same whatever happens: docs/costs.md has the rest.',
    rows: [
      [
        graph(
          'Cost of an hour (USD)',
          [
            priced('API Gateway', [[api.deploymentStage.metricCount(sum), PRICES.apiRequest.usd]]),
            priced('Functions that read', functions.slice(1).flatMap(priceOfFunction)),
            priced('Refresher', functions.slice(0, 1).flatMap(priceOfFunction)),
            priced('DynamoDB', [
              [reads, PRICES.dynamoDbRead.usd],
              ...writes.map((metric) => [metric, PRICES.dynamoDbWrite.usd] as const),
            ]),
            priced(
              'Logs',
              logs.map((metric) => [metric, PRICES.logGb.usd / 1_000_000_000] as const),
            ),
          ],
          { stacked: true },
        ),
        graph('DynamoDB units in an hour', [reads, ...writes]),
        graph('Log bytes in an hour', logs, { stacked: true }),
      ],
    ],
  };
}

type Priced = readonly [metric: IMetric, usd: number];

function priceOfFunction([, lambda]: [string, LambdaFunction]): Priced[] {
  const { memorySize = 128 } = lambda.node.defaultChild as CfnFunction;
  return [
    [lambda.metricInvocations(sum), PRICES.lambdaRequest.usd],
    // The metric is in milliseconds.
    [lambda.metricDuration(sum), (PRICES.lambdaGbSecond.usd * memorySize) / 1_024 / 1_000],
  ];
}

function priced(label: string, parts: readonly Priced[]): IMetric {
  // Names must differ within a graph, hidden ones too.
  const name = (index: number) => `${label.toLowerCase().replaceAll(/[^a-z]/g, '')}${index}`;
  return new MathExpression({
    expression: parts.map(([, usd], index) => `FILL(${name(index)},0)*${usd.toFixed(12)}`).join('+'),
    usingMetrics: Object.fromEntries(parts.map(([metric], index) => [name(index), metric])),
    label,
    period,
  });
}

function logBytes(logGroupName: string, label: string): Metric {
  return new Metric({
    namespace: 'AWS/Logs',
    metricName: 'IncomingBytes',
    dimensionsMap: { LogGroupName: logGroupName },
    ...sum,
    label,
  });
}
