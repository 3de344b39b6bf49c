import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FaultSpec } from 'polymarket-simulator';
import { type SimulatedUpstream, startUpstream } from 'polymarket-simulator';
import type { PricePoint } from '../../lambda/domain/change.ts';
import { fidelityOf, historyRequests, joinHistories } from '../../lambda/domain/history-requests.ts';
import { bestFirst, type OrderBook } from '../../lambda/domain/order-book.ts';
import { ClobBooks } from '../../lambda/polymarket/clob-books.ts';
import { createLiveHistories } from '../../lambda/polymarket/create-live-histories.ts';
import { held, type Json } from '../../packages/polymarket-simulator/test/helpers.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { RECORDINGS, readRecording, withRecordings } from '../support/recordings.ts';
import { liveStub } from '../support/stub-upstream.ts';

/** The live reads against an upstream that has the quirks of the real one and refuses what the real one refuses. */
const clock = new ManualClock();

function reads(simulated: SimulatedUpstream) {
  const { upstreams, live } = liveStub(simulated.url, clock);
  const books = new ClobBooks(upstreams.clob);
  const histories = createLiveHistories(upstreams, clock);
  return {
    book: (token: string) => live('order book', (deadline) => books.book(token, deadline)),
    history: (token: string, interval: '1d' | '1w' | '1m' | '3m', fidelity?: number) =>
      live('price history', async (deadline) => {
        const requests = historyRequests(
          interval,
          fidelityOf(interval, fidelity),
          Math.floor(clock.now() / 1_000),
        );
        const responses = requests.map(async (request) => ({
          request,
          points: await histories.points(token, request, deadline),
        }));
        return joinHistories(await Promise.all(responses));
      }),
  };
}

async function tokensOf(simulated: SimulatedUpstream, minimumAgeDays: number): Promise<string[]> {
  const query = 'limit=100&order=volumeNum&ascending=false&closed=false';
  const response = await fetch(`${simulated.url}/markets/keyset?${query}`, {
    headers: { 'user-agent': 'market-data-proxy-test/1' },
  });
  const { markets } = (await response.json()) as { markets: Json[] };
  const born = (market: Json) => Date.parse(String(market.startDate ?? market.createdAt));
  return markets
    .filter(
      (market) => clock.now() - born(market) > minimumAgeDays * 86_400_000 && market.acceptingOrders === true,
    )
    .flatMap((market) => held(market, 'clobTokenIds').slice(0, 1));
}

describe('against the simulated upstream', () => {
  let simulated: SimulatedUpstream;
  let tokens: string[];
  beforeAll(async () => {
    simulated = await startUpstream({ markets: 200, rateLimits: false, now: clock.now });
    tokens = await tokensOf(simulated, 95);
  });
  afterAll(() => simulated.close());

  it('books come best first', async () => {
    for (const token of tokens.slice(0, 5)) {
      const found = await reads(simulated).book(token);
      const { bids, asks } = bestFirst(found ?? { bids: [], asks: [] });
      expect(bids.length + asks.length).toBeGreaterThan(0);
      for (const [side, sign] of [
        [bids, -1],
        [asks, 1],
      ] as const) {
        const prices = side.map(({ price }) => Number(price));
        expect(prices).toEqual(prices.toSorted((a, b) => sign * (a - b)));
      }
    }
  });

  it('an unknown token has no book and an empty history', async () => {
    expect(await reads(simulated).book('12345')).toBeUndefined();
    expect(await reads(simulated).history('12345', '3m')).toEqual([]);
  });

  it.each(['1d', '1w', '1m', '3m'] as const)(
    '%s is accepted at any fidelity and is one even series',
    async (interval) => {
      const token = tokens[0] ?? '';
      for (const asked of [undefined, 1, 7, Number.MAX_SAFE_INTEGER]) {
        const points = await reads(simulated).history(token, interval, asked);
        const times = points.map(({ t }) => t);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        expect(times.at(-1)).toBe(Math.floor(clock.now() / 1_000));
        if (asked !== undefined && asked > 100) continue;
        const step = fidelityOf(interval, asked) * 60;
        // Points lie up to 12 % of a step off their place.
        const gaps = times.slice(1).map((t, n) => t - (times[n] ?? 0));
        expect(Math.max(...gaps)).toBeLessThanOrEqual(1.25 * step);
        if (asked === undefined) {
          expect(points.length).toBeGreaterThan(270);
          expect(points.length).toBeLessThan(350);
        }
      }
    },
  );

  const FAULTS: { kind: FaultSpec['kind']; [option: string]: string | number }[] = [
    { kind: 'reset' },
    { kind: 'reset-body' },
    { kind: 'truncate' },
    { kind: 'html' },
    { kind: 'html', status: 429 },
    { kind: 'html', status: 200 },
    { kind: 'error-200' },
    { kind: 'status', status: 425 },
    { kind: 'status', status: 500 },
    { kind: 'nonsense' },
    { kind: 'nonsense', variant: 'not-array' },
    { kind: 'nonsense', variant: 'null' },
    { kind: 'nonsense', variant: 'empty' },
    // Lies: never served from memory, never a 500.
    { kind: 'malformed' },
    { kind: 'endless' },
    { kind: 'huge', mb: 30 },
    { kind: 'deep' },
    { kind: 'dense' },
    { kind: 'mislabelled', as: 'gzip' },
  ];
  it.each(FAULTS)('a fault is a 502: %p', async (fault) => {
    simulated.addFault({ route: '*', ...fault });
    try {
      const token = tokens[0] ?? '';
      const { book, history } = reads(simulated);
      const outcomes = await Promise.allSettled([book(token), history(token, '1w'), history(token, '3m')]);
      const refused = {
        status: 'rejected',
        reason: expect.objectContaining({ code: 'upstream_unavailable' }),
      };
      expect(outcomes).toEqual([refused, refused, refused]);
    } finally {
      simulated.clearFaults();
    }
  });

  it('a book of another token is none, and a 502', async () => {
    simulated.addFault({ route: 'book', kind: 'wrong-token' });
    try {
      await expect(reads(simulated).book(tokens[0] ?? '')).rejects.toMatchObject({
        code: 'upstream_unavailable',
      });
    } finally {
      simulated.clearFaults();
    }
  });

  it('one window of six that fails on every route is a 502, and on one route is nothing', async () => {
    const token = tokens[0] ?? '';
    const whole = await reads(simulated).history(token, '3m');
    simulated.addFault({ route: 'prices-history', kind: 'status', after: 4, times: 1 });
    expect(await reads(simulated).history(token, '3m')).toHaveLength(whole.length);
    simulated.clearFaults();
    simulated.addFault({ route: 'clob', kind: 'status', after: 4 });
    simulated.addFault({ route: '*', kind: 'status', after: 4 });
    await expect(reads(simulated).history(token, '3m')).rejects.toMatchObject({
      code: 'upstream_unavailable',
    });
    simulated.clearFaults();
  });

  withRecordings('recorded responses come through', async () => {
    const recorded = await startUpstream({ recordings: RECORDINGS, rateLimits: false, now: clock.now });
    try {
      const { book, history } = reads(recorded);
      const wire = readRecording<OrderBook>('books/two-sided.json');
      const token = String(wire.asset_id);
      expect(await book(token)).toEqual(wire);
      const month = readRecording<{ history: PricePoint[] }>('prices-history/interval-1m-f10.json').history;
      const points = await history(token, '1m', 10);
      // The recording repeats a time now and then.
      expect(points).toHaveLength(new Set(month.map(({ t }) => t)).size);
      expect(points.at(-1)?.p).toBe(month.at(-1)?.p);
    } finally {
      await recorded.close();
    }
  });
});
