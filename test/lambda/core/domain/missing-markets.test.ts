import { describe, expect, it } from '@jest/globals';
import {
  type MissingMarkets,
  missingMarkets,
  type NewList,
} from '../../../../lambda/core/domain/missing-markets.ts';
import { AS_OF, testMarket, testMarkets } from '../../../support/markets.ts';

const DAY = 86_400_000;
/** The previous list: 100 markets, the full number of the stage, in descending order of volume. */
const before = { markets: testMarkets(100) };
/** A new list of the same markets, none of them closed, unless a test changes it. */
const list = (changes: Partial<NewList>): NewList => ({
  asOf: AS_OF,
  markets: before.markets,
  maxMarkets: 100,
  closed: new Set(),
  ...changes,
});
/** How many markets are missing, and how many the list should have. */
const count = (missing: MissingMarkets | undefined) =>
  missing && [missing.markets.length, missing.expected];

describe('a list that lacks markets of the one before', () => {
  it('is complete while it has 80 % of them', () => {
    expect(missingMarkets(before, list({ markets: before.markets.slice(20) }))).toBeUndefined();
  });

  it('names those that it lacks when they are more', () => {
    expect(missingMarkets(before, list({ markets: before.markets.slice(21) }))).toEqual({
      since: AS_OF,
      expected: 100,
      markets: before.markets.slice(0, 21).map(({ id, volume, endDate }) => ({
        id,
        volume,
        endsAt: Date.parse(endDate),
      })),
    });
  });

  it('lacks them although as many others, of lower volume, have taken their places', () => {
    const markets = testMarkets(130).slice(30);
    expect(count(missingMarkets(before, list({ markets })))).toEqual([30, 100]);
    const higher = before.markets.slice(0, 79);
    expect(count(missingMarkets(before, list({ markets: higher })))).toEqual([21, 100]);
  });

  it('does not lack those whose places markets of higher volume have taken', () => {
    const equal = before.markets.map((market, n) => (n < 70 ? market : { ...market, volume: 1 }));
    const higher = Array.from({ length: 30 }, (_, n) =>
      testMarket(200 + n, { volume: 2_000_000 + n }),
    );
    const markets = [...higher, ...equal.slice(0, 70)];
    expect(missingMarkets({ markets: equal }, list({ markets }))).toBeUndefined();
  });

  it('does not lack those that the deployer no longer lists', () => {
    const markets = before.markets.slice(0, 50);
    expect(missingMarkets(before, list({ markets, maxMarkets: 50 }))).toBeUndefined();
  });

  it('does not lack those that are shown as closed, whatever the form of the id', () => {
    // The previous list has this id with 31 bytes, and the closed market has it padded to 32.
    const short = `0x${'0'.repeat(60)}aa`;
    const markets = [testMarket(500, { id: short }), ...before.markets.slice(1, 30)];
    const closed = new Set([`${short}00`, ...markets.slice(1, 28).map(({ id }) => id)]);
    expect(
      missingMarkets({ markets }, list({ markets: markets.slice(28), closed })),
    ).toBeUndefined();
    expect(count(missingMarkets({ markets }, list({ markets: markets.slice(28) })))).toEqual([
      28, 30,
    ]);
  });

  it('does not lack those whose end date has passed', () => {
    const ended = before.markets.map((market, n) =>
      n < 50 ? { ...market, endDate: new Date(AS_OF).toISOString() } : market,
    );
    expect(missingMarkets({ markets: ended }, list({ markets: ended.slice(50) }))).toBeUndefined();
  });
});

describe('the lists after one that lacks markets', () => {
  /** The first of these lists lacks 45 of the 100 markets. The next one comes two minutes later. */
  const short = before.markets.slice(45);
  const missing = missingMarkets(before, list({ markets: short }));
  const listLater = (changes: Partial<NewList>) =>
    missingMarkets(
      { markets: short, ...(missing && { missing }) },
      list({ asOf: AS_OF + 120_000, ...changes }),
    );

  it('lack them, and others that they lose, since the first', () => {
    expect(listLater({ markets: short })).toEqual(missing);
    const fewer = listLater({ markets: short.slice(10) });
    expect([fewer?.since, ...(count(fewer) ?? [])]).toEqual([AS_OF, 55, 100]);
  });

  it('are complete as soon as they have 80 %', () => {
    expect(listLater({ markets: before.markets.slice(20) })).toBeUndefined();
    expect(count(listLater({ markets: before.markets.slice(21) }))).toEqual([21, 100]);
  });

  it('are complete when the missing markets have ended', () => {
    const endOfAll = Date.parse(before.markets[0]?.endDate ?? '');
    expect(listLater({ markets: short, asOf: endOfAll })).toBeUndefined();
  });

  it('are complete seven days after the first', () => {
    expect(count(listLater({ markets: short, asOf: AS_OF + 7 * DAY - 1 }))).toEqual([45, 100]);
    expect(listLater({ markets: short, asOf: AS_OF + 7 * DAY })).toBeUndefined();
  });
});
