import type { MarketList } from '../../../../lambda/domain/market-list.ts';
import { SnapshotCache, type SnapshotCacheOptions } from '../../../../lambda/snapshots/snapshot-cache.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemorySnapshotStore } from '../../../support/memory-snapshot-store.ts';

/** A cache over a store in memory, on a clock that stands still. */
export function setup(staleIfErrorSeconds = 0, more: Partial<SnapshotCacheOptions<MarketList>> = {}) {
  const clock = new ManualClock();
  const source = new MemorySnapshotStore(clock);
  const problems: string[] = [];
  let views = 0;
  const cache = new SnapshotCache({
    source,
    clock,
    rule: { freshSeconds: 120, staleIfErrorSeconds },
    view: ({ list }) => {
      views += 1;
      return list;
    },
    onProblem: (message) => problems.push(message),
    ...more,
  });
  return { clock, source, cache, problems, viewsMade: () => views };
}

/** The code of the error that it rejects with, or `responded`. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => 'responded',
    (error: { code?: string }) => error.code,
  );
}
