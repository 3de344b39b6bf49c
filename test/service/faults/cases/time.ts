import { type FaultCase, failedCall, MANY } from '../support/fault-case.ts';

const BATCH = 'batch-prices-history';

/** A run short of time gives up in order: 7- and 30-day, 1-day changes, then the prices. It publishes all the same. */
export const TIME_CASES: readonly FaultCase[] = [
  {
    fault: 'No time for the 7- and 30-day changes of a first run',
    changes: { runMs: 9_500 },
    forgets: true,
    run: 'published',
    readers: { new: { long: 'none' } },
    log: [{ message: 'Snapshot published', keys: { historyBatchesFailed: [2, MANY] } }],
  },
  {
    fault: 'No time for the prices, since the midpoints hang',
    upstream: [{ route: 'midpoints', kind: 'hang' }],
    changes: { runMs: 6_950 },
    run: 'published',
    readers: { new: { oneDay: 'none', long: 'none', prices: 'catalogue' } },
    log: [failedCall('midpoints', 'timeout')],
    metrics: { RefreshDuration: [2_500, 4_500] },
  },
  {
    fault: 'A batch route that hangs does not eat the run',
    upstream: [{ route: BATCH, kind: 'hang' }],
    changes: { runMs: 20_000 },
    forgets: true,
    run: 'published',
    readers: { new: {} },
    log: [failedCall(BATCH, 'timeout')],
    metrics: { RefreshDuration: [3_000, 13_000] },
  },
  {
    fault: 'The schedule fires twice at once',
    scene: {
      does: 'two runs at the same time',
      play: async (bench) => {
        const [outcome] = await Promise.all([bench.refresh(), bench.refresh()]);
        return { outcome };
      },
    },
    run: 'published',
    readers: { new: {} },
    metrics: { RefreshPublished: [1, 2], RefreshFailed: null, SnapshotAge: [0, MANY] },
    recovery: 'Nothing to recover',
  },
];
