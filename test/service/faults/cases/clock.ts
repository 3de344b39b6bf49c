import { type FaultCase, MANY } from '../support/fault-case.ts';

const WARNING = 'The clock differs from the upstream clock';

/** Clocks that are wrong. The upstream's own stands still while a test runs, hence the room in the numbers. */
export const CLOCK_CASES: readonly FaultCase[] = [
  {
    fault: "The refresher's clock is a minute ahead",
    changes: { refresherClockMs: 60_000 },
    run: 'published',
    readers: { new: {} },
    log: [{ message: WARNING, keys: { skewMs: [59_000, 120_000] } }],
    metrics: { ClockSkew: [59, 120] },
  },
  {
    fault: "The refresher's clock is a minute behind",
    changes: { refresherClockMs: -60_000 },
    run: 'published',
    readers: { new: {} },
    log: [{ message: WARNING, keys: { skewMs: [-61_000, -10_000] } }],
    metrics: { ClockSkew: [-61, -10] },
  },
  {
    fault: "A reader's clock is a minute ahead",
    changes: { readerClockMs: 60_000 },
    stays: true,
    run: 'published',
    readers: { new: {} },
  },
  {
    fault: "A reader's clock is a minute behind",
    changes: { readerClockMs: -60_000 },
    stays: true,
    run: 'published',
    readers: { new: {} },
  },
  {
    fault: "The upstream's clock is a minute ahead",
    upstream: [{ route: 'clob', kind: 'date-skew', ms: 60_000 }],
    run: 'published',
    readers: { new: {} },
    log: [{ message: WARNING, keys: { skewMs: [-61_000, -10_000] } }],
    metrics: { ClockSkew: [-61, -10] },
  },
  {
    fault: 'A pointer from the far future, of a clock an hour ahead',
    scene: {
      does: 'a run; then the pointer gets a time in an hour',
      play: async (bench) => {
        const outcome = await bench.refresh();
        await bench.table.setAge(-3_600);
        return { outcome };
      },
    },
    run: 'published',
    readers: { memory: 'snapshot_stale' },
    metrics: { SnapshotAge: [0, MANY] },
    healsAtOnce: true,
  },
];
