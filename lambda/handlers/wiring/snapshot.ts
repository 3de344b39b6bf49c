import { systemClock } from '../../io/platform/clock.ts';
import { dynamoDbClient } from '../../io/platform/dynamodb.ts';
import { SnapshotCache, type SnapshotCacheOptions } from '../../io/snapshots/snapshot-cache.ts';
import { SnapshotReader } from '../../io/snapshots/snapshot-reader.ts';
import type { FunctionContext } from './limited.ts';

/** What a function keeps in memory besides the newest snapshot. */
type SnapshotMemory = Pick<SnapshotCacheOptions, 'searchIndex' | 'olderCacheSize'>;

/**
 * Makes what the endpoints of snapshots need, and begins to load the newest snapshot, so that the
 * first request waits less.
 */
export function snapshotDeps(
  context: FunctionContext<{ SNAPSHOT_TABLE: string }>,
  memory: SnapshotMemory = {},
) {
  const deps = lazySnapshotDeps(context, memory);
  deps.snapshots.warm();
  return deps;
}

/** Makes what `snapshotDeps` makes, but loads the newest snapshot only when a request needs it. */
export function lazySnapshotDeps(
  {
    environment,
    settings: { SNAPSHOT_TABLE: table },
    logger,
  }: FunctionContext<{ SNAPSHOT_TABLE: string }>,
  memory: SnapshotMemory = {},
) {
  const reader = new SnapshotReader({ client: dynamoDbClient(environment), table });
  const snapshots = new SnapshotCache({ reader, clock: systemClock, logger, ...memory });
  return { snapshots, now: systemClock.now };
}
