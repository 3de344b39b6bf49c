import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { byVolume } from '../../../../lambda/domain/market.ts';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { decodeBase, decodeSnapshot, encodeBase, encodeDelta } from '../../../../lambda/snapshots/codec.ts';
import { deltaOf } from '../../../../lambda/snapshots/delta.ts';
import { entryAt, tableOf } from '../../../../lambda/snapshots/stored-markets.ts';
import { manyEntries } from '../../../support/many-entries.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

/** What a reader makes of a list that is stored as its difference from a base. */
function throughStore(base: readonly SnapshotEntry[], list: readonly SnapshotEntry[]): SnapshotEntry[] {
  const table = tableOf(base);
  const stored = encodeBase(table);
  const { chunks, checksum } = encodeDelta(table, deltaOf(table, tableOf(list)));
  const read = decodeSnapshot(decodeBase(stored.chunks, stored.checksum), chunks, checksum, list.length);
  return list.map((_, position) => entryAt(read.table, position));
}

const percent = fc.integer({ min: 0, max: 100_000 }).map((value) => value / 1_000);
const change = fc.option(fc.integer({ min: -100_000, max: 100_000 }).map((value) => value / 1_000));
const money = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0, max: 1e9, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.integer({ min: 0, max: 1e12 }).map((value) => value / 1e6),
);
const price = fc.option(
  fc.integer({ min: 1, max: 9_999 }).map((value) => value / 10_000),
  { nil: undefined },
);

const entry = fc
  .record({
    n: fc.nat(30),
    percent,
    change,
    long: change,
    money,
    price,
    edited: fc.boolean(),
    hasMid: fc.boolean(),
  })
  .map(
    ({
      n,
      percent: currentProbability,
      change: oneDayPriceChange,
      long,
      money: volume,
      price: bestBid,
      edited,
      hasMid,
    }): SnapshotEntry => {
      const { market, facets } = snapshotEntry(n, { currentProbability, oneDayPriceChange, volume });
      const question = edited ? `Edited “${n}”?\n\u2028\ud83d` : market.question;
      return {
        market: { ...market, question, ...(long === null ? {} : { sevenDayPriceChange: long }) },
        facets: { ...facets, ...(bestBid === undefined ? {} : { bestBid, volume24h: volume }) },
        ...(hasMid ? { midpoint: Number((currentProbability / 100).toFixed(5)) } : {}),
      };
    },
  );
const list = fc
  .uniqueArray(entry, { selector: ({ market }) => market.id, maxLength: 20 })
  .map((entries) => entries.sort((a, b) => byVolume(a.market, b.market)));

describe('a snapshot that is stored as a difference', () => {
  it('comes back as it was, whatever the base', () => {
    fc.assert(
      fc.property(list, list, (base, snapshot) => {
        expect(throughStore(base, snapshot)).toEqual(snapshot);
      }),
    );
  });

  it('keeps an order that is not that of the volumes', () => {
    const entries = [3, 1, 2].map((n) => snapshotEntry(n));
    expect(throughStore(entries.slice(1), entries)).toEqual(entries);
  });

  it('keeps outcomes whose prices do not follow from the market\u2019s', () => {
    const { market, facets } = snapshotEntry(1);
    const outcomes = ['A', 'B', 'C'].map((label, n) => ({ label, tokenId: String(n), probability: 10 * n }));
    const three = { market, facets: { ...facets, outcomes } };
    expect(throughStore([], [three])).toEqual([three]);
  });

  it('is a fraction of its base where only numbers have changed', () => {
    const base = manyEntries(2_000);
    const table = tableOf(base);
    const moved = tableOf(
      base.map(({ market, facets }, n) => ({
        market: { ...market, currentProbability: (market.currentProbability + (n % 7) / 10) % 100 },
        facets,
      })),
    );
    const whole = encodeBase(table).bytes;
    expect(encodeDelta(table, deltaOf(table, moved)).bytes).toBeLessThan(whole / 20);
  });
});
