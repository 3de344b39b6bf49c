import { describe, expect, it } from '@jest/globals';
import {
  baseItem,
  baseKey,
  chunkItem,
  chunkKey,
  findManifest,
  isCurrent,
  type Manifest,
  POINTER_KEY,
  pointerItem,
  readManifest,
  readShrunkRuns,
  termsKey,
} from '../../../../lambda/snapshots/dynamodb-items.ts';

const BASE = {
  id: 'base-id',
  markets: { chunks: 2, checksum: 'abc' },
  terms: { chunks: 1, checksum: 'def', rules: 1 },
  expiresAt: 1_800_010_000,
  writtenAt: 1_799_990_000_000,
};
const MANIFEST: Manifest = {
  id: 'snapshot-id',
  asOf: 1_800_000_000_000,
  markets: 3,
  counts: { skipped: 1, withOneDayChange: 2, cataloguePriced: 3 },
  chunks: 4,
  checksum: '0123',
  expiresAt: 1_800_003_600,
  base: BASE,
  memory: { since: 1, oneDay: 0.5, sevenDay: 0, thirtyDay: 0 },
};
const FORMER_BASE = { id: 'old', chunks: 1, checksum: 'x', expiresAt: 2, writtenAt: 3 };

/** What is found in an item whose manifest says this. */
const found = (manifest: unknown) => findManifest({ manifest: { S: JSON.stringify(manifest) } });

describe('the keys of the table', () => {
  it.each([
    [POINTER_KEY, 'LATEST', '0'],
    [chunkKey('id', 7), 'SNAPSHOT#id', '7'],
    [baseKey('id', 7), 'BASE#id#7', '0'],
    [termsKey('id', 7), 'BASE#id#terms#7', '0'],
  ])('are stored: %j', (key, partition, sort) => {
    expect(key).toEqual({ pk: { S: partition }, n: { N: sort } });
  });
});

describe('the items of the table', () => {
  it('hold the pointer with what the conditions of the next writers ask for, and never expire', () => {
    expect(pointerItem(MANIFEST, 2)).toEqual({
      pk: { S: 'LATEST' },
      n: { N: '0' },
      asOf: { N: '1800000000000' },
      snapshotId: { S: 'snapshot-id' },
      manifest: { S: JSON.stringify(MANIFEST) },
      shrunkRuns: { N: '2' },
    });
  });

  it('hold a chunk until its snapshot expires, the first one with the manifest', () => {
    const data = Uint8Array.of(1);
    const expiresAt = { N: '1800003600' };
    expect(chunkItem(MANIFEST, 0, data)).toEqual({
      ...chunkKey('snapshot-id', 0),
      data: { B: data },
      expiresAt,
      manifest: { S: JSON.stringify(MANIFEST) },
    });
    expect(chunkItem(MANIFEST, 1, data)).toEqual({
      ...chunkKey('snapshot-id', 1),
      data: { B: data },
      expiresAt,
    });
  });

  it('hold a chunk of a base until the base expires', () => {
    const data = Uint8Array.of(1);
    expect(baseItem(BASE, termsKey('b', 0), data)).toEqual({
      ...termsKey('b', 0),
      data: { B: data },
      expiresAt: { N: '1800010000' },
    });
  });
});

describe('a manifest', () => {
  it.each([
    ['with all that one may have', MANIFEST],
    ['without a memory', { ...MANIFEST, memory: undefined }],
    ['of version 0.1, without a base', { ...MANIFEST, base: undefined }],
    ['with a base in the former form', { ...MANIFEST, base: FORMER_BASE }],
  ])('is read as it was written: %s', (_, manifest) => {
    const expected = JSON.parse(JSON.stringify(manifest));
    expect(found(manifest)).toEqual(expected);
    expect(readManifest(pointerItem(manifest as Manifest, 0))).toEqual(expected);
  });

  const { counts, memory } = MANIFEST;
  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'snapshot-id'],
    ...(['id', 'checksum', 'asOf', 'markets', 'chunks', 'expiresAt', 'counts'] as const).map(
      (name): [string, unknown] => [`no ${name}`, { ...MANIFEST, [name]: undefined }],
    ),
    ['an id that is a number', { ...MANIFEST, id: 5 }],
    ['a checksum that is a number', { ...MANIFEST, checksum: 5 }],
    ['a time that is a text', { ...MANIFEST, asOf: '5' }],
    ['counts that are null', { ...MANIFEST, counts: null }],
    ...(['skipped', 'withOneDayChange', 'cataloguePriced'] as const).map((name): [string, unknown] => [
      `no count ${name}`,
      { ...MANIFEST, counts: { ...counts, [name]: undefined } },
    ]),
    ...(['since', 'oneDay', 'sevenDay', 'thirtyDay'] as const).map((name): [string, unknown] => [
      `a memory without ${name}`,
      { ...MANIFEST, memory: { ...memory, [name]: undefined } },
    ]),
    ['a memory that is null', { ...MANIFEST, memory: null }],
    ['a memory that is a number', { ...MANIFEST, memory: 5 }],
    ['a base that is null', { ...MANIFEST, base: null }],
    ['a base that is a text', { ...MANIFEST, base: 'base-id' }],
    ...(['id', 'expiresAt', 'writtenAt', 'markets', 'terms'] as const).map((name): [string, unknown] => [
      `a base without ${name}`,
      { ...MANIFEST, base: { ...BASE, [name]: undefined } },
    ]),
    ['a base whose markets are null', { ...MANIFEST, base: { ...BASE, markets: null } }],
    ['a base without a checksum', { ...MANIFEST, base: { ...BASE, markets: { chunks: 2 } } }],
    ['a base without chunks', { ...MANIFEST, base: { ...BASE, markets: { checksum: 'abc' } } }],
    ['terms without chunks', { ...MANIFEST, base: { ...BASE, terms: { checksum: 'def' } } }],
    ...(['id', 'chunks', 'checksum', 'expiresAt', 'writtenAt'] as const).map((name): [string, unknown] => [
      `a former base without ${name}`,
      { ...MANIFEST, base: { ...FORMER_BASE, [name]: undefined } },
    ]),
  ])('is refused: %s', (_, manifest) => {
    expect(found(manifest)).toBeUndefined();
  });

  it.each([
    ['is not there', {}],
    ['is not JSON', { manifest: { S: '{"id":' } }],
    ['is no text', { manifest: { N: '5' } }],
  ])('that %s cannot be read', (_, item) => {
    expect(findManifest(item)).toBeUndefined();
    expect(() => readManifest(item)).toThrow(
      expect.objectContaining({
        name: 'BrokenSnapshotError',
        message: 'The stored manifest cannot be read',
      }),
    );
  });

  it('tells by its base whether a base of today counts from it', () => {
    expect([isCurrent(BASE), isCurrent(FORMER_BASE)]).toEqual([true, false]);
  });
});

describe('the number of runs that did not dare to publish', () => {
  it.each([
    [{ shrunkRuns: { N: '3' } }, 3],
    [{}, 0],
    [{ shrunkRuns: { N: '1.5' } }, 0],
    [{ shrunkRuns: { S: 'many' } }, 0],
    [{ shrunkRuns: { N: 'many' } }, 0],
  ])('is read from %j: %i', (item, runs) => {
    expect(readShrunkRuns(item)).toBe(runs);
  });
});
