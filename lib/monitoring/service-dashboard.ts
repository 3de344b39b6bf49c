import { Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Metric,
  PeriodOverride,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { MAX_UNREADABLE_PERCENT } from '../../lambda/core/contract/constants.ts';
import { EDGE_REGION } from '../edge/edge-distribution.ts';
import { accountMetric, FIVE_MINUTES, type Monitored, ONE_MINUTE, serviceMetric, tableMetric } from './metrics.ts';

/** Three graphs per row of 24 columns. */
const SIZE = { width: 8, height: 6 } as const;

/** At most 50 metrics: three such dashboards are free. No log query: each view would scan the logs. */
export class ServiceDashboard extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, monitored: Monitored, alarms: readonly Alarm[]) {
    super(scope, id);
    // Graphs keep their own period in any time range.
    const dashboard = new Dashboard(this, 'Dashboard', { periodOverride: PeriodOverride.INHERIT });
    dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 3 }));
    dashboard.addWidgets(...dataGraphs(monitored));
    dashboard.addWidgets(...callerGraphs(monitored));
    if (monitored.edge) dashboard.addWidgets(...edgeGraphs(monitored.edge));
    dashboard.addWidgets(...capacityGraphs(monitored));
    const { region } = Stack.of(this);
    this.url = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard.dashboardName}`;
  }
}

/** @param title the runbook names it */
function graph(title: string, left: readonly IMetric[], right: readonly IMetric[] = [], region?: string): GraphWidget {
  return new GraphWidget({
    title,
    ...SIZE,
    left: [...left],
    right: [...right],
    leftYAxis: { min: 0, showUnits: false },
    rightYAxis: { min: 0, showUnits: false },
    ...(region !== undefined && { region }),
  });
}

function dataGraphs({ stage, refresher }: Monitored): IWidget[] {
  const period = ONE_MINUTE;
  const each = { period, statistic: Stats.SUM };
  const maximum = { period, statistic: Stats.MAXIMUM };
  return [
    graph('Age of the data (s)', [serviceMetric(stage, 'SnapshotAge', { ...maximum, label: 'Age' })]),
    graph(
      'Runs of the refresher',
      [refresher.metricInvocations({ ...each, label: 'Runs' }), refresher.metricErrors({ ...each, label: 'Failed' })],
      [refresher.metricDuration({ ...maximum, label: 'Duration (ms)' })],
    ),
    graph(`Unreadable markets above ${MAX_UNREADABLE_PERCENT} %`, [
      serviceMetric(stage, 'UnreadableMarkets', { statistic: Stats.MAXIMUM, period: FIVE_MINUTES }),
    ]),
  ];
}

function callerGraphs({ stage, api, functions }: Monitored): IWidget[] {
  const { deploymentStage } = api.api;
  const period = FIVE_MINUTES;
  const each = { period, statistic: Stats.SUM };
  return [
    graph(
      'Requests and errors',
      [
        deploymentStage.metricCount({ ...each, label: 'Requests' }),
        deploymentStage.metricClientError({ ...each, label: '4xx' }),
        deploymentStage.metricServerError({ ...each, label: '5xx' }),
      ],
      [serviceMetric(stage, 'RateLimitUnavailable', { ...each, label: 'Counted by one process' })],
    ),
    graph(
      'Time to respond (ms)',
      [50, 90, 99].map((percent) =>
        deploymentStage.metricLatency({ period, statistic: Stats.percentile(percent), label: `p${percent}` }),
      ),
    ),
    graph(
      'Function time, p99 (ms)',
      [...functions].map(([name, reader]) =>
        reader.metricDuration({ period, statistic: Stats.percentile(99), label: name }),
      ),
    ),
  ];
}

function edgeGraphs({ distributionId, watch }: NonNullable<Monitored['edge']>): IWidget[] {
  const period = FIVE_MINUTES;
  const each = { period, statistic: Stats.SUM };
  const edge = (metricName: string, label: string, statistic: string) =>
    new Metric({
      namespace: 'AWS/CloudFront',
      metricName,
      dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
      region: EDGE_REGION,
      statistic,
      period,
      label,
    });
  const requests = [edge('Requests', 'Requests', Stats.SUM)];
  const errors = [edge('4xxErrorRate', '4xx (%)', Stats.AVERAGE), edge('5xxErrorRate', '5xx (%)', Stats.AVERAGE)];
  const bytes = [edge('BytesDownloaded', 'Bytes', Stats.SUM)];
  return [
    graph('Requests at the edge', requests, errors, EDGE_REGION),
    graph('Bytes from the edge', bytes, [], EDGE_REGION),
    graph('Checks of the front door', [
      watch.metricInvocations({ ...each, label: 'Checks' }),
      watch.metricErrors({ ...each, label: 'Failed' }),
    ]),
  ];
}

function capacityGraphs({ tables }: Monitored): IWidget[] {
  return [
    graph('Throttled by DynamoDB', [
      tableMetric(tables.snapshots, 'ReadThrottleEvents', 'Snapshots, reads'),
      tableMetric(tables.snapshots, 'WriteThrottleEvents', 'Snapshots, writes'),
      tableMetric(tables.rateLimits, 'WriteThrottleEvents', 'Rate limit, writes'),
    ]),
    graph(
      'Functions of the account',
      [accountMetric('Throttles', Stats.SUM)],
      [accountMetric('ConcurrentExecutions', Stats.MAXIMUM)],
    ),
    graph('Write units', [
      tableMetric(tables.snapshots, 'ConsumedWriteCapacityUnits', 'Snapshots'),
      tableMetric(tables.rateLimits, 'ConsumedWriteCapacityUnits', 'Rate limit'),
    ]),
  ];
}
