// The results of MCP tools, for language models. Each function takes the response of an endpoint
// and shortens it: it adds the age of the data, and omits what a model rarely needs. Here, prices
// are of 12:00, and results are made at 12:01 (`NOW`), so `AGE` is 60 s.

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
import { AGE, NOW, responseOf } from './mcp-rig.ts';

/** The age of order books and histories, which are read when a caller requests them. */
const NO_AGE = { asOf: '2026-11-21T12:01:00.000Z', ageSeconds: 0 };

describe('the result', () => {
  it('of a list has its age, its total and the kind of match', () => {
    const headers = { 'X-Total-Count': '7', 'X-Search-Match': 'any' };
    const found = [{ id: '0x1' }];
    expect(marketsResult(responseOf(found, headers), NOW)).toEqual({
      ...AGE,
      total: 7,
      match: 'any',
      markets: found,
    });
  });

  it('of a list without a total counts its rows', () => {
    const found = [{ id: '0x1' }];
    expect(marketsResult(responseOf(found), NOW)).toEqual({ ...AGE, total: 1, markets: found });
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
    expect(marketsResult(responseOf([other, doubtful]), NOW)).toMatchObject({
      doubt,
      markets: [other, shown],
    });
    expect(eventResult(responseOf(event), NOW)).toMatchObject({ doubt, markets: [shown, other] });
    expect(marketResult(responseOf(doubtful), NOW)).toMatchObject({ doubt, market: shown });
    expect(marketsResult(responseOf([other]), NOW)).not.toHaveProperty('doubt');
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
    expect(marketResult(responseOf({ ...sent, outcomes: [] }), NOW)).toEqual({
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
    expect(eventsResult(responseOf(found, { 'X-Total-Count': '9' }), NOW)).toEqual({
      ...AGE,
      total: 9,
      events: [
        {
          slug: 'e',
          volume: 5,
          topMarkets: [
            ['Eagles', 24],
            ['Will it rain?', 5.5],
          ],
        },
      ],
    });
  });

  const thirty = Array.from({ length: 30 }, (_, n) => ({ id: n }));

  it('of an event has its first 12 markets and counts all', () => {
    const response = responseOf({ slug: 'e', markets: thirty });
    const markets = thirty.slice(0, 12);
    expect(eventResult(response, NOW)).toEqual({
      ...AGE,
      event: { slug: 'e' },
      markets,
      total: 30,
    });
  });

  it('of an event counts markets that the response does not contain', () => {
    const response = responseOf({ slug: 'e', markets: thirty }, { 'X-Total-Count': '900' });
    expect(eventResult(response, NOW)).toMatchObject({ total: 900 });
  });

  it('of an order book has numbers, and a spread if both sides exist', () => {
    const bids = [{ price: '0.41', size: '10' }];
    const asks = [{ price: '0.4325', size: '2.5' }];
    expect(orderBookResult(responseOf({ bids, asks }), NOW)).toEqual({
      ...NO_AGE,
      spread: 0.0225,
      bids: [[0.41, 10]],
      asks: [[0.4325, 2.5]],
    });
    expect(orderBookResult(responseOf({ bids: [], asks }), NOW)).toEqual({
      ...NO_AGE,
      bids: [],
      asks: [[0.4325, 2.5]],
    });
    expect(orderBookResult(responseOf({ bids, asks: [] }), NOW)).toEqual({
      ...NO_AGE,
      bids: [[0.41, 10]],
      asks: [],
    });
  });

  it('of the status is the status', () => {
    expect(statusResult(responseOf({ status: 'empty', asOf: null }), NOW)).toEqual({
      status: 'empty',
      asOf: null,
    });
  });

  it.each([
    ['an hour after the prices', '2026-11-21T13:00:00Z', 3_600],
    ['a second before the prices, by a wrong clock', '2026-11-21T11:59:59Z', 0],
  ])('made %s has its age in seconds', (_when, time, ageSeconds) => {
    expect(marketsResult(responseOf([]), Date.parse(time))).toMatchObject({ ageSeconds });
  });
});

describe('the result of a price history', () => {
  /** The time this many seconds after 12:00:00, in Unix seconds, and as the result writes it. */
  const at = (seconds: number) => Date.UTC(2026, 10, 21, 12, 0, seconds) / 1_000;
  const textAt = (seconds: number) =>
    new Date(at(seconds) * 1_000).toISOString().replace('.000', '');
  /** The result that is made this many seconds after 12:00:00. */
  const read = (history: readonly object[], seconds: number) =>
    historyResult(responseOf({ history }), at(seconds) * 1_000) as { points: [string, number][] };

  it('has 40 evenly spaced points, the first and the last included', () => {
    const history = Array.from({ length: 300 }, (_, n) => ({ t: at(n), p: n / 1_000 }));
    const result = read(history, 329);
    expect(result).toMatchObject({ sampledFrom: 300 });
    expect(result.points).toHaveLength(40);
    // The points 0, 8, 15 and 23: from one to the next are 299 / 39 = 7.67 positions.
    expect(result.points.slice(0, 4).map(([, price]) => price)).toEqual([0, 0.008, 0.015, 0.023]);
    expect(result.points.at(-1)).toEqual([textAt(299), 0.299]);
  });

  it('has the age of its last point', () => {
    const history = [
      { t: at(0), p: 0.5 },
      { t: at(300), p: 0.5 },
    ];
    const age = { asOf: '2026-11-21T12:05:00.000Z', ageSeconds: 30 };
    expect(read(history, 330)).toMatchObject(age);
  });

  it('has the highest and the lowest of all prices, not only of the sample', () => {
    const history = Array.from({ length: 300 }, (_, n) => ({ t: at(n), p: 0.5 }));
    history[101] = { t: at(101), p: 0.9 };
    history[203] = { t: at(203), p: 0.1 };
    const result = read(history, 300);
    expect(result).toMatchObject({ high: [textAt(101), 0.9], low: [textAt(203), 0.1] });
    expect(result.points).not.toContainEqual([textAt(101), 0.9]);
  });

  it('has all its points if it is short', () => {
    const point = [textAt(0), 0.98];
    expect(read([{ t: at(0), p: 0.98 }], 60)).toEqual({
      asOf: '2026-11-21T12:00:00.000Z',
      ageSeconds: 60,
      sampledFrom: 1,
      points: [point],
      high: point,
      low: point,
    });
  });

  it('has the payout of a resolved market beside its points', () => {
    const history = [
      { t: at(0), p: 0.98 },
      { t: at(300), p: 1, payout: true },
    ];
    const point = [textAt(0), 0.98];
    const result = { sampledFrom: 1, points: [point], high: point, low: point };
    expect(read(history, 360)).toMatchObject({ ...result, payout: [textAt(300), 1] });
  });

  it('without points has the age 0', () => {
    expect(read([], 60)).toEqual({ ...NO_AGE, sampledFrom: 0, points: [] });
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
  // A rocket takes two of the 600: 1 + 299 × 2 = 599, and the sign \ufffd replaces half of one.
  expect(shortTexts(`a${'🚀'.repeat(1_000)}`)).toBe(`a${'🚀'.repeat(299)}\ufffd…`);
});
