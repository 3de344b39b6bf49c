import { systemClock as clock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb.ts';
import { type Environment, readEnvironment } from '../platform/environment.ts';
import { telemetry } from '../platform/telemetry.ts';
import { Resolutions } from '../polymarket/resolutions.ts';
import { Upstream } from '../upstream/client.ts';
import { Archive } from './archive.ts';
import type { ArchiveStore } from './archive-store.ts';
import { PublishedSnapshots } from './published-snapshots.ts';

/** No caller waits: the job waits until throttling is over. */
const TABLE_ATTEMPTS = 6;

/** The archive of the snapshots that an environment names, in any store: a bucket, or the folder of `npm run archive`. */
export function createArchive(environment: Environment, store: ArchiveStore): Archive {
  const { SNAPSHOT_TABLE: table, DATA_URL: baseUrl } = readEnvironment('archive-snapshots', environment);
  const { logger } = telemetry('archive-snapshots', environment);
  const client = dynamoDbClient(environment, { maxAttempts: TABLE_ATTEMPTS });
  const data = new Upstream('data', { baseUrl, clock, random: Math.random, observer: logger });
  const snapshots = new PublishedSnapshots({ client, table });
  return new Archive({ snapshots, store, resolutions: new Resolutions(data), clock, logger });
}
