import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { PUBLISH_GRACE_SECONDS } from '../../lambda/contract/constants.ts';
import { freshSecondsOf } from '../config/stages.ts';
import type { AlarmRow } from './alarm-row.ts';
import { FIVE_MINUTES, type Monitored, runInterval } from './monitored.ts';
import type { ServiceMetricReader } from './service-metrics.ts';

/**
 * There are ten times as many markets as a snapshot holds (upstream.md), so that it is full unless something is wrong.
 */
const LISTED_SHARE = 0.8;
/** Markets younger than a day have no change, hence never 100; without the batch route about 1 percent is left. */
const COVERAGE_PERCENT = 50;
/** Of about 2,900 runs in the four days that the queue keeps a message. */
const FAILED_RUNS = 10;

/** Is the data fresh, and whole? */
export function dataAlarms(monitored: Monitored, metrics: ServiceMetricReader): AlarmRow[] {
  const { stage, refresher } = monitored;
  const period = runInterval(stage);
  const freshSeconds = freshSecondsOf(stage) + PUBLISH_GRACE_SECONDS;
  return [
    {
      id: 'data-age',
      happened: 'The market data is too old to be served, or nobody can tell how old it is.',
      metric: metrics.one('SnapshotAge', { period, statistic: Stats.MAXIMUM }),
      breaches: 'more than',
      threshold: freshSeconds,
      // One failed run heals itself with the next; two do not look like it.
      periods: [2, 3],
      missing: 'breaching',
    },
    {
      id: 'refresh-failing',
      happened: 'Runs of the refresher end with an error or out of time.',
      metric: refresher.function.metricErrors({ period, statistic: Stats.SUM }),
      threshold: 1,
      periods: [2, 3],
      missing: 'notBreaching',
    },
    {
      id: 'refresh-not-running',
      happened: 'The schedule does not start the refresher.',
      metric: refresher.function.metricInvocations({ period, statistic: Stats.SUM }),
      breaches: 'less than',
      threshold: 1,
      periods: [2, 2],
      missing: 'breaching',
    },
    {
      id: 'market-count-dropped',
      happened: 'The refresher finds far fewer markets than a snapshot holds.',
      metric: metrics.one('MarketsListed', { period, statistic: Stats.MINIMUM }),
      breaches: 'less than',
      threshold: Math.floor(stage.maxMarkets * LISTED_SHARE),
      periods: [3, 4],
      missing: 'notBreaching',
    },
    {
      id: 'enrichment-coverage',
      happened: 'Most markets have no 1-day change.',
      metric: metrics.one('OneDayChangeCoverage', { period, statistic: Stats.MINIMUM }),
      breaches: 'less than',
      threshold: COVERAGE_PERCENT,
      periods: [3, 4],
      missing: 'notBreaching',
    },
    {
      id: 'undelivered-runs',
      happened: 'The schedule could not hand a run to the refresher: there is a message in the dead letters.',
      metric: refresher.undelivered.metricApproximateNumberOfMessagesVisible({ period: FIVE_MINUTES }),
      threshold: 1,
      periods: [1, 1],
      missing: 'notBreaching',
    },
    {
      id: 'failed-runs',
      happened: 'More runs than now and then have failed within four days: see the dead letters.',
      metric: refresher.failed.metricApproximateNumberOfMessagesVisible({ period: FIVE_MINUTES }),
      threshold: FAILED_RUNS,
      periods: [1, 1],
      missing: 'notBreaching',
    },
  ];
}
