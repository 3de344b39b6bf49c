import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { metricsNamespace } from '../../lambda/contract/metrics.ts';
import { PLAN_REFUSALS_METRIC } from '../api/access-log.ts';
import { WATCH_MINUTES } from '../edge/front-door-watch.ts';
import type { AlarmRow } from './alarm-row.ts';
import { figures, graph, type Section } from './dashboard-section.ts';
import { FIVE_MINUTES, type Monitored, readerLogs } from './monitored.ts';
import type { OperatorQuestion } from './operator-question.ts';
import type { ServiceMetricReader } from './service-metrics.ts';

/** Fewer requests in five minutes make no share worth waking up for. */
const FEWEST_REQUESTS = 20;
const ERROR_PERCENT = 5;
/** The live endpoints give the upstream 4 s: p99 beyond three means that callers wait, not one of them. */
const SLOW_MS = 3_000;
const PLAN_SHARE = 0.9;
/** CloudFront's metrics, and those of its web ACLs, are kept there. */
const EDGE_REGION = 'us-east-1';
const period = FIVE_MINUTES;

/** Are callers served? */
export const callersQuestion: OperatorQuestion = { alarms, section };

function alarms(monitored: Monitored, metrics: ServiceMetricReader): AlarmRow[] {
  const { api, stage, accessLog, watch } = monitored;
  const { deploymentStage } = api;
  const planRefusals: AlarmRow = {
    id: 'plan-refusals',
    happened: 'A usage plan or a throttle refuses requests with 429.',
    metric: planRefusalsMetric(monitored),
    threshold: 10,
    periods: [2, 3],
    missing: 'notBreaching',
  };
  return [
    {
      id: 'server-errors',
      happened: `More than ${ERROR_PERCENT} percent of the requests get 5xx.`,
      metric: new MathExpression({
        expression: `IF(requests >= ${FEWEST_REQUESTS}, 100 * errors / requests, 0)`,
        usingMetrics: {
          requests: deploymentStage.metricCount({ period, statistic: Stats.SUM }),
          errors: deploymentStage.metricServerError({ period, statistic: Stats.SUM }),
        },
        label: '5xx (%)',
        period,
      }),
      breaches: 'more than',
      threshold: ERROR_PERCENT,
      periods: [2, 3],
      missing: 'notBreaching',
    },
    {
      id: 'slow-responses',
      happened: `One request in a hundred takes longer than ${SLOW_MS / 1_000} s.`,
      metric: deploymentStage.metricLatency({ period, statistic: Stats.percentile(99) }),
      breaches: 'more than',
      threshold: SLOW_MS,
      periods: [3, 3],
      missing: 'notBreaching',
    },
    {
      id: 'plan-exhausted',
      happened:
        'There are nearly as many requests as the public plan allows: the next ones are refused with 429.',
      metric: deploymentStage.metricCount({ period: Duration.minutes(1), statistic: Stats.SUM }),
      threshold: Math.floor(stage.publicPlan.ratePerSecond * 60 * PLAN_SHARE),
      periods: [3, 5],
      missing: 'notBreaching',
    },
    ...(accessLog ? [planRefusals] : []),
    ...(watch ? [frontDoorAlarm(watch)] : []),
    {
      id: 'rate-limit-unavailable',
      happened: 'Requests are served uncounted by the per-IP limit, since its table fails or is slow.',
      metric: metrics.read('RateLimitUnavailable', { period }),
      threshold: 10,
      periods: [2, 3],
      missing: 'notBreaching',
    },
  ];
}

/** What only the way in sees: CloudFront, its web ACL, the key, or silence. A watch that does not run is no good news. */
function frontDoorAlarm(watch: LambdaFunction): AlarmRow {
  return {
    id: 'front-door-closed',
    happened: 'The service does not respond to who comes through its front door.',
    metric: watch.metricErrors({ period: Duration.minutes(WATCH_MINUTES), statistic: Stats.SUM }),
    threshold: 1,
    periods: [2, 3],
    missing: 'breaching',
  };
}

/** Made of the access log, where the stage has one. */
function planRefusalsMetric({ stage }: Monitored): Metric {
  return new Metric({
    namespace: metricsNamespace(stage.name),
    metricName: PLAN_REFUSALS_METRIC,
    statistic: Stats.SUM,
    period,
    label: 'Plans and throttles',
  });
}

function section(monitored: Monitored, metrics: ServiceMetricReader): Section {
  const { api, functions, distributionId, watch, accessLog } = monitored;
  const { deploymentStage: gateway } = api;
  const byPercentile = (percent: number) =>
    gateway.metricLatency({ period, statistic: Stats.percentile(percent), label: `p${percent}` });
  const readers = readerLogs(monitored);
  return {
    question: 'Are callers served?',
    well: 'Few 5xx, p99 well below three seconds. 4xx are callers’ own mistakes or limits.',
    rows: [
      [
        graph('Requests and errors', [
          gateway.metricCount({ period, label: 'Requests' }),
          gateway.metricClientError({ period, statistic: Stats.SUM, label: '4xx' }),
          gateway.metricServerError({ period, statistic: Stats.SUM, label: '5xx' }),
        ]),
        graph('Time to respond (ms)', [byPercentile(50), byPercentile(90), byPercentile(99)]),
        graph(
          'Function time, p99 (ms)',
          Object.entries(functions).map(([name, reader]) =>
            reader.metricDuration({ period, statistic: Stats.percentile(99), label: name }),
          ),
        ),
      ],
      [
        figures('Refused for being too many', readers, [
          'filter ispresent(RateLimitRefused)',
          'stats sum(RateLimitRefused) as byThePerIpLimit by bin(5m)',
        ]),
        graph('Refused by plans, served uncounted', [
          ...(accessLog ? [planRefusalsMetric(monitored)] : []),
          metrics.read('RateLimitUnavailable', { period, label: 'Served uncounted' }),
        ]),
        figures('Snapshots not loaded', readers, [
          'filter ispresent(SnapshotLoadFailed)',
          'stats sum(SnapshotLoadFailed) as snapshotsNotLoaded by bin(5m)',
        ]),
      ],
      ...(distributionId && watch ? [[edgeGraph(distributionId), watchGraph(watch)]] : []),
    ],
  };
}

/** What a caller of our own sees. */
function watchGraph(watch: LambdaFunction) {
  const each = { period, statistic: Stats.SUM };
  return graph(
    'Looks through the front door',
    [
      watch.metricInvocations({ ...each, label: 'Looks' }),
      watch.metricErrors({ ...each, label: 'Without the status' }),
    ],
    {
      right: [watch.metricDuration({ period, statistic: Stats.MAXIMUM, label: 'Time (ms)' })],
    },
  );
}

/** What viewers see: also errors that CloudFront makes itself when it cannot reach the API. */
function edgeGraph(distributionId: string) {
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
  return graph('At the edge', [edge('Requests', 'Requests', Stats.SUM)], {
    right: [edge('4xxErrorRate', '4xx (%)', Stats.AVERAGE), edge('5xxErrorRate', '5xx (%)', Stats.AVERAGE)],
    region: EDGE_REGION,
  });
}
