import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { BASE_CHUNK_BYTES, CHUNK_BYTES } from '../../../../lambda/contract/constants.ts';
import { termTableOf } from '../../../../lambda/search/make-term-table.ts';
import {
  decodeBase,
  decodeSnapshot,
  decodeTerms,
  type Encoded,
  encodeBase,
  encodeDelta,
  encodeTerms,
  TableSnapshot,
  unpack,
} from '../../../../lambda/snapshots/codec.ts';
import { numbersOf } from '../../../../lambda/snapshots/columns.ts';
import { deltaOf } from '../../../../lambda/snapshots/delta.ts';
import {
  HeldTable,
  recordAt,
  type StoredMarkets,
  tableOf,
} from '../../../../lambda/snapshots/stored-markets.ts';
import { manyEntries } from '../../../support/many-entries.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

const MARKETS = 40;
const entries = manyEntries(MARKETS);
const LISTED = 30;
const base = () => tableOf(entries.slice(0, LISTED));
const list = () => tableOf(entries.slice(MARKETS - LISTED));
const termsOf = (table: StoredMarkets) =>
  termTableOf(Array.from({ length: table.length }, (_, position) => recordAt(table, position)));

const encoded = {
  base: (chunkBytes?: number) => encodeBase(base(), chunkBytes),
  terms: (chunkBytes?: number) => encodeTerms(termsOf(base()), chunkBytes),
  snapshot: (chunkBytes?: number) => encodeDelta(base(), deltaOf(base(), list()), chunkBytes),
};
const parts = ['base', 'terms', 'snapshot'] as const;

/** Each part is read from its chunks and their checksum. */
const read = {
  base: ({ chunks, checksum }: Encoded) => decodeBase(chunks, checksum),
  terms: ({ chunks, checksum }: Encoded) => decodeTerms(chunks, checksum, LISTED),
  snapshot: ({ chunks, checksum }: Encoded) => {
    const stored = encoded.base();
    return decodeSnapshot(decodeBase(stored.chunks, stored.checksum), chunks, checksum, LISTED);
  },
};

describe.each(parts)('a part that is stored: the %s', (part) => {
  const whole = () => encoded[part]();

  it('is cut into chunks of the size asked for, the last one of what is left', () => {
    const { chunks, bytes, checksum } = encoded[part](200);
    expect(chunks.length).toBe(Math.ceil(bytes / 200));
    expect(new Set(chunks.slice(0, -1).map(({ length }) => length))).toEqual(new Set([200]));
    expect(chunks.at(-1)?.length).toBe(bytes % 200 || 200);
    expect(Buffer.concat(chunks)).toEqual(Buffer.from(whole().chunks[0] ?? []));
    expect(bytes).toBe(whole().bytes);
    expect(checksum).toBe(createHash('sha256').update(Buffer.concat(chunks)).digest('hex'));
  });

  it('is whole where it fits, and has no empty chunk after it', () => {
    expect(encoded[part](whole().bytes).chunks).toHaveLength(1);
    expect(encoded[part](whole().bytes - 1).chunks).toHaveLength(2);
  });

  it('is read from one chunk or many', () => {
    for (const stored of [whole(), encoded[part](100)]) expect(read[part](stored)).toBeDefined();
  });

  it('is refused when a byte is another, or a chunk is missing', () => {
    const stored = encoded[part](100);
    const other = Uint8Array.from(stored.chunks[0] ?? []);
    other[50] = (other[50] ?? 0) ^ 1;
    for (const chunks of [[other, ...stored.chunks.slice(1)], stored.chunks.slice(1), []]) {
      expect(() => read[part]({ ...stored, chunks })).toThrow(
        expect.objectContaining({
          name: 'BrokenSnapshotError',
          message: `The ${part} does not match its checksum`,
        }),
      );
    }
  });
});

it('chunks are as large as an item of the table may be, those of a base as its readers bear', () => {
  // Base 64 of bytes as random: about as many bytes once it is packed.
  const question = createHash('shake256', { outputLength: 400_000 }).update('any').digest('base64');
  const [large, none] = [tableOf([snapshotEntry(1, { question })]), tableOf([])];
  expect(encodeBase(large).chunks[0]).toHaveLength(BASE_CHUNK_BYTES);
  expect(encodeDelta(none, deltaOf(none, large)).chunks[0]).toHaveLength(CHUNK_BYTES);
});

it('terms are packed smaller than zstd packs by itself', () => {
  const { chunks, bytes } = encodeTerms(termsOf(tableOf(entries)));
  expect(bytes).toBeLessThan(zstdCompressSync(unpack(Buffer.concat(chunks))).length);
});

describe('a snapshot that is read', () => {
  const decode = (markets = LISTED, terms?: ReturnType<typeof termsOf>) => {
    const stored = encoded.base();
    const { chunks, checksum } = encoded.snapshot();
    return decodeSnapshot(decodeBase(stored.chunks, stored.checksum), chunks, checksum, markets, terms);
  };

  it('has the markets of the list, as records and as lines', () => {
    const { records, list: lines, table } = decode();
    const expected = entries.slice(MARKETS - LISTED).map(({ market, facets }) => ({ ...market, ...facets }));
    expect([...records]).toEqual(expected);
    expect(lines.length).toBe(LISTED);
    expect(JSON.parse(lines.line(3))).toEqual(lines.at(3));
    expect(table.length).toBe(LISTED);
  });

  it('has the texts that were indexed with its base, where they were read with it', () => {
    const terms = termsOf(base());
    expect(decode().indexed).toBeUndefined();
    expect(decode(LISTED, terms).indexed?.table).toBe(terms);
  });

  it.each([LISTED - 1, LISTED + 1])('is refused when it should have %i markets', (markets) => {
    expect(() => decode(markets)).toThrow(
      expect.objectContaining({
        name: 'BrokenSnapshotError',
        message: `Expected ${markets} markets, found ${LISTED}`,
      }),
    );
  });

  it('is encoded market by market where its texts are those of a former version', () => {
    const facts = list().facts(0);
    const entry = snapshotEntry(1, { currentProbability: 50, oneDayPriceChange: 1 });
    const former = new HeldTable([JSON.stringify(facts)], [numbersOf(entry)]);
    const { list: lines } = new TableSnapshot(former);
    expect(lines.line(0)).toBe(JSON.stringify(lines.at(0)));
    expect(lines.at(0)).toMatchObject({ id: facts.id, oneDayPriceChange: 1 });
  });
});
