import { describe, expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import {
  decodeMarket,
  defaultPart,
  encodeMarkets,
  splitLines,
} from '../../../../lambda/core/domain/market-lines.ts';
import {
  checksumOf,
  compress,
  decompress,
  requireNode,
} from '../../../../lambda/io/snapshots/snapshot-codec.ts';
import { BrokenSnapshotError } from '../../../../lambda/io/snapshots/snapshot-manifest.ts';
import { Dice } from '../../../support/dice.ts';
import { testMarket } from '../../../support/markets.ts';

// The markets of a snapshot are a text, a line of JSON for each, so that the API can send lines as
// they are. The table has that text compressed, usually as its difference from the text of an older
// snapshot, the base.

/** A text with all that could break a line of JSON or end a field too early. */
const UGLY = '","details":{"x":1}, \\ \n \u2028 "quoted" 日本 🇺🇸 \ud800';

/** Markets with as many random characters as real ones: token ids of 77 digits. */
function realisticMarkets(count: number, dice: Dice): Market[] {
  const digits = () => Array.from({ length: 77 }, () => Math.floor(dice.between(0, 10))).join('');
  return Array.from({ length: count }, (_, n) => {
    const [tokenId, other] = [digits(), digits()];
    const outcomes = [tokenId, other].map((id) => ({ label: 'Yes', tokenId: id }));
    return testMarket(n, { question: `Will it be ${digits()}?`, clobTokenId: tokenId, outcomes });
  });
}

/** The same markets a minute later: some were traded. */
function traded(markets: readonly Market[], dice: Dice): Market[] {
  return markets.map((market) =>
    dice.chance(0.2)
      ? {
          ...market,
          currentProbability: Math.round(dice.between(0, 1_000)) / 10,
          volume: market.volume + 1,
        }
      : market,
  );
}

describe('the text of a snapshot', () => {
  const markets = [
    testMarket(0, { question: UGLY, sevenDayPriceChange: 4, priceSource: 'catalogue' }),
    testMarket(1, { outcome: ',', slug: undefined }),
  ];
  const lines = splitLines(encodeMarkets(markets));

  it('has one line for each market, from which the whole market can be read', () => {
    expect(lines).toHaveLength(markets.length);
    expect(lines.map(decodeMarket)).toEqual(markets);
    expect(splitLines(encodeMarkets([]))).toEqual([]);
  });

  // Lists in default form take the beginnings of the lines as they are.
  it('begins each line with the default fields, whatever the texts hold', () => {
    const [ugly, other] = lines.map((line) => JSON.parse(defaultPart(line)));
    // Without `outcome`, which only the other market has.
    expect(Object.keys(ugly)).toEqual([
      'id',
      'question',
      'slug',
      'currentProbability',
      'volume',
      'liquidity',
      'oneDayPriceChange',
      'sevenDayPriceChange',
      'endDate',
      'clobTokenId',
    ]);
    expect(ugly).toMatchObject({ question: UGLY, sevenDayPriceChange: 4 });
    expect(other).toMatchObject({ outcome: ',' });
  });
});

describe('compression', () => {
  const dice = new Dice(3);
  const before = realisticMarkets(300, dice);
  const base = encodeMarkets(before);
  const text = encodeMarkets(traded(before, dice));
  const full = compress(text);
  const difference = compress(text, base);
  const checksum = checksumOf(text);
  const otherBase = encodeMarkets(before.toReversed());

  it('returns the text, with a base and without one', () => {
    expect(decompress(full, checksum).equals(text)).toBe(true);
    expect(decompress(difference, checksum, base).equals(text)).toBe(true);
    const empty = encodeMarkets([]);
    expect(decompress(compress(empty, base), checksumOf(empty), base)).toEqual(empty);
  });

  it.each<[string, () => Buffer]>([
    ['the wrong base', () => decompress(difference, checksum, otherBase)],
    ['no base', () => decompress(difference, checksum)],
    ['another checksum', () => decompress(full, checksumOf(base))],
    ['half of the bytes', () => decompress(full.subarray(0, full.length / 2), checksum)],
    ['other bytes', () => decompress(Buffer.from('no zstd'), checksum)],
  ])('notices %s', (_, decompressing) => {
    expect(decompressing).toThrow(BrokenSnapshotError);
  });

  it('stores the difference between two snapshots of 10,000 markets in a tenth', () => {
    // Their texts are longer than the 4 MB in which zstd looks for repetitions by default.
    const old = realisticMarkets(10_000, new Dice(7));
    const oldText = encodeMarkets(old);
    const newText = encodeMarkets(traded(old, new Dice(8)));
    const stored = compress(newText, oldText);
    expect(stored.length).toBeLessThan(compress(newText).length / 10);
    expect(decompress(stored, checksumOf(newText), oldText).equals(newText)).toBe(true);
  });

  it('refers to the whole base, even when the text is much shorter', () => {
    const short = Buffer.from(base.subarray(0, 2_000));
    expect(compress(short, base).length).toBeLessThan(compress(short).length / 4);
  });
});

it('the version of Node is at least 24.6, because older ones ignore dictionaries', () => {
  for (const version of ['22.99.0', '24.5.9']) expect(() => requireNode(version)).toThrow('24.6');
  for (const version of ['24.6.0', '24.21.0', '25.0.0'])
    expect(() => requireNode(version)).not.toThrow();
});
