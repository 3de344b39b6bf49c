import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { PUBLISH_GRACE_SECONDS } from '../../lambda/contract/constants.ts';
import { freshSecondsOf } from '../config/stages.ts';
import type { AlarmRow } from './alarm-row.ts';
import { figures, graph, type Section } from './dashboard-section.ts';
import { FIVE_MINUTES, type Monitored, runInterval } from './monitored.ts';
import type { OperatorQuestion } from './operator-question.ts';
import type { ServiceMetricReader } from './service-metrics.ts';

/** Of 5,760 runs, full ones and price runs, in the four days that the queue keeps a message (every two minutes). */
const FAILED_RUNS = 10;

/** Is the data fresh, and whole? */
export const dataQuestion: OperatorQuestion = { alarms, section };

function alarms(monitored: Monitored, metrics: ServiceMetricReader): AlarmRow[] {
  const { stage, refresher } = monitored;
  const period = runInterval(stage);
  return [
    {
      id: 'data-age',
      happened: 'The market data is too old to be served, or nobody can tell how old it is.',
      metric: metrics.read('SnapshotAge', { period, statistic: Stats.MAXIMUM }),
      breaches: 'more than',
      threshold: servedSeconds(monitored),
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
      id: 'prices-failing',
      happened: 'The runs that only read the prices fail: the data is as old as the full runs leave it.',
      metric: metrics.read('PricesFailed', { period, statistic: Stats.SUM }),
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
      metric: metrics.read('RunsWithFewMarkets', { period }),
      threshold: 1,
      periods: [3, 4],
      missing: 'notBreaching',
    },
    {
      id: 'enrichment-coverage',
      happened: 'Most markets have no 1-day change.',
      metric: metrics.read('RunsWithFewChanges', { period }),
      threshold: 1,
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

/** Older data is not served any more. */
function servedSeconds({ stage }: Monitored): number {
  return freshSecondsOf(stage) + PUBLISH_GRACE_SECONDS;
}

function section(monitored: Monitored, metrics: ServiceMetricReader): Section {
  const { stage, refresher } = monitored;
  const period = runInterval(stage);
  const bin = `bin(${stage.refreshMinutes}m)`;
  const lines = [refresher.function.logGroup.logGroupName];
  return {
    question: 'Is the data fresh?',
    well: `A full run every ${stage.refreshMinutes} minutes publishes ${stage.maxMarkets} markets, a price run between two of them reads their prices anew; after each the data is a few seconds old.`,
    rows: [
      [
        graph(
          'Age of the data after each run (s)',
          [metrics.read('SnapshotAge', { period, statistic: Stats.MAXIMUM, label: 'Age' })],
          {
            limit: { value: servedSeconds(monitored), label: 'Not served any more' },
            right: [
              metrics.read('PricesFailed', { period, statistic: Stats.SUM, label: 'Failed price runs' }),
            ],
          },
        ),
        figures('Runs by their end', lines, [
          'filter ispresent(SnapshotAge) or ispresent(RefreshFailed)',
          `stats sum(RefreshPublished) as published, sum(RefreshSuperseded) as superseded, sum(RefreshShrunk) as tooFewMarkets, sum(RefreshFailed) as failed, sum(PricesPublished) as prices, sum(PricesFailed) as pricesFailed by ${bin}`,
        ]),
        figures('Time of a run (ms)', lines, [
          'filter ispresent(RefreshDuration)',
          `stats max(RefreshDuration) as wholeRun, max(PublishLatency) as fromPricesToPublication by ${bin}`,
        ]),
      ],
      [
        figures('Markets in a snapshot', lines, [
          'filter ispresent(MarketsListed) or ispresent(OneDayChangeCoverage)',
          `stats min(MarketsListed) as listed, min(OneDayChangeCoverage) as percentWithOneDayChange by ${bin}`,
        ]),
        figures('Markets skipped, or with the catalogue’s price', lines, [
          'filter ispresent(MarketsSkipped)',
          `stats max(MarketsSkipped) as skipped, max(MarketsCataloguePriced) as cataloguePriced by ${bin}`,
        ]),
        graph('Runs with few markets, or few changes', [
          metrics.read('RunsWithFewMarkets', { period, label: 'Few markets' }),
          metrics.read('RunsWithFewChanges', { period, label: 'Few 1-day changes' }),
        ]),
      ],
      [
        figures('Snapshot size (bytes), clock ahead of the upstream’s (s)', lines, [
          'filter ispresent(SnapshotBytes) or ispresent(ClockSkew)',
          `stats max(SnapshotBytes) as bytes, max(ClockSkew) as clock by ${bin}`,
        ]),
      ],
    ],
  };
}
