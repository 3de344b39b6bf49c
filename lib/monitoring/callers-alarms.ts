import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { metricsNamespace } from '../../lambda/contract/metrics.ts';
import { PLAN_REFUSALS_METRIC } from '../api/access-log.ts';
import type { AlarmRow } from './alarm-row.ts';
import { FIVE_MINUTES, type Monitored } from './monitored.ts';
import { type ServiceMetricReader, total } from './service-metrics.ts';

/** Fewer requests in five minutes make no share worth waking up for. */
const FEWEST_REQUESTS = 20;
const ERROR_PERCENT = 5;
/** The live endpoints give the upstream 4 s: p99 beyond three means that callers wait, not one of them. */
const SLOW_MS = 3_000;
const PLAN_SHARE = 0.9;

/** Are callers served? */
export function callerAlarms(monitored: Monitored, metrics: ServiceMetricReader): AlarmRow[] {
  const { api, stage, accessLog } = monitored;
  const { deploymentStage } = api;
  const period = FIVE_MINUTES;
  const minute = Duration.minutes(1);
  const planRefusals: AlarmRow = {
    id: 'plan-refusals',
    happened: 'A usage plan or a throttle refuses requests with 429.',
    metric: new Metric({
      namespace: metricsNamespace(stage.name),
      metricName: PLAN_REFUSALS_METRIC,
      statistic: Stats.SUM,
      period,
    }),
    threshold: 10,
    periods: [2, 3],
    missing: 'notBreaching',
  };
  return [
    {
      id: 'server-errors',
      happened: `More than ${ERROR_PERCENT} percent of the requests are answered with 5xx.`,
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
      id: 'slow-answers',
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
      metric: deploymentStage.metricCount({ period: minute, statistic: Stats.SUM }),
      threshold: Math.floor(stage.publicPlan.ratePerSecond * 60 * PLAN_SHARE),
      periods: [3, 5],
      missing: 'notBreaching',
    },
    ...(accessLog ? [planRefusals] : []),
    {
      id: 'rate-limit-unavailable',
      happened: 'Requests are served uncounted by the per-IP limit, since its table fails or is slow.',
      metric: total(metrics.each('RateLimitUnavailable', { period }), 'Uncounted requests', period),
      threshold: 10,
      periods: [2, 3],
      missing: 'notBreaching',
    },
  ];
}
