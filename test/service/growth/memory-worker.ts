import v8 from 'node:v8';
import vm from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { searchableSnapshots } from '../../../lambda/endpoints/search-markets.ts';
import { systemClock } from '../../../lambda/platform/clock.ts';
import { marketTable } from '../../../lambda/query/market-table.ts';
import {
  type DecodedSnapshot,
  decodeBase,
  decodeSnapshot,
  encodeBase,
  encodeDelta,
} from '../../../lambda/snapshots/codec.ts';
import { deltaOf } from '../../../lambda/snapshots/delta.ts';
import type { Manifest } from '../../../lambda/snapshots/dynamodb-items.ts';
import { tableOf } from '../../../lambda/snapshots/market-table.ts';
import { SnapshotCache } from '../../../lambda/snapshots/snapshot-cache.ts';
import { manyEntries } from '../../support/many-entries.ts';

/**
 * On a thread with a heap of its own: fills a container's cache with snapshots of so many markets, as many as it
 * holds, and posts what they take in MB: `{ held }`.
 */
export interface MemoryQuestion {
  readonly markets: number;
  readonly view: 'list' | 'search';
}

/** More than a cache holds, so that it has let go of some. */
const SNAPSHOTS = 4;
const VIEWS: Readonly<Record<MemoryQuestion['view'], (decoded: DecodedSnapshot) => unknown>> = {
  list: marketTable,
  search: searchableSnapshots(),
};

v8.setFlagsFromString('--expose-gc');
const collect: () => void = vm.runInNewContext('gc');

function usedBytes(): number {
  collect();
  const { used_heap_size: heap, external_memory: external } = v8.getHeapStatistics();
  return heap + external;
}

/** Only what is stored leaves this function. */
function encoded() {
  const table = tableOf(manyEntries(markets));
  return { encodedBase: encodeBase(table), ...encodeDelta(table, deltaOf(table, table)) };
}

const { markets, view } = workerData as MemoryQuestion;
const { encodedBase, chunks, checksum } = encoded();
// What the markets were made of is gone by now, or it would be given back while the cache is measured.
const before = usedBytes();
const base = decodeBase(encodedBase.chunks, encodedBase.checksum);
let latest: Manifest | undefined;
const cache = new SnapshotCache({
  source: {
    latest: async () => latest,
    find: async () => undefined,
    read: async () => decodeSnapshot(base, chunks, checksum, markets),
  },
  // Each look is due, since the pointer's clock stands far behind the data's.
  clock: { ...systemClock, now: () => (latest?.asOf ?? 0) + 121_000 },
  rule: { freshSeconds: 120, staleIfErrorSeconds: 0 },
  view: VIEWS[view],
  ...(view === 'search' ? { olderHeld: 0 } : {}),
});
for (let n = 1; n <= SNAPSHOTS; n++) {
  const counts = { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 };
  const about = { counts, markets, chunks: chunks.length, checksum };
  latest = { id: `snapshot-${n}`, asOf: n * 120_000, expiresAt: n * 120 + 3_600, ...about };
  if ((await cache.latest()).manifest !== latest) throw new Error('The cache holds another snapshot');
}
parentPort?.postMessage({ held: (usedBytes() - before) / 1e6 });
