import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ByteWriter, zigzag } from '../../../../../lambda/snapshots/bytes.ts';
import type { NumberName } from '../../../../../lambda/snapshots/columns.ts';
import {
  decodeVarintSnapshot,
  FORMER_COLUMNS,
} from '../../../../../lambda/snapshots/former/varint-tables.ts';
import { tableOf } from '../../../../../lambda/snapshots/stored-markets.ts';
import { snapshotEntry } from '../../../../support/snapshot-entry.ts';

/** A number as that version wrote it: by its code, of which 2 has a double after it. */
type Code = number | { readonly double: number };
const KEPT = 0;
const NONE = 1;
/** So many units more than in the base, or than nothing. */
const more = (units: number): Code => zigzag(units) + 3;

/** The codes of each market of a list, by column; 0 for all others. */
type Codes = readonly Readonly<Partial<Record<NumberName, Code>>>[];

function stored(write: (writer: ByteWriter) => void) {
  const writer = new ByteWriter();
  write(writer);
  const chunks = [zstdCompressSync(writer.take())];
  return { chunks, checksum: createHash('sha256').update(Buffer.concat(chunks)).digest('hex') };
}

function writeColumns(writer: ByteWriter, codes: Codes): void {
  for (const [name] of FORMER_COLUMNS) {
    for (const market of codes) {
      const code = market[name] ?? KEPT;
      writer.varint(typeof code === 'number' ? code : 2);
      if (typeof code !== 'number') writer.double(code.double);
    }
  }
}

function writeRows(writer: ByteWriter, ns: readonly number[], codes: Codes, length = ns.length): void {
  writer.text(ns.map((n) => tableOf([snapshotEntry(n)]).text(0)).join('\n'));
  writer.varint(length);
  writeColumns(writer, codes);
}

/** All that a market must have: 45 %, and so many USD. */
const priced = (volume: Code) => ({ currentProbability: more(45_000), volume, liquidity: more(1) });
const NS = [1, 2, 3, 4];
const base = stored((writer) =>
  writeRows(
    writer,
    NS,
    [40, 30, 20, 10].map((usd) => priced(more(usd * 1e6))),
  ),
);

interface Change {
  /** Gaps between the positions of the base that are gone. */
  readonly gone?: readonly number[];
  /** Of those that are kept. */
  readonly codes?: Codes;
  readonly added?: readonly number[];
  readonly addedCodes?: Codes;
  /** Distances of the places; without them the order is by volume. */
  readonly order?: readonly number[];
}

function change({ gone = [], codes = [{}, {}, {}, {}], added = [], addedCodes = [], order }: Change) {
  return stored((writer) => {
    writer.varint(gone.length);
    for (const gap of gone) writer.varint(gap);
    writeRows(writer, added, addedCodes);
    writeColumns(writer, codes);
    writer.varint(order ? 1 : 0);
    for (const distance of order ?? []) writer.varint(zigzag(distance));
  });
}

/** The numbers in the questions of the markets, in list order. */
function read(of: Change, markets: number, from = base): number[] {
  const { records } = decodeVarintSnapshot(from, change(of), markets);
  return [...records].map(({ question }) => Number(/\d+/.exec(question)?.[0]));
}

describe('the list of a snapshot of varints', () => {
  it.each<[string, Change, number[]]>([
    ['the base where nothing has changed', {}, [1, 2, 3, 4]],
    ['the base without the first and the third', { gone: [0, 1], codes: [{}, {}] }, [2, 4]],
    ['the base without the last two', { gone: [2, 0], codes: [{}, {}] }, [1, 2]],
    ['nothing where all are gone', { gone: [0, 0, 0, 0], codes: [] }, []],
    ['the added ones by their volumes', { added: [8], addedCodes: [priced(more(25e6))] }, [1, 2, 8, 3, 4]],
    [
      'the added ones by their ids where volumes are the same',
      { added: [0], addedCodes: [priced(more(40e6))] },
      [0, 1, 2, 3, 4],
    ],
    [
      'markets without a volume last',
      { added: [9], addedCodes: [priced(more(-1))], codes: [{}, {}, {}, {}] },
      [1, 2, 3, 4, 9],
    ],
    ['an order by volumes that have changed', { codes: [{ volume: more(-35e6) }, {}, {}, {}] }, [2, 3, 4, 1]],
    ['any other order', { order: [3, -2, 1, -2] }, [4, 2, 3, 1]],
  ])('is %s', (_, of, ns) => {
    expect(read(of, ns.length)).toEqual(ns);
  });

  it('is refused when it does not have the markets that it should', () => {
    // A place after the last market holds none.
    expect(() => read({ order: [4, -1, -1, -1] }, 4)).toThrow('Expected 4 markets, found 3');
  });

  it('is refused when the texts are not those of all markets', () => {
    const short = stored((writer) => writeRows(writer, NS, [], 5));
    expect(() => read({}, 4, short)).toThrow(new RangeError('Expected 5 markets, found 4'));
  });

  it('is empty over an empty base', () => {
    const empty = stored((writer) => writeRows(writer, [], []));
    expect(read({ codes: [] }, 0, empty)).toEqual([]);
  });
});

describe('a number of a snapshot of varints', () => {
  const liquidityOf = (code: Code) => {
    const codes = [{ liquidity: code }, {}, {}, {}];
    return decodeVarintSnapshot(base, change({ codes }), 4).table.number('liquidity', 0);
  };

  it.each<[string, Code, number | undefined]>([
    ['as in the base', KEPT, 0.000_001],
    ['gone', NONE, undefined],
    ['a double', { double: 0.1 + 0.2 }, 0.1 + 0.2],
    ['so many units more', more(2), 0.000_003],
    ['so many units less', more(-3), -0.000_002],
    ['the same, told as no unit more', more(0), 0.000_001],
  ])('is %s', (_, code, value) => {
    expect(liquidityOf(code)).toBe(value);
  });

  it('counts from nothing where the base has none', () => {
    const codes = [{ volume24h: more(2_500_000) }, {}, {}, {}];
    const { table } = decodeVarintSnapshot(base, change({ codes }), 4);
    expect([table.number('volume24h', 0), table.number('volume24h', 1)]).toEqual([2.5, undefined]);
  });
});
