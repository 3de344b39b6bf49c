import { afterAll, describe, expect } from '@jest/globals';
import { clock, type Row, startTestService } from '../support.ts';
import { expectSentences, sentence, shownBy } from './sentences.ts';
import * as shared from './service.ts';

const DAY_SECONDS = 86_400;
const { all, bookOf, first, service, token, top, upstream } = shared;
/** More markets than the list holds. */
const large = await startTestService({ markets: 2_100, v2Share: 0, now: shared.upstreamNow });
afterAll(() => large.stop());
const page = await large.get('/api/markets');
const listed = page.json as Row[];
const whole = [...listed];
for (let offset = 500; offset < 2_500; offset += 500)
  whole.push(...(await large.list(`/api/markets?offset=${offset}`)));
clock.stopped = Date.now();
const asOf = Date.parse(first.headers.get('last-modified') ?? '') / 1_000;

/** The catalogue's record of a market. */
async function recordOf({ id }: Row): Promise<Row> {
  const { markets } = await upstream(`/markets/keyset?condition_ids=${id}&closed=false`);
  return (markets as Row[])[0] as Row;
}

/** Checks that a change is the one from a price that the upstream had around the start of the window. */
async function expectChange({ clobTokenId, midpoint }: Row, days: number, change: unknown): Promise<void> {
  const start = asOf - days * DAY_SECONDS;
  const window = `startTs=${start - 6 * 3_600}&endTs=${start + 0.05 * days * DAY_SECONDS}`;
  const { history } = (await upstream(
    `/prices-history?market=${clobTokenId}&${window}&fidelity=10`,
  )) as never as shared.History;
  const prices = history.map(({ p }) => 100 * p);
  const before = 100 * Number(midpoint) - Number(change);
  expect(before).toBeGreaterThanOrEqual(Math.min(...prices) - 0.001);
  expect(before).toBeLessThanOrEqual(Math.max(...prices) + 0.001);
}

/** Protocol V2 writes 31 of the 32 bytes of a condition id. */
const padded = (id: unknown): string => String(id).padEnd(66, '0');

describe('the service', () => {
  sentence('1. "The service exposes every active market of an upstream prediction-market provider."', async () => {
    const { json } = await large.get('/api/status');
    expect(json).toMatchObject({ markets: 2_000, maxMarkets: 2_000, isCut: true, skippedByReason: expect.any(Object) });
  });

  sentence(
    '2. "Each market is enriched with probability changes over 1-day, 7-day and 30-day windows, derived from order-book price history."',
    async () => {
      const rows = await service.list(
        '/api/markets?limit=20&fields=oneDayPriceChange,sevenDayPriceChange,thirtyDayPriceChange',
      );
      for (const days of ['oneDay', 'sevenDay', 'thirtyDay'])
        expect(rows.filter((row) => typeof row[`${days}PriceChange`] === 'number').length).toBeGreaterThan(10);
      // Without samples of its own, the service can only have them from the upstream's histories.
      expect(shared.routesOfRefresh).toContain('batch-prices-history');
    },
  );

  sentence('3. "A market list can be fetched in full, with paging, or searched by free text."', async () => {
    expect(new Set(whole.map(({ id }) => id)).size).toBe(2_000);
    expect((await service.list('/api/markets/search?q=bitcoin')).length).toBeGreaterThan(0);
  });

  sentence(
    '4. "It gives browser-safe (CORS-safe) access to live bid/ask depth and to historical prices for a market token."',
    async () => {
      for (const path of ['order-book', 'prices-history']) {
        const url = `/api/clob/${path}?token_id=${token}`;
        for (const method of ['GET', 'OPTIONS']) {
          const { headers } = await service.get(url, { method, headers: { origin: 'https://example.com' } });
          expect(headers.get('access-control-allow-origin')).toBe('*');
        }
      }
    },
  );

  sentence('5. "The order book proxy returns the same format as the upstream order book API."', async () => {
    const own = await bookOf(token);
    const theirs = (await upstream(`/book?token_id=${token}`)) as typeof own;
    expect(own).toEqual({ ...theirs, bids: theirs.bids.toReversed(), asks: theirs.asks.toReversed() });
  });

  sentence(
    '6. "Market list data is held in a server-side in-memory cache with a TTL of 2 minutes, so data is at most 2 minutes old."',
    async () => {
      for (const market of top) expect((await recordOf(market)).question).toBe(market.question);
      expect(Number(clock.stopped) / 1_000 - asOf).toBeLessThan(120);
      const seen = async () => {
        const [list, status] = [await service.get('/api/markets?limit=1'), await service.get('/api/status')];
        return [list.status, (status.json as Row).status];
      };
      const age = Number(clock.stopped) - asOf * 1_000;
      clock.ahead = 125_000 - age;
      expect(await seen()).toEqual([200, 'stale']);
      clock.ahead = 152_000 - age;
      expect(await seen()).toEqual([502, 'stale']);
      clock.ahead = 0;
    },
  );

  sentence('7. "This reduces load on the upstream market API."', async () => {
    service.simulator.clearCalls();
    for (let n = 0; n < 20; n++) await service.list(`/api/markets?offset=${n}`);
    await service.list('/api/markets/search?q=election');
    expect(service.simulator.calls()).toEqual({});
  });

  shownBy(
    '8. "All endpoints are read-only (GET)."',
    ['lambda/app/http/pipeline.test.ts', 'get a 405 that names the allowed methods'],
    ['service/contract.test.ts', 'responds to HEAD with the same headers and no body'],
  );

  sentence('9. "All responses are JSON."', async () => {
    const paths = ['/api/markets', '/api/markets/search?q=tech', `/api/clob/order-book?token_id=${token}`, '/nothing'];
    for (const path of paths)
      expect((await service.get(path)).headers.get('content-type')).toBe('application/json; charset=utf-8');
    const csv = await service.get('/api/markets?format=csv');
    expect(csv.headers.get('content-type')).toContain('text/csv');
  });

  sentence('10. "No credentials, headers or schemes are described for any endpoint."', async () => {
    // No request of this file sends credentials.
    expect((await service.get('/api/markets', { headers: { authorization: 'Bearer wrong' } })).status).toBe(200);
  }, ['lambda/app/http/pipeline.test.ts', 'are all requests %s']);
});

describe('a market', () => {
  shownBy('11. "Market condition identifier, prefixed with `0x`."', [
    'lambda/io/polymarket/gamma-market.test.ts',
    'has one id for both forms of its condition id, and keeps the form in the market',
  ]);

  shownBy('12. "Full text of the market question." "URL-safe market identifier."', [
    'lambda/io/polymarket/gamma-market.test.ts',
    'becomes a market with the prices of YES',
  ]);

  sentence(
    '13. "Current YES probability, range 0 to 100."',
    async () => {
      const rows = await service.list(
        '/api/markets?limit=1000&fields=clobTokenId,currentProbability,bestBid,bestAsk,priceSource',
      );
      const books = rows.filter(({ priceSource }) => priceSource === 'book');
      expect(books.length).toBeGreaterThan(300);
      for (const { currentProbability } of rows) {
        expect(currentProbability).toBeGreaterThanOrEqual(0);
        expect(currentProbability).toBeLessThanOrEqual(100);
      }
      for (const { clobTokenId, currentProbability } of books.slice(0, 20)) {
        const { bids, asks } = await bookOf(clobTokenId);
        expect(currentProbability).toBeCloseTo(50 * (Number(bids[0]?.price ?? 0) + Number(asks[0]?.price ?? 1)), 3);
      }
    },
    [
      'lambda/io/polymarket/gamma-market.test.ts',
      'takes "Yes" at any position and in any case, with its token and prices',
    ],
    ['lambda/io/polymarket/gamma-market.test.ts', 'takes the first of outcomes without "Yes"'],
  );

  shownBy('14. "Total lifetime trading volume in USD." "Current available liquidity in USD."', [
    'lambda/io/polymarket/gamma-market.test.ts',
    'becomes a market with the prices of YES',
  ]);

  sentence('15. "Positive means the probability rose. `null` when price history is unavailable."', async () => {
    const rows = await service.list('/api/markets?limit=1000&fields=clobTokenId,oneDayPriceChange,midpoint,spread');
    const known = rows.filter(({ oneDayPriceChange }) => oneDayPriceChange !== null);
    expect(known.length).toBeGreaterThan(30);
    for (const row of known.slice(0, 30)) await expectChange(row, 1, row.oneDayPriceChange);
    const wide = rows.filter(({ spread }) => Number(spread) > 0.101);
    expect(wide.length).toBeGreaterThan(0);
    expect(wide.filter(({ oneDayPriceChange }) => oneDayPriceChange !== null)).toEqual([]);
  });

  sentence('16. "Populated only for the top 20 markets by volume."', async () => {
    const fields = 'fields=clobTokenId,midpoint,sevenDayPriceChange,thirtyDayPriceChange';
    for (const row of await service.list(`/api/markets?limit=20&${fields}`)) {
      if (row.sevenDayPriceChange !== undefined) await expectChange(row, 7, row.sevenDayPriceChange);
      if (row.thirtyDayPriceChange !== undefined) await expectChange(row, 30, row.thirtyDayPriceChange);
    }
    const having = all.flatMap((row, n) => ('sevenDayPriceChange' in row || 'thirtyDayPriceChange' in row ? [n] : []));
    expect(having.length).toBeGreaterThan(10);
    expect(Math.max(...having)).toBeLessThan(20);
    expect(await service.list(`/api/markets?offset=20&limit=1&${fields}`)).toEqual([
      expect.objectContaining({ sevenDayPriceChange: expect.any(Number) }),
    ]);
  });

  shownBy(
    '17. "ISO 8601 timestamp of market close."',
    ['lambda/io/polymarket/gamma-market.test.ts', 'becomes a market with the prices of YES'],
    [
      'lambda/io/polymarket/gamma-market.test.ts',
      'can have every field of upstream, and lacks an end date only if its event lacks one, too',
    ],
  );

  sentence(
    '18. "Order book token identifier of the YES outcome. It is the value used with the order book endpoints."',
    async () => {
      for (const { id, clobTokenId } of top.slice(0, 5))
        expect(padded((await bookOf(clobTokenId)).market)).toBe(padded(id));
    },
  );

  sentence('19. "A market object with the fields above."', async () => {
    const byId = new Map(all.map((market) => [market.id, market]));
    const found = await service.list('/api/markets/search?q=election');
    expect(found).toHaveLength(20);
    expect(found).toEqual(found.map(({ id }) => byId.get(id)));
  });
});

describe('the list', () => {
  sentence('20. "Maximum number of markets returned." "500"', async () => {
    expect(listed).toHaveLength(500);
    expect(await large.list('/api/markets?limit=3')).toEqual(listed.slice(0, 3));
    const byVolume = (a: Row, b: Row) => Number(b.volume) - Number(a.volume) || (String(a.id) < String(b.id) ? -1 : 1);
    expect(whole.map(({ id }) => id)).toEqual(whole.toSorted(byVolume).map(({ id }) => id));
  });

  sentence('21. "Number of markets skipped before results are returned; used with limit for paging."', async () => {
    expect(await large.list('/api/markets?offset=0')).toEqual(listed);
    expect(await large.list('/api/markets?limit=5&offset=7')).toEqual(whole.slice(7, 12));
    expect(await large.list('/api/markets?offset=2000')).toEqual([]);
  });

  sentence('22. "The server fetches up to 2,000 markets from the upstream market API."', async () => {
    expect(page.headers.get('x-total-count')).toBe('2000');
    expect(whole).toHaveLength(2_000);
    const { markets } = await upstream('/markets/keyset?order=volumeNum&ascending=false&closed=false&limit=50', large);
    const ids = new Set(whole.map(({ id }) => padded(id)));
    expect((markets as Row[]).filter(({ conditionId }) => !ids.has(padded(conditionId))).length).toBeLessThan(10);
  });
});

expectSentences(1, 22);
