import { BASE_SECONDS } from '../../../../lambda/contract/constants.ts';
import type { StoreFault, StoreStep } from '../../../support/store-fault.ts';
import type { FaultBench } from '../support/bench.ts';
import { type FaultCase, MANY, type Played } from '../support/fault-case.ts';

const UNREADABLE = { message: 'The newest snapshot could not be loaded' };
const LOAD_FAILED = { SnapshotLoadFailed: [1, MANY] } as const;

/** Every request that a run may make of the store, and for each: killed before it had an effect, and after. */
const STEPS: readonly StoreStep[] = [
  'read memory',
  'read pointer',
  'read base',
  'write base',
  'write chunk',
  'write pointer',
  'write memory',
];
const KILL_POINTS = STEPS.flatMap((step): readonly StoreFault[] => [
  { step, trouble: 'hangs' },
  { step, trouble: 'does not confirm' },
]);

/** Steps that a run comes to in its first minute, or with an empty memory. */
const MEMORY_STEPS: readonly StoreStep[] = ['read memory', 'write memory'];
/** Steps that only a container without a base in its memory comes to, and the second only where that base is too old. */
const BASE_STEPS: readonly StoreStep[] = ['read base', 'write base'];

async function killAt(bench: FaultBench, point: StoreFault): Promise<Played> {
  if (BASE_STEPS.includes(point.step)) {
    await bench.table.ageBase(BASE_SECONDS);
    await bench.killRefresher();
  }
  const reached = bench.dynamodb.add(point);
  const run = bench.refresh();
  const passed = run.then(() => Promise.reject(new Error(`The run has ended without "${point.step}"`)));
  await Promise.race([reached, passed]);
  passed.catch(() => undefined);
  await bench.killRefresher();
  return { outcome: await run };
}

async function killInUpstreamCall(bench: FaultBench): Promise<Played> {
  const run = bench.refresh();
  await bench.upstreamFaultActed();
  await bench.killRefresher();
  return { outcome: await run };
}

async function olderLast(bench: FaultBench): Promise<Played> {
  const reached = bench.dynamodb.add({ step: 'write pointer', trouble: 'hangs', times: 1 });
  const older = bench.refresh();
  await reached;
  const newer = await bench.refresh();
  await bench.dynamodb.clear();
  const outcome = await older;
  return { outcome: newer.ok ? outcome : newer };
}

async function pointerMoves(bench: FaultBench): Promise<Played> {
  await bench.killReader();
  const reached = bench.dynamodb.add({ step: 'read chunk', trouble: 'hangs', times: 1 });
  const reading = bench.read();
  await reached;
  const outcome = await bench.refresh();
  await bench.dynamodb.clear();
  return { outcome, meanwhile: [await reading] };
}

/** A run, and then something happens to what it has written. */
function afterRun(
  does: string,
  spoil: (bench: FaultBench) => Promise<void>,
): NonNullable<FaultCase['scene']> {
  return {
    does: `a run; then ${does}`,
    play: async (bench) => {
      const outcome = await bench.refresh();
      await spoil(bench);
      return { outcome };
    },
  };
}

/** The publication is interrupted, raced or damaged. */
export const PUBLISHING_CASES: readonly FaultCase[] = [
  ...(['markets-keyset', 'batch-prices-history', 'midpoints'] as const).map(
    (route): FaultCase => ({
      fault: `The process is killed in a call of ${route}`,
      upstream: [{ route, kind: 'hang', times: 1 }],
      forgets: true,
      scene: { does: 'the process is ended there', play: killInUpstreamCall },
      run: 'killed',
      readers: 'old',
    }),
  ),
  ...KILL_POINTS.map((point): FaultCase => {
    const { step, trouble } = point;
    const published = step === 'write memory' || (step === 'write pointer' && trouble === 'does not confirm');
    const when = trouble === 'hangs' ? 'before' : 'after';
    const due = BASE_STEPS.includes(step) ? 'a new container, and a base that is too old; ' : '';
    return {
      fault: `The process is killed ${when} "${step}"`,
      scene: {
        does: `${due}DynamoDB ${trouble} at "${step}", and the process is ended there`,
        play: (bench) => killAt(bench, point),
      },
      ...(MEMORY_STEPS.includes(step) ? { forgets: true as const } : {}),
      run: 'killed',
      readers: published ? { new: {} } : 'old',
    };
  }),
  {
    fault: 'Two refreshers at once, the older finishing last',
    scene: { does: "the older run's pointer is held back until the newer has published", play: olderLast },
    run: 'superseded',
    readers: { new: {} },
    metrics: { RefreshPublished: 1, RefreshFailed: null },
    recovery: 'Nothing to recover',
  },
  {
    fault: 'The pointer moves while a reader is in the middle of loading',
    scene: { does: "a reader's chunk is held back while a run publishes", play: pointerMoves },
    run: 'published',
    readers: { new: {} },
    recovery: 'The next look at the pointer, within 5 s',
  },
  {
    fault: 'A corrupted chunk',
    scene: afterRun('a bit of its chunk is flipped', (bench) => bench.table.corruptChunk()),
    run: 'published',
    readers: { memory: 'snapshot_missing' },
    log: [{ ...UNREADABLE, keys: { error: 'checksum' } }],
    metrics: LOAD_FAILED,
  },
  {
    fault: 'A pointer to chunks that have expired',
    scene: afterRun('its chunks are deleted', (bench) => bench.table.deleteChunks()),
    run: 'published',
    readers: { memory: 'snapshot_missing' },
    log: [{ ...UNREADABLE, keys: { error: 'is missing' } }],
    metrics: LOAD_FAILED,
  },
  {
    fault: 'A pointer that cannot be read',
    scene: afterRun('the manifest in the pointer is cut off', (bench) => bench.table.breakPointer()),
    run: 'published',
    readers: { memory: 'snapshot_missing' },
    log: [{ ...UNREADABLE, keys: { error: 'manifest' } }],
    metrics: LOAD_FAILED,
    healsAtOnce: true,
  },
];
