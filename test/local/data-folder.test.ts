/**
 * `npm start -- --data DIR` keeps the data of the local server in a folder: the tables, the archive,
 * and a note of the upstream that the data is from.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it } from '@jest/globals';
import { dynamoDbClient } from '../../lambda/io/platform/dynamodb.ts';
import { SNAPSHOT_KEYS } from '../../lambda/io/platform/storage-layout.ts';
import { UPSTREAMS } from '../../lambda/io/upstream/upstreams.ts';
import { DataFolder, originOfData } from '../../local/data-folder.ts';
import { createTable, SNAPSHOT_TABLE, startDatabase } from '../../local/database.ts';
import { deleteExpired } from '../../local/expiry.ts';
import { FolderStore } from '../../local/folder-store.ts';
import { startLocalService } from '../../local/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'data-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

const live = {
  gammaUrl: UPSTREAMS.gamma.url,
  clobUrl: UPSTREAMS.clob.url,
  dataUrl: UPSTREAMS.data.url,
};
const simulated = (seed: number) => ({ simulator: { seed, latency: 'none' as const } });

/** Starts the database of a folder for some work, and stops it. */
async function withDatabase<T>(
  { tables }: DataFolder,
  work: (client: DynamoDBClient, address: string) => Promise<T>,
): Promise<T> {
  const { server, environment } = await startDatabase(tables);
  try {
    return await work(dynamoDbClient(environment), environment.AWS_ENDPOINT_URL_DYNAMODB);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Stores an item. @param expiresAt Unix seconds; undefined: never */
function put(client: DynamoDBClient, n: number, expiresAt?: number) {
  const key = { pk: { S: 'SNAPSHOT#a' }, n: { N: `${n}` } };
  const Item = expiresAt === undefined ? key : { ...key, expiresAt: { N: `${expiresAt}` } };
  return client.send(new PutItemCommand({ TableName: SNAPSHOT_TABLE, Item }));
}

/** The numbers `n` of the stored items. */
async function numbersIn(client: DynamoDBClient): Promise<number[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: SNAPSHOT_TABLE }));
  return Items.map(({ n }) => Number(n?.N));
}

describe('a folder of --data', () => {
  it('continues the time of its simulator after a restart', () => {
    const path = join(folder, 'simulated');
    const first = DataFolder.open(path, simulated(1), 1_000);
    expect(first.upstream).toEqual({ simulator: { seed: 1, latency: 'none', start: 1_000 } });
    expect(DataFolder.open(path, simulated(1), 9_000).upstream).toEqual(first.upstream);
    expect(DataFolder.existing(path).upstream).toEqual(first.upstream);
  });

  it.each([
    { other: 'another seed', upstream: simulated(2) },
    { other: 'live data', upstream: live },
    { other: 'given addresses', upstream: { ...live, gammaUrl: 'http://127.0.0.1:1' } },
  ])('of a simulator is refused for $other', ({ upstream }) => {
    const path = join(folder, 'seed');
    DataFolder.open(path, simulated(1));
    expect(() => DataFolder.open(path, upstream)).toThrow(
      /holds data of a simulator .* choose another folder/,
    );
  });

  it.each([
    { origin: 'simulated', upstream: simulated(1) },
    { origin: 'live', upstream: live },
    { origin: '127.0.0.1:1', upstream: { ...live, clobUrl: 'http://127.0.0.1:1' } },
    { origin: 'gamma.example.com', upstream: { ...live, gammaUrl: 'https://gamma.example.com' } },
  ])('is archived as $origin data', ({ origin, upstream }) => {
    expect(originOfData(upstream)).toBe(origin);
  });

  it('keeps snapshots for the archive', async () => {
    const { tables } = DataFolder.open(join(folder, 'archived'), live);
    const service = await startLocalService({ upstream: live, tables });
    await service.stop();
    expect(service.environment.ARCHIVE).toBe('on');
  });

  it('must exist already for `npm run archive`', () => {
    expect(() => DataFolder.existing(join(folder, 'none'))).toThrow(/holds no data/);
  });

  it('keeps its tables', async () => {
    const data = DataFolder.open(join(folder, 'kept'), simulated(1));
    await withDatabase(data, (client) => put(client, 7));
    expect(await withDatabase(data, numbersIn)).toEqual([7]);
  });

  it('has no expired items after a clean-up', async () => {
    const data = DataFolder.open(join(folder, 'cleaned'), simulated(1));
    const nowSeconds = 100;
    const left = await withDatabase(data, async (client) => {
      for (let n = 0; n < 20; n++) await put(client, n, nowSeconds - 1);
      await put(client, 20, nowSeconds + 1);
      await put(client, 21);
      await deleteExpired(client, nowSeconds * 1_000);
      return await numbersIn(client);
    });
    expect(left).toEqual([20, 21]);
  });

  it('is refused while the database of another process runs in it, and is free afterwards', async () => {
    const data = DataFolder.open(join(folder, 'announced'), simulated(1));
    await withDatabase(data, async (_client, database) => {
      data.announce({ database, gammaUrl: 'x', dataUrl: 'x' });
      await expect(data.requireFree()).rejects.toThrow(/Another process uses this folder/);
    });
    expect(await data.running()).toBeUndefined();
  });
});

// The AWS client repeats a call whose response is lost, so a table can exist already.
it('createTable accepts a table that exists', async () => {
  const { server, environment } = await startDatabase();
  await expect(
    createTable(dynamoDbClient(environment), SNAPSHOT_TABLE, SNAPSHOT_KEYS),
  ).resolves.toBeUndefined();
  await new Promise((resolve) => server.close(resolve));
});

// The archive of a deployed service is in a bucket. Here its files are in a folder.
describe('FolderStore', () => {
  const store = new FolderStore(join(folder, 'archive'));
  const text = async (path: string) => (await store.read(path))?.toString();

  it('reads, replaces and lists files, and creates only new ones', async () => {
    expect(await text('a/b.txt')).toBeUndefined();
    expect(await store.list('a/')).toEqual([]);
    await store.write('a/b.txt', Buffer.from('1'));
    await store.write('a/b.txt', Buffer.from('2'));
    expect(await store.create('a/b.txt', Buffer.from('3'))).toBe(false);
    expect(await store.create('a/a.txt', Buffer.from('4'))).toBe(true);
    expect(await text('a/b.txt')).toBe('2');
    expect(await store.list('a/')).toEqual(['a/a.txt', 'a/b.txt']);
  });

  it('lists in the order of the paths, whatever folders they are in', async () => {
    for (const path of ['c/a/a.txt', 'c/b.txt']) await store.write(path, Buffer.from(''));
    const files = (await store.list('c/')).filter((path) => path.endsWith('.txt'));
    expect(files).toEqual(['c/a/a.txt', 'c/b.txt']);
  });

  it('leaves nothing of a write that fails', async () => {
    const other = new FolderStore(join(folder, 'other'));
    await other.write('file', Buffer.from('0'));
    await expect(other.write('file/below', Buffer.from('1'))).rejects.toThrow();
    expect(readdirSync(join(folder, 'other'))).toEqual(['file']);
  });
});
