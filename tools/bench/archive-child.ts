/**
 * The part of the bench that archives a day, in its own process, so that its memory is that of the
 * archive alone. `archive.ts` writes the day's snapshots into a folder, and starts this program
 * with the folder's path. The program prints time, CPU time, peak memory and the bytes of the
 * archive as JSON.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { systemClock } from '../../lambda/io/platform/clock.ts';
import { PublishedSnapshots } from '../../lambda/io/snapshots/published-snapshots.ts';
import { Archive } from '../../lambda/jobs/archive/archive-job.ts';
import { dayOf } from '../../lambda/jobs/archive/day.ts';
import { FolderStore } from '../../local/folder-store.ts';

const [, , folder = ''] = process.argv;
/** The day's snapshots: `[[1795219200000, "20261121T000000000Z-0a1b2c3d"], …]`. */
const published: [asOf: number, snapshotId: string][] = JSON.parse(
  readFileSync(join(folder, 'published.json'), 'utf8'),
);

/** Replaces DynamoDB. A query lists the day's snapshots, a GetItem reads a text from its file. */
async function send({ input }: GetItemCommand | QueryCommand) {
  if (!('Key' in input)) return { Items: published.map(publishedItem) };
  // The key is `SNAPSHOT#<id>` or `BASE#<id>#<chunk>`.
  const [kind, id = ''] = input.Key?.pk?.S?.split('#') ?? [];
  const data = { B: readFileSync(join(folder, id)) };
  if (kind !== 'SNAPSHOT') return { Item: { data } };
  return { Item: { data, manifest: { S: readFileSync(join(folder, `${id}.json`), 'utf8') } } };
}

function publishedItem([asOf, snapshotId]: (typeof published)[number]) {
  return { n: { N: `${asOf}` }, snapshotId: { S: snapshotId } };
}

const day = dayOf(published[0]?.[0] ?? 0);
const store = new FolderStore(join(folder, 'archive'));
const archive = new Archive({
  snapshots: new PublishedSnapshots({
    client: { send } as unknown as DynamoDBClient,
    table: 'bench',
  }),
  store,
  origin: { version: '1.0.0', commit: 'bench', upstream: 'simulated', stage: 'bench' },
  rules: { read: async () => new Map() },
  resolutions: { read: async () => new Map() },
  clock: { ...systemClock, now: () => day.end },
  logger: { info: () => undefined, warn: console.error, error: console.error },
});
const started = performance.now();
const result = await archive.write(day);
if (typeof result === 'string') throw new Error(`The day is ${result}`);
const seconds = (performance.now() - started) / 1_000;
const bytes = result.files.reduce((sum, file) => sum + file.bytes, 0);
const { user, system } = process.cpuUsage();
const peakBytes = process.resourceUsage().maxRSS * 1_024;
console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, bytes, peakBytes }));
