import { describe, expect, it } from '@jest/globals';
import { TEXT_RULES } from '../../../../lambda/search/term-table.ts';
import { baseKey, chunkKey, type Item, termsKey } from '../../../../lambda/snapshots/dynamodb-items.ts';
import { SnapshotLoader } from '../../../../lambda/snapshots/snapshot-loader.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { StoredParts } from './stored-parts.ts';

const entries = [1, 2, 3].map((n) => snapshotEntry(n));
const recordOf = ({ market, facets }: (typeof entries)[number]) => ({ ...market, ...facets });

function setup(withTerms = false) {
  const store = new StoredParts();
  return { store, loader: new SnapshotLoader(store.get, withTerms) };
}

const readOf = (store: StoredParts, prefix: string) =>
  store.reads.splice(0).filter((read) => read.startsWith(prefix));

describe('a snapshot that is loaded', () => {
  it('is put together of the chunks of its base and its own, each read once', async () => {
    const { store, loader } = setup();
    const base = store.addBase('base', entries);
    const manifest = store.addTo(base, entries, 'one', [snapshotEntry(3), snapshotEntry(9)]);
    expect(Math.min(base.markets.chunks, base.terms.chunks, manifest.chunks)).toBeGreaterThan(1);
    const { records, indexed } = await loader.load(manifest);
    expect([...records]).toEqual([snapshotEntry(3), snapshotEntry(9)].map(recordOf));
    expect(indexed).toBeUndefined();
    expect(store.reads.toSorted()).toEqual(
      [
        ...Array.from({ length: base.markets.chunks }, (_, n) => `BASE#base#${n}/0`),
        ...Array.from({ length: manifest.chunks }, (_, n) => `SNAPSHOT#one/${n}`),
      ].toSorted(),
    );
  });

  it('does not read the first chunk again where the caller has it', async () => {
    const { store, loader } = setup();
    const manifest = store.add('one', entries);
    const { records } = await loader.load(manifest, store.dataOf('one', 0));
    expect(records.length).toBe(3);
    expect(readOf(store, 'SNAPSHOT#')).toEqual(
      Array.from({ length: manifest.chunks - 1 }, (_, n) => `SNAPSHOT#one/${n + 1}`),
    );
  });

  it('is read consistently where a replica does not have a chunk yet', async () => {
    const { store, loader } = setup();
    const manifest = store.add('one', entries);
    store.late.add('SNAPSHOT#one/1');
    expect((await loader.load(manifest)).records.length).toBe(3);
    const reads = readOf(store, 'SNAPSHOT#one/1');
    expect(reads).toEqual(['SNAPSHOT#one/1', 'SNAPSHOT#one/1!']);
  });

  it.each<[string, Item]>([
    ['Chunk 1 of snapshot one is missing', chunkKey('one', 1)],
    ['Chunk 0 of base bone is missing', baseKey('bone', 0)],
    ['Chunk 1 of the terms of base bone is missing', termsKey('bone', 1)],
  ])('is refused when a chunk is not there, or has no data: %s', async (message, key) => {
    for (const remaining of [undefined, key]) {
      const { store, loader } = setup(true);
      const manifest = store.add('one', entries);
      store.drop(key);
      if (remaining) store.put(remaining);
      await expect(loader.load(manifest)).rejects.toMatchObject({ name: 'BrokenSnapshotError', message });
    }
  });

  it('is refused with the error of the store where that fails', async () => {
    const loader = new SnapshotLoader(() => Promise.reject(new Error('throttled')), false);
    await expect(loader.load(new StoredParts().add('one'))).rejects.toThrow('throttled');
  });
});

describe('a base', () => {
  it('is read once for all snapshots that name it, also at the same time', async () => {
    const { store, loader } = setup();
    const base = store.addBase('base', entries);
    const [one, two] = ['one', 'two'].map((id) => store.addTo(base, entries, id, entries));
    if (!one || !two) throw new Error('No snapshots');
    await Promise.all([loader.load(one), loader.load(two)]);
    await loader.load(one);
    expect(readOf(store, 'BASE#')).toHaveLength(base.markets.chunks);
  });

  it('is kept beside the one before it; a third one takes the place of the first', async () => {
    const { store, loader } = setup();
    const read = async (...ids: string[]) => {
      for (const id of ids) await loader.load(manifests.get(id) ?? store.add(id));
      return new Set(readOf(store, 'BASE#').map((text) => text.split('#')[1]));
    };
    const manifests = new Map(['1', '2', '3'].map((id) => [id, store.add(id)]));
    expect(await read('1', '2', '1', '2')).toEqual(new Set(['b1', 'b2']));
    expect(await read('3', '2', '3')).toEqual(new Set(['b3']));
    expect(await read('1')).toEqual(new Set(['b1']));
  });

  it('that could not be read is read again, and the others stay', async () => {
    const { store, loader } = setup();
    const good = store.add('good');
    const late = store.add('late');
    const chunk = store.items.get('BASE#blate#0/0');
    store.drop(baseKey('blate', 0));
    await loader.load(good);
    await expect(loader.load(late)).rejects.toThrow('Chunk 0 of base blate is missing');
    store.put(chunk ?? {});
    store.reads.length = 0;
    expect((await loader.load(late)).records.length).toBe(2);
    await loader.load(good);
    expect(readOf(store, 'BASE#bgood')).toEqual([]);
  });

  it('is read from the store by those who want to know whether it is there', async () => {
    const { store, loader } = setup();
    const base = store.addBase('base', entries);
    await loader.base(base);
    expect((await loader.readBase(base)).table.length).toBe(3);
    expect(readOf(store, 'BASE#')).toHaveLength(2 * base.markets.chunks);
    store.drop(baseKey('base', 1));
    await expect(loader.readBase(base)).rejects.toThrow('Chunk 1 of base base is missing');
  });
});

describe('the terms of a base', () => {
  it('are read with it for those who search', async () => {
    const { store, loader } = setup(true);
    const { indexed } = await loader.load(store.add('one', entries));
    expect(indexed?.table.terms).toContain('event');
    expect(indexed?.table.questionTerms).toHaveLength(3);
  });

  it('are neither read where nobody searches nor where other rules have made them', async () => {
    for (const [withTerms, rules] of [
      [false, TEXT_RULES],
      [true, TEXT_RULES + 1],
    ] as const) {
      const { store, loader } = setup(withTerms);
      const base = store.addBase('base', entries, rules);
      expect((await loader.readBase(base)).terms).toBeUndefined();
      expect(store.reads.filter((read) => read.includes('terms'))).toEqual([]);
    }
  });
});
