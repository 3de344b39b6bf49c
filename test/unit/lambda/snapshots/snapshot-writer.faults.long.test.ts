import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Snapshot, snapshotId } from '../../../../lambda/domain/snapshot.ts';
import type { DynamoDbClient } from '../../../../lambda/platform/dynamodb/client.ts';
import { termTableOf } from '../../../../lambda/search/make-term-table.ts';
import { encodeBase, encodeTerms } from '../../../../lambda/snapshots/codec.ts';
import { POINTER_KEY } from '../../../../lambda/snapshots/dynamodb-items.ts';
import { SnapshotReader } from '../../../../lambda/snapshots/snapshot-reader.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { recordAt, tableOf } from '../../../../lambda/snapshots/stored-markets.ts';
import { DynamoDbProxy } from '../../../support/dynamodb-proxy.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { startSnapshotTable, type TestTable } from '../../../support/snapshot-table.ts';
import type { StoreFault } from '../../../support/store-fault.ts';
import { testClient } from '../../../support/test-table.ts';

/** Of the base: its markets and their terms. */
const CHUNKS = 6;
const MINUTE_MS = 60_000;
let database: TestTable;
let proxy: DynamoDbProxy;
let now = Date.parse('2026-11-21T12:00:00Z');

beforeAll(async () => {
  database = await startSnapshotTable();
  proxy = await DynamoDbProxy.start();
  proxy.target = database.url;
});
afterAll(async () => {
  await proxy.close();
  await database.close();
});
beforeEach(() => {
  now += 2 * MINUTE_MS;
});

const reader = () => new SnapshotReader({ ...database, now: () => now });
const options = () => ({ ...database, now: () => now, keptSeconds: 3_600 });

/** Text of four chunks of a base: it does not compress. */
const text = Array.from({ length: 50_000 }, () => Math.random().toString(36).slice(2)).join('');

function snapshot(asOf = now, question = 'Will it rain?'): Snapshot {
  const counts = { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 };
  return { id: snapshotId(asOf, Math.random), asOf, entries: [snapshotEntry(1, { question })], counts };
}

/** A client through the proxy; its calls are not tried again once it is destroyed, as with the process. */
function mortalClient(): DynamoDbClient {
  return testClient(proxy.url, 1);
}

async function killedWhilePublishing(fault: StoreFault, published: Snapshot): Promise<void> {
  const client = mortalClient();
  const reached = proxy.add(fault);
  const publishing = new SnapshotWriter({ ...options(), client }).publish(published).catch(() => 'killed');
  await reached;
  client.destroy();
  expect(await publishing).toBe('killed');
  await proxy.abandoned();
  await proxy.clear();
}

const KILL_POINTS = [
  ...Array.from({ length: CHUNKS }, (_, after) => ({ step: 'write base', after }) as const),
  { step: 'write chunk', after: 0 } as const,
  { step: 'write pointer', after: 0 } as const,
].flatMap((point): [string, StoreFault][] => [
  [`before "${point.step}" ${point.after}`, { ...point, trouble: 'hangs' }],
  [`after "${point.step}" ${point.after}`, { ...point, trouble: 'does not confirm' }],
]);

describe('a snapshot with a new base of several chunks whose writer dies', () => {
  it('has as many as there are kill points for', () => {
    const table = tableOf(snapshot(now, text).entries);
    const terms = encodeTerms(termTableOf([recordAt(table, 0)]));
    expect(encodeBase(table).chunks.length + terms.chunks.length).toBe(CHUNKS);
  });

  it.each(KILL_POINTS)('%s leaves a whole one', async (_, fault) => {
    const old = snapshot(now - MINUTE_MS);
    const writer = new SnapshotWriter(options());
    await writer.publish(old);
    const fresh = snapshot(now, text);
    await killedWhilePublishing(fault, fresh);
    const manifest = await reader().latest();
    if (!manifest) throw new Error('No pointer');
    const visible = fault.step === 'write pointer' && fault.trouble === 'does not confirm' ? fresh : old;
    expect(manifest.id).toBe(visible.id);
    expect((await reader().read(manifest)).list.at(0)).toEqual(visible.entries[0]?.market);
    expect(await writer.publish(snapshot(now + 1))).toMatchObject({ outcome: 'published' });
  });
});

describe('a pointer', () => {
  const publish = (asOf: number) => new SnapshotWriter(options()).publish(snapshot(asOf));

  it('from the far future does not block the publication', async () => {
    await publish(now + 301_000);
    expect(await publish(now)).toMatchObject({ outcome: 'published' });
  });

  it('from a clock that is ahead by less stands until its time', async () => {
    await publish(now + 60_000);
    expect(await publish(now)).toMatchObject({ outcome: 'superseded' });
    expect(await publish(now + 60_001)).toMatchObject({ outcome: 'published' });
    now += MINUTE_MS;
  });

  it.each(['{"id":', '{}', 'null'])('that cannot be read is as good as none: %s', async (manifest) => {
    await publish(now);
    const { client, table } = database;
    const broken = { ...POINTER_KEY, asOf: { N: String(now) }, manifest: { S: manifest } };
    await client.put({ TableName: table, Item: broken });
    await expect(reader().latest()).rejects.toThrow('manifest');
    expect(await new SnapshotWriter(options()).latest()).toBeUndefined();
    expect(await publish(now)).toMatchObject({ outcome: 'published' });
    expect(await reader().latest()).toMatchObject({ asOf: now });
  });
});

describe('a store that does not respond', () => {
  it.each(['write chunk', 'write pointer', 'read pointer'] as const)(
    'does not keep a run beyond its end: %s',
    async (step) => {
      const client = mortalClient();
      void proxy.add({ step, trouble: 'hangs' });
      const writer = new SnapshotWriter({ ...options(), client });
      const call = step === 'read pointer' ? writer.latest(now + 50) : writer.publish(snapshot(), now + 50);
      await expect(call).rejects.toMatchObject({ name: expect.stringMatching(/TimeoutError|AbortError/) });
      await proxy.clear();
      client.destroy();
    },
  );
});
