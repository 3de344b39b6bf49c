import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { MAX_AGE_SECONDS } from '../../lambda/core/contract/constants.ts';
import type { AlarmRow } from './alarms.ts';
import { FIVE_MINUTES, type Monitored, ONE_MINUTE, serviceMetric } from './metrics.ts';

/** The value of a period in which no run reported the age of the data. */
const AGE_OF_SILENCE = 10 * MAX_AGE_SECONDS;
const UNREADABLE_PERCENT = 5;
const FAILED_RUNS = 3;
/**
 * Lambda counts a run in the minute in which it began, but publishes the number after its end: for a run of two minutes
 * up to five minutes later. These windows are ten minutes and three minutes without runs, plus that delay.
 */
const FAILING_WINDOW = Duration.minutes(15);
const NO_RUNS_WINDOW = Duration.minutes(8);
/** With fewer requests in five minutes, a share or a percentile is the mistake of one caller. */
const MIN_REQUESTS_FOR_ERRORS = 20;
const MIN_REQUESTS_FOR_LATENCY = 100;
const ERROR_PERCENT = 5;
/** Live endpoints wait at most 4 s for the upstream: a p99 above 3 s means that many callers wait. */
const SLOW_MS = 3_000;
const PLAN_SHARE = 0.9;
const QUOTA_SHARE = 0.8;
const UNCOUNTED_REQUESTS = 10;
/** The archive has one run a day: the alarm begins two hours after a run that failed. */
const ARCHIVE_HOURS = 26;

/**
 * The alarms of the service's region. `FILL` gives the alarms on silence a value for every period: without it CloudWatch
 * waits for more missing periods than the alarm names. Full and price runs alternate and take up to two minutes, so an
 * alarm that counts failed minutes would begin and end with each of them: the alarms on runs have one long period.
 */
export function serviceAlarms(monitored: Monitored): AlarmRow[] {
  return [
    ...dataAlarms(monitored),
    ...runAlarms(monitored),
    ...responseAlarms(monitored),
    ...limitAlarms(monitored),
    ...frontDoorAlarm(monitored.edge?.watch),
    ...archiveAlarm(monitored.archiver),
  ];
}

function dataAlarms({ stage }: Monitored): AlarmRow[] {
  const age = serviceMetric(stage, 'SnapshotAge', { statistic: Stats.MINIMUM, period: FIVE_MINUTES });
  const unreadable = serviceMetric(stage, 'UnreadableMarkets', {
    statistic: Stats.AVERAGE,
    period: FIVE_MINUTES,
  });
  return [
    {
      id: 'data-age',
      severity: 'page',
      meaning: `For five minutes no run found market data younger than ${MAX_AGE_SECONDS} s. Callers get 502.`,
      metric: new MathExpression({
        expression: `FILL(age, ${AGE_OF_SILENCE})`,
        usingMetrics: { age },
        label: 'Age (s)',
        period: FIVE_MINUTES,
      }),
      breaches: 'more than',
      threshold: MAX_AGE_SECONDS,
      periods: [1, 1],
      missing: 'breaching',
    },
    {
      id: 'unreadable-markets',
      severity: 'look',
      meaning: `The refresher cannot read more than ${UNREADABLE_PERCENT} % of the open markets of the catalogue.`,
      metric: unreadable,
      breaches: 'more than',
      threshold: UNREADABLE_PERCENT,
      periods: [3, 3],
      missing: 'notBreaching',
      window: 'clock',
    },
  ];
}

function runAlarms({ refresher }: Monitored): AlarmRow[] {
  const runs = refresher.metricInvocations({ statistic: Stats.SUM, period: NO_RUNS_WINDOW });
  return [
    {
      id: 'refresh-failing',
      severity: 'page',
      meaning: `In ${FAILING_WINDOW.toMinutes()} minutes ${FAILED_RUNS} runs of the refresher failed or ran out of time.`,
      metric: refresher.metricErrors({ statistic: Stats.SUM, period: FAILING_WINDOW }),
      breaches: 'at least',
      threshold: FAILED_RUNS,
      periods: [1, 1],
      missing: 'notBreaching',
    },
    {
      id: 'refresh-not-running',
      severity: 'page',
      meaning: `The schedule has not started the refresher for ${NO_RUNS_WINDOW.toMinutes()} minutes.`,
      metric: new MathExpression({
        expression: 'FILL(runs, 0)',
        usingMetrics: { runs },
        label: 'Runs',
        period: NO_RUNS_WINDOW,
      }),
      breaches: 'less than',
      threshold: 1,
      periods: [1, 1],
      missing: 'breaching',
    },
  ];
}

function responseAlarms({ api }: Monitored): AlarmRow[] {
  const { deploymentStage } = api.api;
  const period = FIVE_MINUTES;
  const requests = deploymentStage.metricCount({ period, statistic: Stats.SUM });
  return [
    {
      id: 'server-errors',
      severity: 'page',
      meaning: `More than ${ERROR_PERCENT} % of the requests get a 5xx response.`,
      metric: new MathExpression({
        expression: `IF(requests >= ${MIN_REQUESTS_FOR_ERRORS}, 100 * errors / requests, 0)`,
        usingMetrics: {
          requests,
          errors: deploymentStage.metricServerError({ period, statistic: Stats.SUM }),
        },
        label: '5xx (%)',
        period,
      }),
      breaches: 'more than',
      threshold: ERROR_PERCENT,
      periods: [2, 3],
      missing: 'notBreaching',
      window: 'clock',
    },
    {
      id: 'slow-responses',
      severity: 'look',
      meaning: `At least one request in a hundred takes longer than ${SLOW_MS / 1_000} s.`,
      metric: new MathExpression({
        expression: `IF(requests >= ${MIN_REQUESTS_FOR_LATENCY}, latency, 0)`,
        usingMetrics: {
          requests,
          latency: deploymentStage.metricLatency({ period, statistic: Stats.percentile(99) }),
        },
        label: 'p99 (ms)',
        period,
      }),
      breaches: 'more than',
      threshold: SLOW_MS,
      periods: [3, 3],
      missing: 'notBreaching',
      window: 'clock',
    },
  ];
}

function limitAlarms({ stage, api }: Monitored): AlarmRow[] {
  return [
    {
      id: 'plan-throttled',
      severity: 'look',
      meaning: `The requests reach ${100 * PLAN_SHARE} % of the rate of the public plan. API Gateway rejects requests above the rate with 429.`,
      metric: api.api.deploymentStage.metricCount({ period: ONE_MINUTE, statistic: Stats.SUM }),
      breaches: 'at least',
      threshold: Math.floor(stage.publicPlan.ratePerSecond * 60 * PLAN_SHARE),
      periods: [3, 5],
      missing: 'notBreaching',
    },
    {
      id: 'quota-nearly-used',
      severity: 'look',
      meaning: `The requests of the last 24 hours are more than ${100 * QUOTA_SHARE} % of publicRequestsPerDay.`,
      metric: api.api.deploymentStage.metricCount({ period: Duration.days(1), statistic: Stats.SUM }),
      breaches: 'more than',
      threshold: QUOTA_SHARE * stage.publicRequestsPerDay,
      periods: [1, 1],
      missing: 'notBreaching',
    },
    {
      id: 'rate-limit-unavailable',
      severity: 'look',
      meaning: 'The table of the rate limit fails or is slow. The service serves requests without counting them.',
      metric: serviceMetric(stage, 'RateLimitUnavailable', { period: FIVE_MINUTES, statistic: Stats.SUM }),
      breaches: 'at least',
      threshold: UNCOUNTED_REQUESTS,
      periods: [2, 3],
      missing: 'notBreaching',
      window: 'clock',
    },
  ];
}

/** Successful checks in each period of five minutes. One check begins in the first minute of each. */
function frontDoorAlarm(watch: LambdaFunction | undefined): AlarmRow[] {
  if (!watch) return [];
  const options = { period: FIVE_MINUTES, statistic: Stats.SUM };
  return [
    {
      id: 'front-door-closed',
      severity: 'page',
      meaning: 'Two of the last three checks through the front door failed or did not run.',
      metric: new MathExpression({
        expression: 'FILL(checks, 0) - FILL(failures, 0)',
        usingMetrics: { checks: watch.metricInvocations(options), failures: watch.metricErrors(options) },
        label: 'Successful checks',
        period: FIVE_MINUTES,
      }),
      breaches: 'less than',
      threshold: 1,
      periods: [2, 3],
      missing: 'breaching',
      window: 'clock',
    },
  ];
}

/** Successful runs in each hour. A stage that has never run the job has no value yet: the alarm does not begin. */
function archiveAlarm(archiver: LambdaFunction | undefined): AlarmRow[] {
  if (!archiver) return [];
  const options = { period: Duration.hours(1), statistic: Stats.SUM };
  return [
    {
      id: 'archive-late',
      severity: 'look',
      meaning: `No run of the archive has succeeded for ${ARCHIVE_HOURS} hours. Its snapshots expire two days after their day.`,
      metric: new MathExpression({
        expression: 'FILL(runs, 0) - FILL(failures, 0)',
        usingMetrics: { runs: archiver.metricInvocations(options), failures: archiver.metricErrors(options) },
        label: 'Successful runs',
        period: options.period,
      }),
      breaches: 'less than',
      threshold: 1,
      periods: [ARCHIVE_HOURS, ARCHIVE_HOURS],
      missing: 'notBreaching',
      window: 'clock',
    },
  ];
}
