import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { PUBLISH_GRACE_SECONDS } from '../../lambda/contract/constants.ts';
import { freshSecondsOf } from '../config/stages.ts';
import { graph, type Section } from './dashboard-section.ts';
import { type Monitored, runInterval } from './monitored.ts';
import type { ServiceMetricReader } from './service-metrics.ts';

/** Is the data fresh? */
export function dataSection({ stage, refresher }: Monitored, metrics: ServiceMetricReader): Section {
  const period = runInterval(stage);
  const freshSeconds = freshSecondsOf(stage) + PUBLISH_GRACE_SECONDS;
  const longest = { period, statistic: Stats.MAXIMUM };
  const counts = { period, statistic: Stats.MINIMUM };
  return {
    question: 'Is the data fresh?',
    well: `A full run every ${stage.refreshMinutes} minutes publishes ${stage.maxMarkets} markets, a price run between two of them reads their prices anew; after each the data is a few seconds old.`,
    rows: [
      [
        graph(
          'Age of the data after each run (s)',
          [metrics.one('SnapshotAge', { ...longest, label: 'Age' })],
          {
            limit: { value: freshSeconds, label: 'Not served any more' },
          },
        ),
        graph(
          'Runs by their end',
          [
            metrics.one('RefreshPublished', { period, label: 'Published' }),
            metrics.one('RefreshSuperseded', { period, label: 'Superseded' }),
            metrics.one('RefreshShrunk', { period, label: 'Too few markets' }),
            metrics.one('RefreshFailed', { period, label: 'Failed' }),
            metrics.one('PricesPublished', { period, label: 'Prices published' }),
            metrics.one('PricesFailed', { period, label: 'Prices failed' }),
          ],
          {
            stacked: true,
            right: [refresher.function.metricErrors({ period, label: 'Errors, as Lambda counts them' })],
          },
        ),
        graph(
          'Time of a run (ms)',
          [
            metrics.one('RefreshDuration', { ...longest, label: 'Whole run' }),
            metrics.one('PublishLatency', { ...longest, label: 'From prices to publication' }),
          ],
          { limit: { value: stage.refreshMinutes * 60_000, label: 'The next run begins' } },
        ),
      ],
      [
        graph('Markets in a snapshot', [
          metrics.one('MarketsListed', { ...counts, label: 'Listed' }),
          metrics.one('MarketsSkipped', { ...counts, label: 'Skipped' }),
          metrics.one('MarketsCataloguePriced', { ...counts, label: 'With the catalogue’s price' }),
        ]),
        graph('Markets with a 1-day change (%)', [
          metrics.one('OneDayChangeCoverage', { ...counts, label: 'Coverage' }),
        ]),
        graph(
          'Snapshot size (bytes), clock ahead of the upstream’s (s)',
          [metrics.one('SnapshotBytes', { ...longest, label: 'Bytes' })],
          { right: [metrics.one('ClockSkew', { ...longest, label: 'Clock' })] },
        ),
      ],
    ],
  };
}
