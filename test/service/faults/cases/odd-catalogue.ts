import type { FaultBench } from '../support/bench.ts';
import { type FaultCase, failedCall, MANY, type Played } from '../support/fault-case.ts';

const PAGE = 'markets-keyset';
const THIRD = { route: PAGE, after: 1, times: 1 } as const;

async function threeRuns(bench: FaultBench): Promise<Played> {
  await bench.refresh();
  await bench.refresh();
  return { outcome: await bench.refresh() };
}

/** The catalogue responds, but what it says is odd. */
export const ODD_CATALOGUE_CASES: readonly FaultCase[] = [
  {
    fault: 'A cursor that loops from the last page to the first',
    upstream: [{ route: PAGE, kind: 'loop-cursor', after: 2 }],
    run: 'published',
    readers: { new: {} },
    log: [{ message: 'Snapshot published', keys: { pages: 4, duplicates: 100 } }],
  },
  {
    fault: 'A cursor that loops after the first page',
    upstream: [{ route: PAGE, kind: 'loop-cursor' }],
    run: 'published',
    readers: { new: {} },
    log: [{ message: 'Snapshot published', keys: { pages: 2, unseenFound: [100, 150] } }],
  },
  {
    fault: 'Markets come twice on pages that follow each other',
    upstream: [{ route: PAGE, kind: 'duplicates', share: 0.3 }],
    run: 'published',
    readers: { new: {} },
    log: [{ message: 'Snapshot published', keys: { duplicates: [60, 80] } }],
  },
  {
    fault: 'Markets are missing from their pages',
    upstream: [{ route: PAGE, kind: 'missing', share: 0.3 }],
    run: 'published',
    readers: { new: { markets: 'fewer' } },
    metrics: { MarketsListed: [160, 240] },
  },
  {
    fault: 'A page of nonsense types',
    upstream: [{ ...THIRD, kind: 'nonsense' }],
    run: 'published',
    readers: { new: {} },
    log: [{ message: 'Snapshot published', keys: { pages: 3, unseenFound: [40, 100] } }],
    metrics: { MarketsSkipped: [80, MANY], 'UpstreamRetries gamma': 0 },
  },
  {
    fault: 'Nothing but nonsense types',
    upstream: [{ route: PAGE, kind: 'nonsense' }],
    run: 'failed',
    readers: 'prices',
    log: [{ message: 'Refresh failed', keys: { error: 'no market that can be listed' } }],
  },
  ...(['not-array', 'null', 'empty'] as const).map(
    (variant): FaultCase => ({
      fault: `A page that is not one: ${variant}`,
      upstream: [{ ...THIRD, kind: 'nonsense', variant }],
      run: 'published',
      readers: { new: {} },
      log: [failedCall(PAGE, 'wrong_shape')],
      metrics: { 'UpstreamRetries gamma': 1 },
    }),
  ),
  {
    fault: 'The catalogue halves suddenly, for one run or two',
    dataset: { share: 0.4 },
    run: 'shrunk',
    readers: 'prices',
  },
  {
    fault: 'The catalogue halves for good',
    dataset: { share: 0.4 },
    scene: { does: 'three runs', play: threeRuns },
    run: 'published',
    readers: { new: { markets: 'fewer' } },
    metrics: { RefreshShrunk: 2, PricesPublished: 2, SnapshotAge: [0, 60] },
    recovery: 'The third run in a row believes it',
  },
  {
    fault: 'The catalogue is empty',
    dataset: { share: 0 },
    run: 'failed',
    readers: 'prices',
    log: [{ message: 'Refresh failed', keys: { error: 'no market that can be listed' } }],
  },
];
