import { describe, expect, it } from '@jest/globals';
import type { Market, MarketDetails, Outcome } from '../../../../lambda/domain/market.ts';
import { longestRow } from '../../../../lambda/domain/row-bound.ts';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { numbersOf } from '../../../../lambda/snapshots/columns.ts';
import {
  at,
  entryAt,
  HeldTable,
  picked,
  pricesAt,
  recordAt,
  required,
  tableOf,
} from '../../../../lambda/snapshots/stored-markets.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

const YES = snapshotEntry(1).market.clobTokenId;

function withOutcomes(outcomes: readonly Outcome[]): SnapshotEntry {
  const { market, facets } = snapshotEntry(1);
  return { market, facets: { ...facets, outcomes } };
}

const outcome = (label: string, tokenId: string, probability?: number): Outcome =>
  probability === undefined ? { label, tokenId } : { label, tokenId, probability };

describe('the text of a market', () => {
  const { market, facets } = snapshotEntry(1);
  const held = () => tableOf([{ market, facets: { ...facets, eventTitle: 'A\tvote\n' } }]);

  it('is JSON on one line, two tabs between the parts of a default line and the rest', () => {
    const table = held();
    const [first, second, rest, ...others] = table.text(0).split('\t');
    expect(first).toBe(`{"id":"${market.id}","question":"${market.question}","slug":"${market.slug}",`);
    expect(second).toBe(`"endDate":"${market.endDate}","clobTokenId":"${YES}",`);
    expect(rest).toMatch(/^"tags":.*\}$/);
    expect(others).toEqual([]);
    expect(table.text(0)).not.toContain('\n');
    expect(JSON.parse(table.text(0))).toEqual(table.facts(0));
  });

  it('holds no number that changes', () => {
    const { facets: moved } = snapshotEntry(1);
    const other: SnapshotEntry = {
      market: { ...market, currentProbability: 45, volume: 1, liquidity: 2, oneDayPriceChange: 3 },
      facets: { ...moved, volume24h: 4, bestBid: 0.1, bestAsk: 0.9, spread: 0.8, lastTradePrice: 0.5 },
      midpoint: 0.2,
    };
    expect(tableOf([other]).text(0)).toBe(tableOf([snapshotEntry(1)]).text(0));
    expect(Object.keys(held().facts(0))).not.toContain('bestBid');
  });

  it('names YES where it is called otherwise', () => {
    const named = (label: string) =>
      tableOf([withOutcomes([outcome(label, YES, 45), outcome('No', '2', 55)])]).facts(0).outcome;
    expect([named('Yes'), named('Up')]).toEqual([undefined, 'Up']);
  });
});

describe('the outcomes of a market', () => {
  it('lose their prices in the text where those follow from the market\u2019s', () => {
    const { sides, outcomes } = tableOf([snapshotEntry(1)]).facts(0);
    expect(sides?.map((side) => Object.keys(side))).toEqual([
      ['label', 'tokenId'],
      ['label', 'tokenId'],
    ]);
    expect(outcomes).toBeUndefined();
  });

  it.each([
    ['the first is not priced like the market', [outcome('Yes', YES, 44), outcome('No', '2', 55)]],
    ['the second is not what the first is not', [outcome('Yes', YES, 45), outcome('No', '2', 54)]],
    ['one has no price', [outcome('Yes', YES, 45), outcome('No', '2')]],
    ['neither is the market\u2019s, and none has a price', [outcome('A', '1'), outcome('B', '2')]],
    ['there is one only', [outcome('Yes', YES, 45)]],
    ['there are three', [outcome('Yes', YES, 45), outcome('B', '2', 30), outcome('C', '3', 25)]],
    ['there are none', []],
  ])('are kept as they are where %s', (_, outcomes) => {
    const entry = withOutcomes(outcomes);
    const table = tableOf([entry]);
    expect(table.facts(0).outcomes).toEqual(outcomes);
    expect(entryAt(table, 0)).toEqual(entry);
  });
});

describe('a market of a table', () => {
  const { market, facets } = snapshotEntry(1, {
    currentProbability: 45,
    oneDayPriceChange: null,
    sevenDayPriceChange: 1.25,
    thirtyDayPriceChange: -2,
  });
  // Every field, also one that is added to the schema some day: what is left out here does not compile.
  const everyField: Required<Omit<Market, 'outcome'>> = {
    ...market,
    slug: 'a-vote',
    sevenDayPriceChange: 1.25,
    thirtyDayPriceChange: -2,
  };
  const everyDetail: Required<MarketDetails> = {
    volume24h: 3,
    bestBid: 0.44,
    bestAsk: 0.46,
    spread: 0.02,
    lastTradePrice: 0.4,
    eventSlug: 'votes',
    eventTitle: 'Votes',
    groupItemTitle: 'A',
    negRisk: true,
    tags: ['politics'],
    outcomes: facets.outcomes,
    image: 'https://upload.example/vote.jpg',
    createdAt: '2026-01-02T03:04:05.678Z',
    minimumTickSize: 0.001,
    protocolVersion: 'v2',
  };
  const full: SnapshotEntry = { market: everyField, facets: everyDetail, midpoint: 0.45125 };

  it('comes back as it was, with all that it may have and with the least', () => {
    const { slug: _, ...unslugged } = snapshotEntry(2).market;
    const bare: SnapshotEntry = {
      market: { ...unslugged, oneDayPriceChange: 0 },
      facets: { tags: [], outcomes: [], protocolVersion: 'v2' },
    };
    const table = tableOf([full, bare]);
    expect([entryAt(table, 0), entryAt(table, 1)]).toStrictEqual([full, bare]);
    expect(recordAt(table, 0)).toEqual({ ...full.market, ...full.facets });
    expect(table.length).toBe(2);
  });

  it('has its prices in percent and its midpoint as a share, without binary noise', () => {
    const table = tableOf([
      { market: { ...market, currentProbability: 28.7, oneDayPriceChange: 0.3 }, facets, midpoint: 0.2875 },
    ]);
    expect(pricesAt(table, 0)).toEqual({
      currentProbability: 28.7,
      changes: { oneDay: 0.3, sevenDay: 1.25, thirtyDay: -2 },
      midpoint: 0.2875,
    });
    expect(pricesAt(tableOf([snapshotEntry(1)]), 0).midpoint).toBeUndefined();
  });

  it('is refused where it is none, or lacks a number that every market has', () => {
    const table = tableOf([full]);
    const there = new RangeError('There is no market at 1');
    expect(() => table.text(1)).toThrow(there);
    expect(() => table.facts(1)).toThrow(there);
    expect(() => table.number('volume', 1)).toThrow(there);
    expect(() => at([5], -1)).toThrow(RangeError);
    expect([at([5], 0), required(0)]).toEqual([5, 0]);
    expect(() => required(undefined)).toThrow('A market lacks a number that every market has');
  });
});

describe('some markets', () => {
  it('are picked in the order of their positions', () => {
    const entries = [1, 2, 3].map((n) => snapshotEntry(n));
    const some = picked(tableOf(entries), [2, 0]);
    expect([entryAt(some, 0), entryAt(some, 1)]).toEqual([entries[2], entries[0]]);
    expect(some.length).toBe(2);
  });

  it('are bounded by the longest of them, which is looked for once', () => {
    const entries = [snapshotEntry(1), snapshotEntry(2, { question: 'Long? '.repeat(50) })];
    const texts = tableOf(entries);
    let read = 0;
    const table = new HeldTable(
      [0, 1].map((n) => texts.text(n)),
      entries.map(numbersOf),
    );
    const facts = table.facts.bind(table);
    table.facts = (position) => {
      read += 1;
      return facts(position);
    };
    const expected = longestRow(entries.map(({ market, facets }) => ({ ...market, ...facets })));
    expect([table.longestRow, table.longestRow]).toEqual([expected, expected]);
    expect(read).toBe(2);
  });
});
