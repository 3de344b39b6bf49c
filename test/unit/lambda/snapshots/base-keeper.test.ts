import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { BASE_SECONDS, BASE_VERIFIED_SECONDS } from '../../../../lambda/contract/constants.ts';
import { TEXT_RULES } from '../../../../lambda/search/term-table.ts';
import { BaseKeeper } from '../../../../lambda/snapshots/base-keeper.ts';
import { ByteWriter } from '../../../../lambda/snapshots/bytes.ts';
import { baseItem, baseKey, type Item } from '../../../../lambda/snapshots/dynamodb-items.ts';
import { SnapshotLoader } from '../../../../lambda/snapshots/snapshot-loader.ts';
import { entryAt, tableOf } from '../../../../lambda/snapshots/stored-markets.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { writeFormerTable } from './former-table.ts';
import { StoredParts } from './stored-parts.ts';

const START = Date.parse('2026-11-21T12:00:00Z');
const MARKETS = 20;
const DEADLINE = 7;
const entries = Array.from({ length: MARKETS }, (_, n) => snapshotEntry(n));

/** A store, and what a container of the refresher does with it. */
function setup() {
  const store = new StoredParts();
  const clock = { now: START };
  const puts: { item: Item; deadline: number }[] = [];
  const container = () => {
    const keeper = new BaseKeeper({
      loader: new SnapshotLoader(store.get, true),
      put: async (item, deadline) => {
        puts.push({ item, deadline });
        store.put(item);
      },
      now: () => clock.now,
    });
    return {
      /** The base of a snapshot of `id`, which is kept for an hour. */
      baseFor: (id: string, list = entries, known?: Parameters<typeof keeper.baseFor>[2]) =>
        keeper.baseFor(id, tableOf(list), known, clock.now / 1_000 + 3_600, DEADLINE),
      keeper,
    };
  };
  return { store, clock, puts, container };
}

describe('the first snapshot', () => {
  it('has a base of its own, which is written for it', async () => {
    const { puts, container } = setup();
    const { reference, table, delta, written } = await container().baseFor('one');
    expect(reference).toMatchObject({
      id: 'one',
      markets: { chunks: 1 },
      terms: { chunks: 1, rules: TEXT_RULES },
      writtenAt: START,
      // The last snapshot that may name it lives an hour, and ten minutes are for clocks that differ.
      expiresAt: START / 1_000 + 3_600 + BASE_SECONDS + 600,
    });
    expect([delta.added, delta.removed]).toEqual([[], []]);
    expect(entryAt(table, 3)).toEqual(entries[3]);
    expect(puts.map(({ item, deadline }) => [item.pk?.S, item.expiresAt?.N, deadline])).toEqual([
      ['BASE#one#0', String(reference.expiresAt), DEADLINE],
      ['BASE#one#terms#0', String(reference.expiresAt), DEADLINE],
    ]);
    const bytes = puts.reduce((sum, { item }) => sum + (item.data?.B?.length ?? 0), 0);
    expect(written).toEqual({ bytes, chunks: 2 });
  });

  it('has a base that loads, with the terms of its texts', async () => {
    const { store, container } = setup();
    const { reference } = await container().baseFor('one');
    const { table, terms } = await new SnapshotLoader(store.get, true).readBase(reference);
    expect(entries.map((_, n) => entryAt(table, n))).toEqual(entries);
    expect(terms?.terms).toContain('happen');
    expect(terms?.questionTerms).toHaveLength(MARKETS);
  });
});

describe('a later snapshot', () => {
  it('counts from the same base, which is neither written nor read again', async () => {
    const { store, puts, container } = setup();
    const { baseFor } = container();
    const { reference } = await baseFor('one');
    puts.length = 0;
    const later = await baseFor('two', entries.slice(1));
    expect(later.reference).toBe(reference);
    expect(later.delta.removed).toEqual([0]);
    expect(later.written).toEqual({ bytes: 0, chunks: 0 });
    expect([puts, store.reads]).toEqual([[], []]);
  });

  it.each([
    ['a tenth of the markets are gone', entries.slice(2), 'one'],
    ['more than a tenth are gone', entries.slice(3), 'two'],
    ['one has gone and one has come', [...entries.slice(1), snapshotEntry(90)], 'one'],
    ['more than a tenth have come', [...entries, ...[90, 91, 92].map((n) => snapshotEntry(n))], 'two'],
  ])('has a new base when it differs too much: %s', async (_, list, id) => {
    const { baseFor } = setup().container();
    await baseFor('one');
    expect((await baseFor('two', list)).reference.id).toBe(id);
  });

  it.each([
    ['is not three hours old', BASE_SECONDS * 1_000 - 1, 'one'],
    ['is three hours old', BASE_SECONDS * 1_000, 'two'],
    ['was written a moment ago', 0, 'one'],
    ['was written in the future, by a clock that was ahead', -1, 'two'],
  ])('has a new base in place of one that %s', async (_, ms, id) => {
    const { clock, container } = setup();
    const { baseFor } = container();
    await baseFor('one');
    clock.now += ms;
    expect((await baseFor('two')).reference.id).toBe(id);
    expect((await baseFor('three')).reference.id).toBe(id);
  });

  it.each([
    [0, 'one'],
    [1, 'two'],
  ])('has a new base in place of one that expires %i s before it', async (seconds, id) => {
    const { keeper, baseFor } = setup().container();
    const { reference } = await baseFor('one');
    const kept = reference.expiresAt + seconds;
    expect((await keeper.baseFor('two', tableOf(entries), undefined, kept, 0)).reference.id).toBe(id);
  });
});

describe('a base of another container', () => {
  it('is read and counted from', async () => {
    const { store, puts, container } = setup();
    const { reference } = await container().baseFor('one');
    puts.length = 0;
    const other = container();
    const later = await other.baseFor('two', entries.slice(1), reference);
    expect([later.reference, later.delta.removed, puts]).toEqual([reference, [0], []]);
    expect(store.reads).toHaveLength(2);
    await other.baseFor('three', entries, reference);
    expect(store.reads).toHaveLength(2);
  });

  it('gives way to a new one when it is not whole', async () => {
    const { store, container } = setup();
    const { reference } = await container().baseFor('one');
    store.drop(baseKey('one', 0));
    expect((await container().baseFor('two', entries, reference)).reference.id).toBe('two');
  });

  it('gives way to a new one when it has fewer columns than today', async () => {
    const { store, container } = setup();
    const { reference } = await container().baseFor('one');
    const writer = new ByteWriter();
    writeFormerTable(writer, entries, zstdCompressSync);
    const data = writer.take();
    const checksum = createHash('sha256').update(data).digest('hex');
    store.put(baseItem(reference, baseKey('one', 0), data));
    const former = { ...reference, markets: { chunks: 1, checksum } };
    expect((await new SnapshotLoader(store.get, true).readBase(former)).table.length).toBe(MARKETS);
    expect((await container().baseFor('two', entries, former)).reference.id).toBe('two');
  });

  it('does not take the place of the one that this container has written', async () => {
    const { container } = setup();
    const { reference } = await container().baseFor('other');
    const { baseFor } = container();
    await baseFor('own');
    expect((await baseFor('two', entries, reference)).reference.id).toBe('own');
  });
});

describe('a base that is held', () => {
  it('is looked at again after a minute and a half, and believed as long again', async () => {
    const { store, clock, container } = setup();
    const { baseFor } = container();
    await baseFor('one');
    const readsAfter = async (ms: number) => {
      clock.now += ms;
      await baseFor('any');
      return store.reads.splice(0).length;
    };
    const verified = BASE_VERIFIED_SECONDS * 1_000;
    expect(await readsAfter(verified - 1)).toBe(0);
    expect(await readsAfter(1)).toBe(2);
    expect(await readsAfter(verified - 1)).toBe(0);
    expect(await readsAfter(1)).toBe(2);
  });

  it('gives way to a new one when it is found broken, and that one is believed', async () => {
    const { store, clock, container } = setup();
    const { baseFor } = container();
    await baseFor('one');
    store.drop(baseKey('one', 0));
    clock.now += BASE_VERIFIED_SECONDS * 1_000;
    expect((await baseFor('two')).reference.id).toBe('two');
    store.reads.length = 0;
    expect((await baseFor('three')).reference.id).toBe('two');
    expect(store.reads).toEqual([]);
  });
});

it('a base that could not be written is not counted from', async () => {
  const store = new StoredParts();
  let isDown = true;
  const keeper = new BaseKeeper({
    loader: new SnapshotLoader(store.get, true),
    put: async (item) => {
      if (isDown) throw new Error('throttled');
      store.put(item);
    },
    now: () => START,
  });
  const baseFor = (id: string) => keeper.baseFor(id, tableOf(entries), undefined, START / 1_000, 0);
  await expect(baseFor('one')).rejects.toThrow('throttled');
  isDown = false;
  expect((await baseFor('two')).reference.id).toBe('two');
});
