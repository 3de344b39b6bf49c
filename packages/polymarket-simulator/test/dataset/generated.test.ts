import { describe, expect, it } from '@jest/globals';
import { GeneratedSource } from '../../src/dataset/generated.ts';
import { readToken, tokenOf } from '../../src/dataset/tokens.ts';
import { held, type Json, NOW } from '../helpers.ts';

const DAY = 86_400_000;

function wires(source: GeneratedSource): Json[] {
  const list: Json[] = [];
  for (let index = 0; index < source.size; index++) {
    // What a reader sees: undefined does not survive JSON.
    list.push(JSON.parse(JSON.stringify(source.wire(index, NOW, true))) as Json);
  }
  return list;
}

const dataset = wires(new GeneratedSource({ seed: 1, markets: 2_500, now: NOW }));
const event = (market: Json) => (market.events as Json[] | undefined)?.[0];
const hasEnd = (market: Json) => market.endDate !== undefined || event(market)?.endDate !== undefined;
const count = (test: (market: Json) => boolean) => dataset.filter(test).length;

describe('the generated dataset', () => {
  it('is a function of the seed and the index, whatever was looked at before', () => {
    const other = new GeneratedSource({ seed: 1, markets: 50_000, now: NOW + 3_600_000 });
    for (const index of [2_499, 0, 1_234])
      expect(JSON.parse(JSON.stringify(other.wire(index, NOW, true)))).toEqual(dataset[index]);
    const seeded = new GeneratedSource({ seed: 2, markets: 1, now: NOW });
    expect(seeded.wire(0, NOW, true).conditionId).not.toBe(dataset[0]?.conditionId);
  });

  it('has unique ids, condition ids, slugs and tokens in upstream’s forms', () => {
    for (const name of ['id', 'conditionId', 'slug'])
      expect(new Set(dataset.map((m) => m[name])).size).toBe(2_500);
    expect(dataset.every((m) => /^0x[0-9a-f]{64}$/.test(String(m.conditionId)))).toBe(true);
    expect(dataset.every((m) => /^[\x21-\x7e]+$/.test(String(m.slug)))).toBe(true);
    const tokens = dataset.flatMap((market) => held(market, 'clobTokenIds'));
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(tokens.every((token) => /^\d{77,78}$/.test(token) && BigInt(token) < 2n ** 256n)).toBe(true);
  });

  it('finds the market of each token, and of no other number', () => {
    for (const index of [0, 7, 49_999]) {
      for (const outcome of [0, 1])
        expect(readToken(1, tokenOf(1, index, outcome))).toEqual({ index, outcome });
    }
    expect(readToken(2, tokenOf(1, 7, 0))).toBeUndefined();
    expect(readToken(1, String(BigInt(tokenOf(1, 7, 0)) + 2n ** 40n))).toBeUndefined();
    expect(readToken(1, '123')).toBeUndefined();
  });

  it('leaves well over 2,000 of 2,500 markets to list', () => {
    const listable = count(
      (m) =>
        m.active === true &&
        m.closed === false &&
        m.archived === false &&
        m.enableOrderBook === true &&
        held(m, 'outcomes').length === 2 &&
        held(m, 'clobTokenIds').length === 2 &&
        hasEnd(m),
    );
    expect(listable).toBeGreaterThan(2_200);
    expect(listable).toBeLessThan(2_480);
  });

  it('makes 50,000 different markets', () => {
    const large = new GeneratedSource({ seed: 3, markets: 50_000, now: NOW });
    const ids = new Set(Array.from({ length: large.size }, (_, index) => large.facts(index).conditionId));
    expect(ids.size).toBe(50_000);
  });

  const oddities: readonly (readonly [string, (market: Json) => boolean])[] = [
    ['"Yes" in second place', (m) => held(m, 'outcomes')[1] === 'Yes'],
    ['YES in capitals', (m) => held(m, 'outcomes').includes('YES')],
    ['Up/Down', (m) => held(m, 'outcomes')[0] === 'Up'],
    ['Over/Under', (m) => held(m, 'outcomes')[0] === 'Over'],
    [
      'team names',
      (m) => m.outcomes !== undefined && !/"(yes|no|up|over)"/i.test(String(m.outcomes)) && m.outcomes !== '',
    ],
    ['no end date but the event’s', (m) => m.endDate === undefined && hasEnd(m)],
    ['no end date at all', (m) => !hasEnd(m)],
    ['no event', (m) => m.events === undefined],
    ['an open market past its end', (m) => m.closed === false && Date.parse(String(m.endDate)) < NOW],
    ['fractional seconds', (m) => /\.\d{1,9}Z$/.test(String(m.endDate))],
    [
      'a wide spread with a last trade',
      (m) => Number(m.spread) > 0.1 && m.lastTradePrice !== undefined && m.closed === false,
    ],
    ['a wide spread without a last trade', (m) => Number(m.spread) > 0.1 && m.lastTradePrice === undefined],
    ['a spread of exactly 0.10', (m) => m.spread === 0.1],
    ['no bids', (m) => m.bestBid === undefined && Number(m.bestAsk) < 1],
    ['no asks', (m) => m.bestAsk === 1 && Number(m.bestBid) > 0],
    ['no outcomePrices', (m) => m.outcomePrices === undefined && m.clobTokenIds !== undefined],
    [
      'no price anywhere',
      (m) => m.outcomePrices === undefined && m.bestAsk === undefined && m.enableOrderBook === true,
    ],
    [
      'JSON strings absent, null or empty',
      (m) => m.outcomes === undefined || m.outcomes === null || m.outcomes === '',
    ],
    ['accents', (m) => /[À-ɏ]/.test(String(m.question))],
    ['quotes', (m) => String(m.question).includes('"')],
    ['ampersands', (m) => String(m.question).includes('&')],
    ['angle brackets', (m) => /[<>]/.test(String(m.question))],
    ['outer spaces', (m) => String(m.question) !== String(m.question).trim()],
    ['closed', (m) => m.closed === true && m.active === true],
    ['archived', (m) => m.archived === true],
    ['inactive', (m) => m.active === false],
    ['no order book', (m) => m.enableOrderBook === false],
    ['younger than a day', (m) => NOW - Date.parse(String(m.createdAt)) < DAY],
    ['younger than a week', (m) => NOW - Date.parse(String(m.createdAt)) < 7 * DAY],
    ['younger than a month', (m) => NOW - Date.parse(String(m.createdAt)) < 30 * DAY],
    ['no volume', (m) => m.volume === undefined && m.volumeNum === undefined],
    ['a tiny volume', (m) => Number(m.volumeNum) < 10],
    ['a volume in the millions', (m) => Number(m.volumeNum) > 2e6],
    ['a rounded volumeNum', (m) => m.volume !== undefined && String(m.volumeNum) !== m.volume],
    ['no oneDayPriceChange', (m) => m.oneDayPriceChange === undefined],
    ['no liquidity', (m) => m.liquidity === undefined],
  ];
  it.each(oddities)('holds some markets with: %s', (_, test) => {
    expect(count(test)).toBeGreaterThanOrEqual(2);
    expect(count(test)).toBeLessThan(1_300);
  });

  it('repeats questions', () => {
    expect(new Set(dataset.map((market) => String(market.question).trim())).size).toBeLessThan(2_450);
  });

  it('never has a volume above 36 million and writes amounts as strings and numbers', () => {
    for (const market of dataset) {
      expect(Number(market.volumeNum ?? 0)).toBeLessThanOrEqual(36e6);
      if (market.volume !== undefined) expect(market.volume).toMatch(/^\d+(\.\d+)?$/);
    }
  });

  it('never sends an empty, zero or null amount or date', () => {
    for (const name of [
      'volumeNum',
      'liquidityNum',
      'volume24hr',
      'oneDayPriceChange',
      'endDate',
      'bestBid',
    ]) {
      expect(
        count(
          (m) => m.closed === false && name in m && (m[name] === 0 || m[name] === null || m[name] === ''),
        ),
      ).toBe(0);
    }
  });

  it.each([
    'elections',
    'us-election',
    'primaries',
    'crypto',
    'bitcoin',
    'ethereum',
    'sports',
    'nba',
    'nfl',
    'soccer',
    'esports',
    'economy',
    'fed-rates',
    'inflation',
    'tech',
    'ai',
    'big-tech',
    'weather',
    'pop-culture',
  ])('tags some markets %s', (slug) => {
    expect(count((market) => (market.tags as Json[]).some((tag) => tag.slug === slug))).toBeGreaterThan(5);
  });

  it('fills every placeholder of its templates', () => {
    expect(
      dataset.filter((market) =>
        /[{}]/.test(JSON.stringify([market.question, event(market)?.title, market.outcomes])),
      ),
    ).toEqual([]);
  });
});
