import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BASE_CHUNK_BYTES,
  BASE_SECONDS,
  BASE_VERIFIED_SECONDS,
} from '../../../../lambda/contract/constants.ts';
import type { Snapshot, SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { snapshotId } from '../../../../lambda/domain/snapshot.ts';
import { TEXT_RULES } from '../../../../lambda/search/term-table.ts';
import {
  type BaseReference,
  baseKey,
  chunkKey,
  isCurrent,
  type Manifest,
  pointerItem,
  termsKey,
} from '../../../../lambda/snapshots/dynamodb-items.ts';
import { SnapshotReader } from '../../../../lambda/snapshots/snapshot-reader.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { startSnapshotTable, type TestTable } from '../../../support/snapshot-table.ts';

const KEPT_SECONDS = 3_600;
let now = Date.parse('2026-11-21T12:00:00Z');

function snapshot(entries: readonly SnapshotEntry[], asOf = now): Snapshot {
  return {
    id: snapshotId(asOf, Math.random),
    asOf,
    entries,
    counts: { skipped: 1, withOneDayChange: 2, cataloguePriced: 3 },
  };
}

/** Text that does not compress, so that the stored size is known well enough. */
function incompressible(characters: number): string {
  let text = '';
  while (text.length < characters) text += Math.random().toString(36).slice(2);
  return text.slice(0, characters);
}

function currentBase({ base }: Manifest): BaseReference {
  if (!base || !isCurrent(base)) throw new Error('No base');
  return base;
}

/** Each test is later than the one before. */
function tick(): void {
  now += 120_000;
}

describe.each([
  ['DynamoDB', startSnapshotTable],
  ['memory', async () => new MemoryTable()],
] as [string, () => Promise<Pick<TestTable, 'client' | 'table' | 'close'>>][])(
  'a store in %s',
  (_, start) => {
    let database: Awaited<ReturnType<typeof start>>;
    beforeAll(async () => {
      database = await start();
    });
    afterAll(() => database.close());

    const writer = () => new SnapshotWriter({ ...databaseOf(), now: () => now, keptSeconds: KEPT_SECONDS });
    const reader = () => new SnapshotReader({ ...databaseOf(), now: () => now });
    const databaseOf = () => ({ client: database.client, table: database.table });
    const latest = async (): Promise<Manifest> => {
      const manifest = await reader().latest();
      if (!manifest) throw new Error('No pointer');
      return manifest;
    };

    it('knows of nothing before the first snapshot', async () => {
      expect(await reader().latest()).toBeUndefined();
      expect(await writer().latest()).toBeUndefined();
    });

    it('gives back what was published', async () => {
      tick();
      const entries = [snapshotEntry(1, { question: 'Zürich "&<>" 日本?' }), snapshotEntry(2)];
      const published = snapshot(entries);
      expect(await writer().publish(published)).toMatchObject({ outcome: 'published', chunks: 3 });
      const manifest = await latest();
      expect(manifest).toMatchObject({
        id: published.id,
        asOf: now,
        markets: 2,
        counts: published.counts,
        chunks: 1,
      });
      const { list, records } = await reader().read(manifest);
      expect(JSON.parse(list.slice(0, 2))).toEqual(entries.map(({ market }) => market));
      expect([...records]).toEqual(entries.map(({ market, facets }) => ({ ...market, ...facets })));
      expect(await reader().find(published.id)).toEqual(manifest);
    });

    it.each([
      ['just below', -10_000, 1],
      ['just above', 10_000, 2],
      ['far above', 3 * BASE_CHUNK_BYTES, 4],
    ])('holds a base %s the size of a chunk', async (_, more, chunks) => {
      tick();
      // Base 36 letters carry 5.2 of 8 bits; zstd comes close to that.
      const characters = Math.round((BASE_CHUNK_BYTES + more) * (8 / 5.25));
      const entries = [snapshotEntry(1, { question: incompressible(characters) })];
      const result = await writer().publish(snapshot(entries));
      const manifest = await latest();
      const { markets, terms } = currentBase(manifest);
      expect(markets.chunks).toBe(chunks);
      expect(result.chunks).toBe(chunks + terms.chunks + 1);
      const { list } = await reader().read(manifest);
      expect(list.at(0)).toEqual(entries[0]?.market);
    });

    it('does not let an older snapshot replace a newer one', async () => {
      tick();
      const newer = snapshot([snapshotEntry(1)]);
      const older = snapshot([snapshotEntry(2)], now - 60_000);
      await writer().publish(newer);
      expect(await writer().publish(older)).toMatchObject({ outcome: 'superseded' });
      expect((await latest()).id).toBe(newer.id);
    });

    it('lets the newest of many that publish at once win', async () => {
      tick();
      const snapshots = Array.from({ length: 8 }, (_, n) => snapshot([snapshotEntry(n)], now + n));
      await Promise.all(snapshots.map((one) => writer().publish(one)));
      expect((await latest()).id).toBe(snapshots[7]?.id);
      now += 8;
    });

    it('takes the repetition of a write that had succeeded for a success', async () => {
      tick();
      const same = snapshot([snapshotEntry(1)]);
      await writer().publish(same);
      expect(await writer().publish(same)).toMatchObject({ outcome: 'published' });
    });

    it('refuses a snapshot with a missing chunk', async () => {
      tick();
      await writer().publish(snapshot([snapshotEntry(1)]));
      const manifest = await latest();
      const { client, table } = database;
      const empty = { ...chunkKey(manifest.id, 0), data: { S: '' } };
      await client.put({ TableName: table, Item: empty });
      await expect(reader().read(manifest)).rejects.toThrow(`Chunk 0 of snapshot ${manifest.id} is missing`);
    });

    it('refuses a snapshot with a corrupted chunk', async () => {
      tick();
      await writer().publish(snapshot([snapshotEntry(1)]));
      const manifest = await latest();
      const { client, table } = database;
      const data = { B: Buffer.from('not what was written') };
      await client.put({ TableName: table, Item: { ...chunkKey(manifest.id, 0), data } });
      await expect(reader().read(manifest)).rejects.toThrow('checksum');
    });

    it('counts a second snapshot from the base of the first', async () => {
      tick();
      const one = writer();
      const entries = Array.from({ length: 40 }, (_, n) => snapshotEntry(n));
      await one.publish(snapshot(entries));
      const first = await latest();
      tick();
      const moved = entries.map((entry, n) =>
        n === 3
          ? snapshotEntry(99)
          : snapshotEntry(n, { volume: entry.market.volume + n / 8, oneDayPriceChange: n }),
      );
      expect(await one.publish(snapshot(moved))).toMatchObject({ outcome: 'published', chunks: 1 });
      const second = await latest();
      expect(second.base).toEqual(first.base);
      const { records } = await reader().read(second);
      expect([...records]).toEqual(moved.map(({ market, facets }) => ({ ...market, ...facets })));
      expect([...(await reader().read(first)).records]).toEqual(
        entries.map(({ market, facets }) => ({ ...market, ...facets })),
      );
    });

    it('begins a new base when a tenth has changed, and for its age', async () => {
      tick();
      const one = writer();
      const entries = Array.from({ length: 40 }, (_, n) => snapshotEntry(n));
      const bases = new Set<string | undefined>();
      const publish = async (list: SnapshotEntry[]) => {
        tick();
        await one.publish(snapshot(list));
        bases.add((await latest()).base?.id);
        return bases.size;
      };
      expect(await publish(entries)).toBe(1);
      expect(await publish(entries.slice(4))).toBe(1);
      expect(await publish(entries.slice(5))).toBe(2);
      now += BASE_SECONDS * 1_000 - 130_000;
      expect(await publish(entries.slice(5))).toBe(2);
      expect(await publish(entries.slice(5))).toBe(3);
    });

    it('keeps a base for as long as the last snapshot that names it', async () => {
      const one = writer();
      for (let hour = 0; hour < 8; hour++) {
        now += 1_800_000;
        await one.publish(snapshot([snapshotEntry(1)]));
        const { base, expiresAt } = await latest();
        expect(base?.expiresAt).toBeGreaterThan(expiresAt);
      }
    });

    it('writes a new base in place of one that is broken', async () => {
      tick();
      const one = writer();
      await one.publish(snapshot([snapshotEntry(1)]));
      const { base } = await latest();
      if (!base) throw new Error('No base');
      const { client, table } = database;
      const broken = { ...baseKey(base.id, 0), data: { B: Buffer.from('not what was written') } };
      await client.put({ TableName: table, Item: broken });
      await expect(reader().read(await latest())).rejects.toThrow('base does not match its checksum');
      tick();
      await one.publish(snapshot([snapshotEntry(1)]));
      expect((await reader().read(await latest())).records).toHaveLength(1);
    });

    it('gives those who search the terms of the base, and notices when they are broken or gone', async () => {
      tick();
      const one = writer();
      await one.publish(snapshot([snapshotEntry(1, { question: 'Will it rain in Oslo?' })]));
      const searcher = () => new SnapshotReader({ ...databaseOf(), now: () => now, withTerms: true });
      const manifest = await latest();
      expect((await searcher().read(manifest)).indexed?.table.terms).toContain('oslo');
      expect((await reader().read(manifest)).indexed).toBeUndefined();
      const { client, table } = database;
      const Item = termsKey(currentBase(manifest).id, 0);
      await client.put({ TableName: table, Item: { ...Item, data: { B: Buffer.from('other bytes') } } });
      await expect(searcher().read(manifest)).rejects.toThrow('terms does not match its checksum');
      await client.put({ TableName: table, Item });
      await expect(searcher().read(manifest)).rejects.toThrow('Chunk 0 of the terms of base');
      expect((await reader().read(manifest)).records).toHaveLength(1);
      now += BASE_VERIFIED_SECONDS * 1_000;
      await one.publish(snapshot([snapshotEntry(1)]));
      expect((await searcher().read(await latest())).indexed).toBeDefined();
    });

    it('does not read terms that other rules have made', async () => {
      tick();
      await writer().publish(snapshot([snapshotEntry(1)]));
      const manifest = await latest();
      const base = currentBase(manifest);
      const others = { ...manifest, base: { ...base, terms: { ...base.terms, rules: TEXT_RULES + 1 } } };
      const searcher = new SnapshotReader({ ...databaseOf(), now: () => now, withTerms: true });
      expect((await searcher.read(others)).indexed).toBeUndefined();
    });

    it('begins a new base where the newest one has a former form', async () => {
      tick();
      await writer().publish(snapshot([snapshotEntry(1)]));
      const manifest = await latest();
      const { markets, terms: _, ...base } = currentBase(manifest);
      const former: Manifest = { ...manifest, base: { ...base, ...markets } };
      const { client, table } = database;
      await client.put({ TableName: table, Item: pointerItem(former, 0) });
      expect((await latest()).base).toEqual(former.base);
      tick();
      await writer().publish(snapshot([snapshotEntry(1)]));
      expect(currentBase(await latest()).id).not.toBe(base.id);
    });

    it('gives the refresher its newest snapshot back, whichever container has written it', async () => {
      tick();
      const one = writer();
      const entries = [{ ...snapshotEntry(1), midpoint: 0.4505 }, snapshotEntry(2)];
      const published = snapshot(entries);
      await one.publish(published);
      for (const any of [one, writer()]) {
        const newest = await any.newest();
        expect(newest?.published.id).toBe(published.id);
        expect(newest?.entries).toEqual(entries);
      }
    });

    it('takes what has expired for gone, though DynamoDB has not deleted it yet', async () => {
      tick();
      const published = snapshot([snapshotEntry(1)]);
      await writer().publish(published);
      now += KEPT_SECONDS * 1_000 - 1;
      expect(await reader().find(published.id)).toBeDefined();
      now += 1_000;
      expect(await reader().find(published.id)).toBeUndefined();
    });

    it('counts runs that did not dare to publish, until one does', async () => {
      tick();
      await writer().publish(snapshot([snapshotEntry(1)]));
      const first = await writer().latest();
      if (!first) throw new Error('No pointer');
      await writer().recordShrunkRun(first);
      expect(await writer().latest()).toMatchObject({ shrunkRuns: 1, id: first.id });
      tick();
      await writer().publish(snapshot([snapshotEntry(1)]));
      await writer().recordShrunkRun(first); // about a snapshot that is no longer the newest
      expect(await writer().latest()).toMatchObject({ shrunkRuns: 0 });
    });
  },
);
