/** The CloudWatch dashboard of a stage. */
import { Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  PeriodOverride,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { accountMetric, FIVE_MINUTES, type Monitored, tableMetric } from './metrics.ts';

/** The size of a graph in the dashboard's units: two graphs fill a row of 24 columns. */
const SIZE = { width: 12, height: 6 } as const;

/**
 * Creates the dashboard: the alarms, and the graphs that docs/runbook.md names. It has at most 50
 * metrics, because three such dashboards are free.
 *
 * @returns its URL
 */
export function createDashboard(
  scope: Construct,
  monitored: Monitored,
  alarms: readonly Alarm[],
): string {
  const { refresher, tables } = monitored;
  const sum = { period: FIVE_MINUTES, statistic: Stats.SUM };
  const maximum = { period: FIVE_MINUTES, statistic: Stats.MAXIMUM };
  // Graphs keep their own period in any time range.
  const dashboard = new Dashboard(scope, 'Dashboard', { periodOverride: PeriodOverride.INHERIT });
  dashboard.addWidgets(
    new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 3 }),
  );
  dashboard.addWidgets(
    graph(
      'Runs of the refresher',
      [
        refresher.metricInvocations({ ...sum, label: 'Runs' }),
        refresher.metricErrors({ ...sum, label: 'Failed' }),
      ],
      [refresher.metricDuration({ ...maximum, label: 'Duration (ms)' })],
    ),
    graph(
      'Functions of the account',
      [accountMetric('Throttles', Stats.SUM)],
      [accountMetric('ConcurrentExecutions', Stats.MAXIMUM)],
    ),
  );
  dashboard.addWidgets(
    graph('Throttled by DynamoDB', [
      tableMetric(tables.snapshots, 'ReadThrottleEvents', 'Snapshots, reads'),
      tableMetric(tables.snapshots, 'WriteThrottleEvents', 'Snapshots, writes'),
      tableMetric(tables.rateLimits, 'WriteThrottleEvents', 'Rate limit, writes'),
    ]),
    graph('Write units', [
      tableMetric(tables.snapshots, 'ConsumedWriteCapacityUnits', 'Snapshots'),
      tableMetric(tables.rateLimits, 'ConsumedWriteCapacityUnits', 'Rate limit'),
    ]),
  );
  const { region } = Stack.of(scope);
  return `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard.dashboardName}`;
}

/** A graph with one axis, or with another one at the right. */
function graph(title: string, left: IMetric[], right: IMetric[] = []): GraphWidget {
  return new GraphWidget({ title, left, right, ...SIZE });
}
