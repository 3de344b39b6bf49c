import { describe, expect, it } from '@jest/globals';
import {
  eventResult,
  eventsResult,
  historyResult,
  marketResult,
  marketsResult,
  orderBookResult,
  shortTexts,
  statusResult,
} from '../../../../lambda/endpoints/mcp/tool-results.ts';

/** Prices of 12:00:00 are 60 s old at 12:01:00. What was read now has no age. */
const NOW = Date.UTC(2026, 10, 21, 12, 1, 0);
const AS_OF = { 'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT' };
const AGE = { asOf: '2026-11-21T12:00:00.000Z', ageSeconds: 60 };
const FRESH = { asOf: '2026-11-21T12:01:00.000Z', ageSeconds: 0 };

const respond = (value: unknown, headers: Readonly<Record<string, string>> = AS_OF) => ({
  status: 200,
  body: JSON.stringify(value),
  headers,
});
const seconds = (ms: number) => ms / 1_000;

describe('the result', () => {
  it('of a list has its age, its total and the kind of match', () => {
    const headers = { ...AS_OF, 'X-Total-Count': '7', 'X-Search-Match': 'any' };
    const found = [{ id: '0x1' }];
    expect(marketsResult(respond(found, headers), NOW)).toEqual({
      ...AGE,
      total: 7,
      match: 'any',
      markets: found,
    });
    expect(marketsResult(respond(found), NOW)).toEqual({ ...AGE, total: 1, markets: found });
  });

  it('marks doubtful changes with ≈ and says in one sentence what that means', () => {
    const doubtful = {
      oneDayPriceChange: -3,
      sevenDayPriceChange: 40.2,
      doubtfulChanges: ['sevenDayPriceChange', 'thirtyDayPriceChange'],
    };
    const other = { oneDayPriceChange: 2 };
    const shown = { ...doubtful, sevenDayPriceChange: '≈40.2' };
    const doubt = expect.stringMatching(/^≈ marks a change that can be wrong: /);
    const event = { slug: 'e', markets: [doubtful, other] };
    expect(marketsResult(respond([other, doubtful]), NOW)).toMatchObject({
      doubt,
      markets: [other, shown],
    });
    expect(eventResult(respond(event), NOW)).toMatchObject({ doubt, markets: [shown, other] });
    expect(marketResult(respond(doubtful), NOW)).toMatchObject({ doubt, market: shown });
    expect(marketsResult(respond([other]), NOW)).not.toHaveProperty('doubt');
  });

  it('of a market omits fields that are rarely read', () => {
    const sent = {
      id: '0x1',
      image: 'i',
      createdAt: 'c',
      minimumTickSize: 0.01,
      protocolVersion: 'v1',
      negRisk: true,
    };
    expect(marketResult(respond({ ...sent, outcomes: [] }), NOW)).toEqual({
      ...AGE,
      market: { id: '0x1', outcomes: [] },
    });
  });

  it('of a list of events has the names and probabilities of their first markets', () => {
    const markets = [
      {
        id: '0x1',
        question: 'Will the Eagles win?',
        groupItemTitle: 'Eagles',
        slug: 'a',
        currentProbability: 24,
      },
      {
        id: '0x2',
        question: 'Will it rain?',
        slug: 'b',
        currentProbability: 5.5,
        clobTokenId: '7',
      },
    ];
    const found = [{ slug: 'e', volume: 5, topMarkets: markets }];
    const eagles = ['Eagles', 24];
    const rain = ['Will it rain?', 5.5];
    expect(eventsResult(respond(found, { ...AS_OF, 'X-Total-Count': '9' }), NOW)).toEqual({
      ...AGE,
      total: 9,
      events: [{ slug: 'e', volume: 5, topMarkets: [eagles, rain] }],
    });
  });

  const thirty = Array.from({ length: 30 }, (_, n) => ({ id: n }));

  it('of an event has its first 12 markets and counts all', () => {
    const response = respond({ slug: 'e', markets: thirty });
    const markets = thirty.slice(0, 12);
    expect(eventResult(response, NOW)).toEqual({
      ...AGE,
      event: { slug: 'e' },
      markets,
      total: 30,
    });
  });

  it('of an event counts markets that the response does not contain', () => {
    const response = respond({ slug: 'e', markets: thirty }, { ...AS_OF, 'X-Total-Count': '900' });
    expect(eventResult(response, NOW)).toMatchObject({ total: 900 });
  });

  it('of an order book has numbers, and a spread if both sides exist', () => {
    const bids = [{ price: '0.41', size: '10' }];
    const asks = [{ price: '0.4325', size: '2.5' }];
    const levels = { bids: [[0.41, 10]], asks: [[0.4325, 2.5]] };
    expect(orderBookResult(respond({ bids, asks }), NOW)).toEqual({
      ...FRESH,
      spread: 0.0225,
      ...levels,
    });
    expect(orderBookResult(respond({ bids: [], asks }), NOW)).toEqual({
      ...FRESH,
      ...levels,
      bids: [],
    });
    expect(orderBookResult(respond({ bids, asks: [] }), NOW)).toEqual({
      ...FRESH,
      ...levels,
      asks: [],
    });
  });

  it('of a price history has 40 evenly spaced points, the first and the last included', () => {
    // 300 points, a minute apart, of which the last is 30 s old.
    const start = seconds(NOW) - 30 - 299 * 60;
    const history = Array.from({ length: 300 }, (_, n) => ({ t: start + n * 60, p: n / 1_000 }));
    const result = historyResult(respond({ history }), NOW) as { points: [string, number][] };
    expect(result).toMatchObject({
      asOf: '2026-11-21T12:00:30.000Z',
      ageSeconds: 30,
      sampledFrom: 300,
    });
    expect(result.points).toHaveLength(40);
    expect(result.points.slice(0, 4).map(([, price]) => price)).toEqual([0, 0.008, 0.015, 0.023]);
    expect(result.points.at(-1)).toEqual(['2026-11-21T12:00:30Z', 0.299]);
  });

  it('of a price history has the highest and the lowest of all prices with their times, not of the sample', () => {
    const history = Array.from({ length: 300 }, (_, n) => ({ t: seconds(NOW) - 300 + n, p: 0.5 }));
    // Between the points of the sample: 199 s before 12:01:00 is 11:57:41, and 97 s is 11:59:23.
    history[101] = { t: seconds(NOW) - 199, p: 0.9 };
    history[203] = { t: seconds(NOW) - 97, p: 0.1 };
    const result = historyResult(
      respond({ history: [...history, { t: seconds(NOW), p: 1, payout: true }] }),
      NOW,
    );
    expect(result.points).not.toContainEqual(['2026-11-21T11:57:41Z', 0.9]);
    expect(result).toMatchObject({
      sampledFrom: 300,
      high: ['2026-11-21T11:57:41Z', 0.9],
      low: ['2026-11-21T11:59:23Z', 0.1],
    });
  });

  it('of a short price history has all its points, and beside them the payout of a resolved market', () => {
    const t = seconds(NOW) - 60;
    const first = ['2026-11-21T11:55:00Z', 0.98];
    const price = { t: t - 300, p: 0.98 };
    const result = { sampledFrom: 1, high: first, low: first, points: [first] };
    const payout = ['2026-11-21T12:00:00Z', 1];
    const history = [price, { t, p: 1, payout: true }];
    expect(historyResult(respond({ history }), NOW)).toEqual({ ...AGE, ...result, payout });
    const open = { asOf: '2026-11-21T11:55:00.000Z', ageSeconds: 360, ...result };
    expect(historyResult(respond({ history: [price] }), NOW)).toEqual(open);
    expect(historyResult(respond({ history: [] }), NOW)).toEqual({
      ...FRESH,
      sampledFrom: 0,
      points: [],
    });
  });

  it('of the status is the status', () => {
    expect(statusResult(respond({ status: 'empty', asOf: null }), NOW)).toEqual({
      status: 'empty',
      asOf: null,
    });
  });

  it('has its age in seconds, 0 for a time in the future', () => {
    expect(marketsResult(respond([]), NOW + 3_540_000)).toMatchObject({ ageSeconds: 3_600 });
    expect(marketsResult(respond([]), NOW - 61_000)).toMatchObject({ ageSeconds: 0 });
  });
});

it('the rules of a market have at most 8,000 characters, because their last sentence can decide', () => {
  const cut = shortTexts({ market: { rules: { description: 'x'.repeat(9_000) } } });
  expect(cut).toEqual({ market: { rules: { description: `${'x'.repeat(8_000)}…` } } });
});

it('a text has at most 600 characters wherever it stands in a value', () => {
  const [long, short] = ['x'.repeat(601), `${'x'.repeat(600)}…`];
  expect(shortTexts({ a: [long, 1, null, true], b: { c: long } })).toEqual({
    a: [short, 1, null, true],
    b: { c: short },
  });
});

it('a text does not end with half of a character', () => {
  expect(shortTexts(`a${'🚀'.repeat(1_000)}`)).toBe(`a${'🚀'.repeat(299)}\ufffd…`);
});
