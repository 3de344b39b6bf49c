import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { MAX_AGE_SECONDS, MAX_FALLBACK_SHARE, MAX_UNREADABLE_PERCENT } from '../../lambda/core/contract/constants.ts';
import { WATCH_INTERVAL_SECONDS } from '../edge/front-door-watch.ts';
import type { AlarmRow } from './alarms.ts';
import { FIVE_MINUTES, type Monitored, ONE_MINUTE, serviceMetric } from './metrics.ts';

/** In five minutes. While CLOB does not respond, a run publishes about every 125 s. */
const DEGRADED_SNAPSHOTS = 2;
const FAILED_RUNS = 3;
/** Ten minutes, plus the delay of the metric: Lambda publishes the values of a minute up to five minutes later. */
const FAILING_PERIOD = Duration.minutes(15);
/** Minutes without a run (up to five can be that delay), and the minutes in which the alarm looks for an earlier run. */
const MINUTES_WITHOUT_RUN = [8, 15] as const;
/** In five minutes. With fewer, the mistake of one caller dominates a share or a percentile. */
const MIN_REQUESTS_FOR_ERRORS = 20;
const MIN_REQUESTS_FOR_LATENCY = 100;
/** Less than the share of an endpoint that few callers use, such as the search. */
const ERROR_PERCENT = 3;
/** Live endpoints wait at most 4 s for upstream: above 3 s, many callers wait. */
const SLOW_MS = 3_000;
const PLAN_SHARE = 0.9;
const UNCOUNTED_REQUESTS = 10;
/** The archive has one run a day: the alarm starts two hours after a failed one. */
const ARCHIVE_HOURS = 26;

const FIVE_MINUTE_SUM = { period: FIVE_MINUTES, statistic: Stats.SUM } as const;
/** Periods of five minutes. With two of three, one good period during a brown-out does not end the alarm. */
const TWO_OF_THREE = { periods: [2, 3], missing: 'notBreaching', alignment: 'clock' } as const;
const THREE_OF_THREE = { ...TWO_OF_THREE, periods: [3, 3] } as const;

/** Values since the first one above 0; a new stage begins without an alarm. */
function sinceFirst(first: string, value: string): string {
  return `IF(RUNNING_SUM(${first}) > 0, ${value})`;
}

/** The alarms of the service's region. None starts before the service has worked once. */
export function serviceAlarms(monitored: Monitored): AlarmRow[] {
  return [
    ...dataAlarms(monitored),
    ...runAlarms(monitored),
    ...responseAlarms(monitored),
    ...limitAlarms(monitored),
    ...frontDoorAlarm(monitored.edge?.watch),
    ...archiveAlarm(monitored),
  ];
}

function dataAlarms({ stage }: Monitored): AlarmRow[] {
  return [
    {
      id: 'data-age',
      severity: 'urgent',
      meaning: `In four of the last 14 minutes no run found market data younger than ${MAX_AGE_SECONDS} s. Callers get 502.`,
      metric: serviceMetric(stage, 'SnapshotAge', { statistic: Stats.MINIMUM, period: ONE_MINUTE }),
      breaches: 'more than',
      threshold: MAX_AGE_SECONDS,
      periods: [4, 14],
      missing: 'ignore',
      alignment: 'clock',
    },
    {
      id: 'unreadable-markets',
      severity: 'look',
      meaning: `In a run of each of three periods, the refresher could not read more than ${MAX_UNREADABLE_PERCENT} % of the open markets of the catalogue.`,
      metric: serviceMetric(stage, 'UnreadableMarkets', { period: FIVE_MINUTES, statistic: Stats.MAXIMUM }),
      breaches: 'more than',
      threshold: MAX_UNREADABLE_PERCENT,
      ...THREE_OF_THREE,
    },
    {
      id: 'prices-degraded',
      severity: 'look',
      meaning: `More than ${100 * MAX_FALLBACK_SHARE} % of the prices do not come from CLOB. They are up to ten minutes old.`,
      metric: serviceMetric(stage, 'DegradedSnapshots', FIVE_MINUTE_SUM),
      breaches: 'at least',
      threshold: DEGRADED_SNAPSHOTS,
      ...TWO_OF_THREE,
    },
  ];
}

function runAlarms({ refresher }: Monitored): AlarmRow[] {
  const [silent, lookBack] = MINUTES_WITHOUT_RUN;
  return [
    {
      id: 'refresh-failing',
      severity: 'urgent',
      meaning: `In ${FAILING_PERIOD.toMinutes()} minutes ${FAILED_RUNS} runs of the refresher failed or ran out of time.`,
      metric: refresher.metricErrors({ statistic: Stats.SUM, period: FAILING_PERIOD }),
      breaches: 'at least',
      threshold: FAILED_RUNS,
      periods: [1, 1],
      missing: 'notBreaching',
      alignment: 'sliding',
    },
    {
      id: 'refresh-not-running',
      severity: 'urgent',
      meaning: `The schedule has not started the refresher for ${silent} minutes.`,
      metric: new MathExpression({
        expression: sinceFirst('FILL(runs, 0)', 'FILL(runs, 0)'),
        usingMetrics: { runs: refresher.metricInvocations({ statistic: Stats.SUM, period: ONE_MINUTE }) },
        label: 'Runs',
        period: ONE_MINUTE,
      }),
      breaches: 'less than',
      threshold: 1,
      periods: [silent, lookBack],
      missing: 'ignore',
      alignment: 'sliding',
    },
  ];
}

function responseAlarms({ api }: Monitored): AlarmRow[] {
  const { deploymentStage } = api.api;
  const requests = deploymentStage.metricCount(FIVE_MINUTE_SUM);
  return [
    {
      id: 'server-errors',
      severity: 'urgent',
      meaning: `More than ${ERROR_PERCENT} % of the requests get a 5xx response.`,
      metric: new MathExpression({
        expression: `IF(requests >= ${MIN_REQUESTS_FOR_ERRORS} && errors > 1, 100 * errors / requests, 0)`,
        usingMetrics: {
          requests,
          errors: deploymentStage.metricServerError(FIVE_MINUTE_SUM),
        },
        label: '5xx (%)',
        period: FIVE_MINUTES,
      }),
      breaches: 'more than',
      threshold: ERROR_PERCENT,
      ...TWO_OF_THREE,
    },
    {
      id: 'slow-responses',
      severity: 'look',
      meaning: `At least one request in a hundred takes longer than ${SLOW_MS / 1_000} s.`,
      metric: new MathExpression({
        expression: `IF(requests >= ${MIN_REQUESTS_FOR_LATENCY}, latency, 0)`,
        usingMetrics: {
          requests,
          latency: deploymentStage.metricLatency({ period: FIVE_MINUTES, statistic: Stats.percentile(99) }),
        },
        label: 'p99 (ms)',
        period: FIVE_MINUTES,
      }),
      breaches: 'more than',
      threshold: SLOW_MS,
      ...THREE_OF_THREE,
    },
  ];
}

function limitAlarms({ stage, api }: Monitored): AlarmRow[] {
  const { deploymentStage } = api.api;
  return [
    {
      id: 'plan-throttled',
      severity: 'look',
      meaning: `The requests reach ${100 * PLAN_SHARE} % of the rate of the public plan. API Gateway rejects requests above the rate with 429.`,
      metric: deploymentStage.metricCount({ period: ONE_MINUTE, statistic: Stats.SUM }),
      breaches: 'at least',
      threshold: Math.floor(stage.publicPlan.ratePerSecond * 60 * PLAN_SHARE),
      periods: [3, 5],
      missing: 'notBreaching',
      alignment: 'sliding',
    },
    {
      id: 'rate-limit-unavailable',
      severity: 'look',
      meaning: 'The table of the rate limit fails or is slow. The service serves requests without counting them.',
      metric: serviceMetric(stage, 'RateLimitUnavailable', FIVE_MINUTE_SUM),
      breaches: 'at least',
      threshold: UNCOUNTED_REQUESTS,
      ...TWO_OF_THREE,
    },
  ];
}

/** One check begins in the first minute of each period. */
function frontDoorAlarm(watch: LambdaFunction | undefined): AlarmRow[] {
  if (!watch) return [];
  const options = { period: Duration.seconds(WATCH_INTERVAL_SECONDS), statistic: Stats.SUM };
  return [
    {
      id: 'front-door-closed',
      severity: 'urgent',
      meaning: 'Two of the last six checks through the front door failed.',
      metric: new MathExpression({
        expression: sinceFirst('checks - failures', 'checks - failures'),
        usingMetrics: { checks: watch.metricInvocations(options), failures: watch.metricErrors(options) },
        label: 'Successful checks',
        period: options.period,
      }),
      breaches: 'less than',
      threshold: 1,
      periods: [2, 6],
      missing: 'ignore',
      alignment: 'sliding',
    },
  ];
}

/** Counts only hours with runs of the refresher, in which the stage exists. */
function archiveAlarm({ archiver, refresher }: Monitored): AlarmRow[] {
  if (!archiver) return [];
  const options = { period: Duration.hours(1), statistic: Stats.SUM };
  return [
    {
      id: 'archive-late',
      severity: 'look',
      meaning: `No run of the archive has succeeded for ${ARCHIVE_HOURS} hours. Its snapshots expire two days after their day.`,
      metric: new MathExpression({
        expression: 'IF(refreshes > 0, MAX([runs - failures, 0 * refreshes]))',
        usingMetrics: {
          refreshes: refresher.metricInvocations(options),
          runs: archiver.metricInvocations(options),
          failures: archiver.metricErrors(options),
        },
        label: 'Successful runs',
        period: options.period,
      }),
      breaches: 'less than',
      threshold: 1,
      periods: [ARCHIVE_HOURS, ARCHIVE_HOURS],
      missing: 'ignore',
      alignment: 'clock',
    },
  ];
}
