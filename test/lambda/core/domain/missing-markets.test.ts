// `findMissingMarkets` compares a new list of markets with the previous one. If more than 20 % of
// the markets that should still be listed are absent, the upstream hides them, and the service says
// so.

import { describe, expect, it } from '@jest/globals';
import {
  findMissingMarkets,
  type MissingMarkets,
  type NewList,
} from '../../../../lambda/core/domain/missing-markets.ts';
import { AS_OF, testMarket, testMarkets } from '../../../support/markets.ts';

const DAY_MS = 86_400_000;
/** The previous list: 100 markets in descending order of volume. It is complete. */
const MARKETS = testMarkets(100);

/** A new list. Without changes, it has the same markets. */
const newList = (changes: Partial<NewList>): NewList => ({
  asOf: AS_OF,
  markets: MARKETS,
  maxMarkets: 100,
  closed: new Set(),
  ...changes,
});

/** The markets that a new list lacks. Undefined if it is complete. */
const missingFrom = (changes: Partial<NewList>) =>
  findMissingMarkets({ markets: MARKETS }, newList(changes));

/** How many markets are missing of those that should be listed, for example "21 of 100". */
const counts = (missing: MissingMarkets | undefined) =>
  missing && `${missing.markets.length} of ${missing.expected}`;

describe('a new list', () => {
  it('is complete if it has 80 % of the previous list', () => {
    expect(missingFrom({ markets: MARKETS.slice(20) })).toBeUndefined();
  });

  it('names the markets that it lacks if it has less than 80 %', () => {
    expect(missingFrom({ markets: MARKETS.slice(21) })).toEqual({
      since: AS_OF,
      expected: 100,
      markets: MARKETS.slice(0, 21).map(({ id, volume, endDate }) => ({
        id,
        volume,
        endsAt: Date.parse(endDate),
      })),
    });
  });

  it('lacks the last markets like the first ones', () => {
    expect(counts(missingFrom({ markets: MARKETS.slice(0, 79) }))).toBe('21 of 100');
  });

  it('lacks markets even if others of lower volume have taken their places', () => {
    const markets = testMarkets(130).slice(30);
    expect(counts(missingFrom({ markets }))).toBe('30 of 100');
  });
});

describe('a new list does not lack markets', () => {
  it('whose places others of higher volume have taken', () => {
    // The last 30 markets of the previous list have the lowest volume.
    const previous = MARKETS.map((market, n) => (n < 70 ? market : { ...market, volume: 1 }));
    const higher = Array.from({ length: 30 }, (_, n) => testMarket(200 + n, { volume: 2_000_000 }));
    const markets = [...higher, ...previous.slice(0, 70)];
    expect(findMissingMarkets({ markets: previous }, newList({ markets }))).toBeUndefined();
  });

  it('if the deployer has lowered the maximum number of markets', () => {
    expect(missingFrom({ markets: MARKETS.slice(0, 50), maxMarkets: 50 })).toBeUndefined();
  });

  it('that are closed', () => {
    const closed = new Set(MARKETS.slice(0, 50).map(({ id }) => id));
    expect(missingFrom({ markets: MARKETS.slice(50), closed })).toBeUndefined();
  });

  it('that are closed under the 32-byte form of a 31-byte id', () => {
    const id = `0x${'ab'.repeat(31)}`;
    const previous = { markets: [testMarket(0, { id })] };
    expect(counts(findMissingMarkets(previous, newList({ markets: [] })))).toBe('1 of 1');
    const closed = new Set([`${id}00`]);
    expect(findMissingMarkets(previous, newList({ markets: [], closed }))).toBeUndefined();
  });

  it('whose end date has passed', () => {
    const endDate = new Date(AS_OF).toISOString();
    const previous = MARKETS.map((market, n) => (n < 50 ? { ...market, endDate } : market));
    const markets = previous.slice(50);
    expect(findMissingMarkets({ markets: previous }, newList({ markets }))).toBeUndefined();
  });
});

describe('after a list that lacks 45 of 100 markets, the next list', () => {
  const incomplete = MARKETS.slice(45);
  const missing = missingFrom({ markets: incomplete });
  /** The markets that a third list lacks, two minutes later, unless a test changes the time. */
  const missingLater = (changes: Partial<NewList>) => {
    const previous = { markets: incomplete, ...(missing && { missing }) };
    return findMissingMarkets(previous, newList({ asOf: AS_OF + 120_000, ...changes }));
  };

  it('lacks the same markets since the first list', () => {
    expect(missingLater({ markets: incomplete })).toEqual(missing);
  });

  it('also lacks the markets that it loses itself', () => {
    const found = missingLater({ markets: incomplete.slice(10) });
    expect(counts(found)).toBe('55 of 100');
    expect(found?.since).toBe(AS_OF);
  });

  it('is complete as soon as it has 80 % of the first list again', () => {
    expect(missingLater({ markets: MARKETS.slice(20) })).toBeUndefined();
    expect(counts(missingLater({ markets: MARKETS.slice(21) }))).toBe('21 of 100');
  });

  it('is complete when the missing markets have ended', () => {
    const endOfAll = Date.parse(MARKETS[0]?.endDate ?? '');
    expect(missingLater({ markets: incomplete, asOf: endOfAll })).toBeUndefined();
  });

  it('is complete seven days after the first one', () => {
    const asOf = AS_OF + 7 * DAY_MS;
    expect(counts(missingLater({ markets: incomplete, asOf: asOf - 1 }))).toBe('45 of 100');
    expect(missingLater({ markets: incomplete, asOf })).toBeUndefined();
  });
});
