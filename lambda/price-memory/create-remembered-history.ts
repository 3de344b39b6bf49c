import { systemClock } from '../platform/clock.ts';
import type { DynamoDb } from '../platform/dynamodb/client.ts';
import type { Log } from '../platform/log.ts';
import { SnapshotReader } from '../snapshots/snapshot-reader.ts';
import { DynamoDbMemoryStore } from './memory-store.ts';
import { OppositeTokens } from './opposite-tokens.ts';
import { RememberedHistory } from './remembered-history.ts';

/** The price memory as the functions that only read have it. */
export function createRememberedHistory(options: {
  readonly settings: { readonly SNAPSHOT_TABLE: string };
  readonly client: DynamoDb;
  readonly logger: Log;
}): RememberedHistory {
  const { settings, client, logger } = options;
  const { now } = systemClock;
  const stored = { client, table: settings.SNAPSHOT_TABLE, now };
  const opposites = new OppositeTokens(new SnapshotReader(stored), systemClock);
  return new RememberedHistory({
    store: new DynamoDbMemoryStore(stored),
    now,
    yesTokenOf: (token, deadline) => opposites.yesTokenOf(token, deadline),
    onProblem: (message, error) => logger.warn(message, { error: error as Error }),
  });
}
