import { type FaultCase, MANY } from '../support/fault-case.ts';

/** The function's time in which a run that cannot write ends after six seconds. */
const SHORT = { runMs: 6_950 };
const UNREADABLE = { message: 'The newest snapshot could not be loaded' };
const LOAD_FAILED = { SnapshotLoadFailed: [1, MANY] } as const;

/** DynamoDB fails the refresher or the readers. */
export const STORE_CASES: readonly FaultCase[] = [
  {
    fault: 'DynamoDB throttles chunk writes for a moment',
    store: [{ step: 'write chunk', trouble: 'throttles', times: 2 }],
    run: 'published',
    readers: { new: {} },
  },
  {
    fault: 'DynamoDB throttles the pointer for a moment',
    store: [{ step: 'write pointer', trouble: 'throttles', times: 2 }],
    run: 'published',
    readers: { new: {} },
  },
  {
    fault: 'DynamoDB throttles the pointer until the run is over',
    store: [{ step: 'write pointer', trouble: 'throttles' }],
    changes: SHORT,
    run: 'failed',
    readers: 'old',
    // It tries until its end; what the container took of the time before the run began is nobody's business.
    metrics: { RefreshDuration: [2_000, 6_500] },
  },
  {
    fault: 'DynamoDB refuses during chunk writes',
    store: [{ step: 'write chunk', trouble: 'refuses' }],
    changes: SHORT,
    run: 'failed',
    readers: 'old',
    log: [
      { message: 'Refresh failed', keys: { error: 'ECONNREFUSED' } },
      { message: 'The age of the newest snapshot cannot be read' },
    ],
    metrics: { SnapshotAge: null },
  },
  {
    fault: 'DynamoDB refuses at the pointer',
    store: [{ step: 'write pointer', trouble: 'refuses' }],
    changes: SHORT,
    run: 'failed',
    readers: 'old',
    log: [{ message: 'The age of the newest snapshot cannot be read' }],
    metrics: { SnapshotAge: null },
  },
  {
    fault: 'DynamoDB refuses the price memory',
    store: [{ step: 'write memory', trouble: 'throttles' }],
    changes: { runMs: 30_000 },
    forgets: true,
    run: 'published',
    readers: { new: {} },
    log: [{ message: 'The price memory cannot be written' }],
    metrics: { PriceMemoryFailed: 1 },
  },
  {
    fault: 'DynamoDB is slow during chunk writes',
    store: [{ step: 'write chunk', trouble: 'is slow', ms: 700 }],
    run: 'published',
    readers: { new: {} },
    metrics: { PublishLatency: [700, MANY] },
  },
  {
    fault: 'DynamoDB is slow at the pointer',
    store: [{ step: 'write pointer', trouble: 'is slow', ms: 700 }],
    run: 'published',
    readers: { new: {} },
    metrics: { PublishLatency: [700, MANY] },
  },
  {
    fault: 'DynamoDB refuses the readers',
    store: [{ step: 'read pointer', trouble: 'refuses' }],
    scene: { does: 'no run; readers come', play: async () => ({ outcome: undefined }) },
    stays: true,
    run: 'none',
    readers: { memory: 'snapshot_missing' },
    log: [UNREADABLE],
    metrics: LOAD_FAILED,
    recovery: 'The next response of DynamoDB',
  },
  {
    fault: 'DynamoDB throttles the readers for a moment',
    store: [{ step: 'read chunk', trouble: 'throttles', times: 1 }],
    stays: true,
    run: 'published',
    readers: { new: {} },
  },
  {
    fault: 'DynamoDB is slow for the readers',
    store: [
      { step: 'read pointer', trouble: 'is slow', ms: 300 },
      { step: 'read chunk', trouble: 'is slow', ms: 300 },
    ],
    stays: true,
    run: 'published',
    readers: { new: {} },
  },
];
