import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FRESH_SECONDS, PUBLISH_GRACE_SECONDS } from '../../lambda/contract/constants.ts';
import type { AlarmRow } from './alarms.ts';
import { FIVE_MINUTES, type Monitored, ONE_MINUTE, serviceMetric } from './metrics.ts';

/** Readers get 502 for data that is older. */
const MAX_AGE_SECONDS = FRESH_SECONDS + PUBLISH_GRACE_SECONDS;
/** The value of a minute in which no run reported the age of the data. */
const AGE_OF_SILENCE = 10 * MAX_AGE_SECONDS;
const UNREADABLE_PERCENT = 5;
/** With fewer requests in five minutes, a share or a percentile is the mistake of one caller. */
const MIN_REQUESTS_FOR_ERRORS = 20;
const MIN_REQUESTS_FOR_LATENCY = 100;
const ERROR_PERCENT = 5;
/** Live endpoints give the upstream 4 s: a p99 above 3 s means that many callers wait. */
const SLOW_MS = 3_000;
const PLAN_SHARE = 0.9;
const UNCOUNTED_REQUESTS = 10;

/**
 * The alarms of the service's region. `FILL` gives the alarms on silence a value for every minute: without it CloudWatch
 * waits for more missing periods than the alarm names.
 */
export function serviceAlarms(monitored: Monitored): AlarmRow[] {
  return [
    ...dataAlarms(monitored),
    ...runAlarms(monitored),
    ...responseAlarms(monitored),
    ...limitAlarms(monitored),
    ...frontDoorAlarm(monitored.edge?.watch),
  ];
}

function dataAlarms({ stage }: Monitored): AlarmRow[] {
  const age = serviceMetric(stage, 'SnapshotAge', { statistic: Stats.MAXIMUM, period: ONE_MINUTE });
  const unreadable = serviceMetric(stage, 'UnreadableMarkets', {
    statistic: Stats.AVERAGE,
    period: FIVE_MINUTES,
  });
  return [
    {
      id: 'data-age',
      meaning: `The market data is older than ${MAX_AGE_SECONDS} s, or no run reports its age. Callers get 502.`,
      metric: new MathExpression({
        expression: `FILL(age, ${AGE_OF_SILENCE})`,
        usingMetrics: { age },
        label: 'Age (s)',
        period: ONE_MINUTE,
      }),
      breaches: 'more than',
      threshold: MAX_AGE_SECONDS,
      periods: [4, 5],
      missing: 'breaching',
    },
    {
      id: 'unreadable-markets',
      meaning: `The refresher cannot read more than ${UNREADABLE_PERCENT} % of the open markets of the catalogue.`,
      metric: unreadable,
      breaches: 'more than',
      threshold: UNREADABLE_PERCENT,
      periods: [3, 3],
      missing: 'notBreaching',
    },
  ];
}

function runAlarms({ refresher }: Monitored): AlarmRow[] {
  const runs = refresher.metricInvocations({ statistic: Stats.SUM, period: ONE_MINUTE });
  return [
    {
      id: 'refresh-failing',
      meaning: 'In three of the last five minutes a run of the refresher failed or ran out of time.',
      metric: refresher.metricErrors({ statistic: Stats.SUM, period: ONE_MINUTE }),
      breaches: 'at least',
      threshold: 1,
      periods: [3, 5],
      missing: 'notBreaching',
    },
    {
      id: 'refresh-not-running',
      meaning: 'The schedule has not started the refresher for five minutes.',
      metric: new MathExpression({
        expression: 'FILL(runs, 0)',
        usingMetrics: { runs },
        label: 'Runs',
        period: ONE_MINUTE,
      }),
      breaches: 'less than',
      threshold: 1,
      periods: [5, 5],
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
    },
    {
      id: 'slow-responses',
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
    },
  ];
}

function limitAlarms({ stage, api }: Monitored): AlarmRow[] {
  return [
    {
      id: 'plan-throttled',
      meaning: `The requests reach ${100 * PLAN_SHARE} % of the rate of the public plan. API Gateway rejects requests above the rate with 429.`,
      metric: api.api.deploymentStage.metricCount({ period: ONE_MINUTE, statistic: Stats.SUM }),
      breaches: 'at least',
      threshold: Math.floor(stage.publicPlan.ratePerSecond * 60 * PLAN_SHARE),
      periods: [3, 5],
      missing: 'notBreaching',
    },
    {
      id: 'rate-limit-unavailable',
      meaning: 'The table of the rate limit fails or is slow. The service serves requests without counting them.',
      metric: serviceMetric(stage, 'RateLimitUnavailable', { period: FIVE_MINUTES, statistic: Stats.SUM }),
      breaches: 'at least',
      threshold: UNCOUNTED_REQUESTS,
      periods: [2, 3],
      missing: 'notBreaching',
    },
  ];
}

/** Successful checks in each period of five minutes, in which one check is due. */
function frontDoorAlarm(watch: LambdaFunction | undefined): AlarmRow[] {
  if (!watch) return [];
  const options = { period: FIVE_MINUTES, statistic: Stats.SUM };
  return [
    {
      id: 'front-door-closed',
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
    },
  ];
}
