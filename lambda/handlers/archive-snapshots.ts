import { Archive } from '../archive/archive.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';
import { PublishedSnapshots } from '../archive/published-snapshots.ts';
import { createS3Store } from '../archive/s3-store.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb.ts';
import { ARCHIVE_FOLDER, type Environment, readEnvironment } from '../platform/environment.ts';
import { telemetry } from '../platform/telemetry.ts';
import { Resolutions } from '../polymarket/resolutions.ts';
import { Upstream } from '../upstream/client.ts';

/** No caller waits: the job waits until throttling is over. */
const TABLE_ATTEMPTS = 6;

/** Invoked by the schedule at 00:20 UTC, or by a person at any time: days that have a manifest are left alone. */
export function create(environment: Environment): () => Promise<void> {
  const { ARCHIVE_BUCKET: bucket } = readEnvironment('archive-snapshots', environment);
  const store = createS3Store({ bucket, folder: ARCHIVE_FOLDER, endpoint: environment.AWS_ENDPOINT_URL });
  const archive = createArchive(environment, store);
  return () => archive.run();
}

/** The archive with any store: `npm run archive` writes into a folder. */
function createArchive(environment: Environment, store: ArchiveStore): Archive {
  const { SNAPSHOT_TABLE: table, DATA_URL: baseUrl } = readEnvironment('archive-snapshots', environment);
  const { logger } = telemetry('archive-snapshots', environment);
  const client = dynamoDbClient(environment, { maxAttempts: TABLE_ATTEMPTS });
  const data = new Upstream('data', { baseUrl, clock, random: Math.random, observer: logger });
  const snapshots = new PublishedSnapshots({ client, table });
  return new Archive({ snapshots, store, resolutions: new Resolutions(data), clock, logger });
}
