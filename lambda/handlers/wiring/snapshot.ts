import { systemClock } from '../../io/platform/clock.ts';
import { dynamoDbClient } from '../../io/platform/dynamodb.ts';
import { SnapshotCache, type SnapshotCacheOptions } from '../../io/snapshots/snapshot-cache.ts';
import { SnapshotReader } from '../../io/snapshots/snapshot-reader.ts';
import type { FunctionContext } from './limited.ts';

type SnapshotMemory = Pick<SnapshotCacheOptions, 'searchIndex' | 'olderCacheSize'>;

/** Starts to load the newest snapshot at once. @param memory what the function keeps besides it */
export function snapshotDeps(
  context: FunctionContext<{ SNAPSHOT_TABLE: string }>,
  memory: SnapshotMemory = {},
) {
  const deps = lazySnapshotDeps(context, memory);
  deps.snapshots.warm();
  return deps;
}

/** Loads the newest snapshot when the first request needs it. */
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
