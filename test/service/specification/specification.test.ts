import { readFileSync } from 'node:fs';
import { afterAll, expect, it, jest } from '@jest/globals';
import { systemClock } from '../../../lambda/io/platform/clock.ts';
import { startTestService } from '../support.ts';
import { expectShown, SENTENCES, sentence, shownBy } from './sentences.ts';

// The upstream's clock stands still, so its prices do not move.
const began = Date.now();
const service = await startTestService({ now: () => began });
afterAll(() => service.stop());
// The snapshot does not age.
jest.spyOn(systemClock, 'now').mockReturnValue(Date.now());
const all = await service.list('/api/markets?limit=1000');
const token = String(all.find(({ endDate }) => Date.parse(String(endDate)) > began)?.clobTokenId);

async function upstream<T>(path: string): Promise<T> {
  const response = await fetch(`${service.simulator.url}${path}`, {
    headers: { 'user-agent': 'test' },
  });
  return (await response.json()) as T;
}

interface Book {
  readonly asset_id: string;
  readonly bids: readonly { readonly price: string }[];
  readonly asks: readonly { readonly price: string }[];
}
interface History {
  readonly history: readonly { readonly t: number; readonly p: number }[];
}
const bookOf = async (id: unknown) =>
  (await service.get(`/api/clob/order-book?token_id=${id}`)).json as Book;
const search = (q: string) => service.list(`/api/markets/search?q=${encodeURIComponent(q)}`);

shownBy(
  '1. "The service exposes every active market of an upstream prediction-market provider."',
  'refresh: lists at most the markets of the stage, and counts those without a price',
  'status: describes the newest snapshot and what is deployed',
);

shownBy(
  '2. "Each market is enriched with probability changes over 1-day, 7-day and 30-day windows, derived from order-book price history."',
  'change: the windows are 1 hour, 1 day, 7 days and 30 days',
  'refresh: lists all markets with their changes when upstream is fast',
);

shownBy(
  '3. "A market list can be fetched in full, with paging, or searched by free text."',
  'snapshot-response: lead through all of it, forwards and back',
  'market-lists: responds with the markets that match, and says how',
);

shownBy(
  '4. "It gives browser-safe (CORS-safe) access to live bid/ask depth and to historical prices for a market token."',
  'pipeline: has the common headers and those that the endpoint sets, the same for HEAD, which has no body',
  'pipeline: get the preflight headers for OPTIONS, and are not counted',
);

sentence(
  '5. "The order book proxy returns the same format as the upstream order book API."',
  async () => {
    const theirs = await upstream<Book>(`/book?token_id=${token}`);
    expect(await bookOf(token)).toEqual({
      ...theirs,
      bids: theirs.bids.toReversed(),
      asks: theirs.asks.toReversed(),
    });
  },
);

shownBy(
  '6. "Market list data is held in a server-side in-memory cache with a TTL of 2 minutes, so data is at most 2 minutes old."',
  'snapshot-cache: is served for 150 s, then 502 with its age and the time to try again',
  'time: data of %d s: served %s, kept by caches for %i s',
);

sentence('7. "This reduces load on the upstream market API."', async () => {
  service.simulator.clearCalls();
  for (let n = 0; n < 20; n++) await service.list(`/api/markets?offset=${n}`);
  await search('election');
  expect(service.simulator.calls()).toEqual({});
});

shownBy(
  '8. "All endpoints are read-only (GET)."',
  'pipeline: get a 405 that names the allowed methods',
  'contract: responds to HEAD with the same headers and no body',
);

sentence('9. "All responses are JSON."', async () => {
  const paths = [
    '/api/markets',
    '/api/markets/search?q=tech',
    `/api/clob/order-book?token_id=${token}`,
    '/nothing',
  ];
  for (const path of paths)
    expect((await service.get(path)).headers.get('content-type')).toBe(
      'application/json; charset=utf-8',
    );
  const csv = await service.get('/api/markets?format=csv');
  expect(csv.headers.get('content-type')).toContain('text/csv');
});

sentence(
  '10. "No credentials, headers or schemes are described for any endpoint."',
  async () => {
    // No request of this file sends credentials.
    expect(
      (await service.get('/api/markets', { headers: { authorization: 'Bearer wrong' } })).status,
    ).toBe(200);
  },
  'pipeline: requests %s are not counted',
);

shownBy(
  '11. "Market condition identifier, prefixed with `0x`."',
  'gamma-market: has one id for both forms of its condition id, and keeps the form in the market',
);

shownBy(
  '12. "Full text of the market question." "URL-safe market identifier."',
  'gamma-market: becomes a market with the prices of YES',
);

sentence(
  '13. "Current YES probability, range 0 to 100."',
  async () => {
    const rows = await service.list(
      '/api/markets?limit=1000&fields=clobTokenId,currentProbability,priceSource',
    );
    const books = rows.filter(({ priceSource }) => priceSource === 'book');
    expect(books.length).toBeGreaterThan(300);
    for (const { currentProbability } of rows) {
      expect(currentProbability).toBeGreaterThanOrEqual(0);
      expect(currentProbability).toBeLessThanOrEqual(100);
    }
    for (const { clobTokenId, currentProbability } of books.slice(0, 20)) {
      const { bids, asks } = await bookOf(clobTokenId);
      expect(currentProbability).toBeCloseTo(
        50 * (Number(bids[0]?.price ?? 0) + Number(asks[0]?.price ?? 1)),
        3,
      );
    }
  },
  'gamma-market: takes "Yes" at any position and in any case, with its token and prices',
  'gamma-market: the first of outcomes without "Yes"',
);

shownBy(
  '14. "Total lifetime trading volume in USD." "Current available liquidity in USD."',
  'gamma-market: becomes a market with the prices of YES',
);

shownBy(
  '15. "Positive means the probability rose. `null` when price history is unavailable."',
  'change: a change from %p to %p is %p percentage points',
  'start-prices: has null for a book that is not tight, and no price of a book that was not read',
);

shownBy(
  '16. "Populated only for the top 20 markets by volume."',
  'market-snapshot: without `fields` has 7- and 30-day changes for the first 20 markets only',
  'market-snapshot: has the named fields in their order, also 7-day changes beyond the first 20, and no missing ones',
);

shownBy(
  '17. "ISO 8601 timestamp of market close."',
  'gamma-market: becomes a market with the prices of YES',
  'gamma-market: can have every field of upstream, and lacks an end date only if its event lacks one, too',
);

shownBy(
  '18. "Order book token identifier of the YES outcome. It is the value used with the order book endpoints."',
  'gamma-market: takes "Yes" at any position and in any case, with its token and prices',
);

sentence('19. "A market object with the fields above."', async () => {
  const byId = new Map(all.map((market) => [market.id, market]));
  const found = await search('election');
  expect(found).toHaveLength(20);
  expect(found).toEqual(found.map(({ id }) => byId.get(id)));
});

shownBy(
  '20. "Maximum number of markets returned." "500"',
  'market-lists: is an array of the first 500 markets, one per line, and names the total and the snapshot',
  'select-markets: by %s is %s, ascending %s: ties by volume, then id; markets without the value last',
);

shownBy(
  '21. "Number of markets skipped before results are returned; used with limit for paging."',
  'snapshot-response: lead through all of it, forwards and back',
  'snapshot-response: of %i rows at %i, %i a page, are %j',
);

shownBy(
  '22. "The server fetches up to 2,000 markets from the upstream market API."',
  'resolve-settings: are the defaults, then the file, then the context',
  'refresh: lists at most the markets of the stage, and counts those without a price',
);

shownBy(
  '23. "Length 2 to 200 characters."',
  'parse-parameters: texts and lists within their lengths, in characters',
);

sentence(
  '24. "The characters `& = ? # %` are stripped before matching. Matching is case-insensitive."',
  async () => {
    const plain = await search('bitcoin');
    expect(plain.length).toBeGreaterThan(0);
    for (const text of ['bit&co=in?#%', 'BitCoin']) expect(await search(text)).toEqual(plain);
  },
);

sentence('25. "Maximum number of results; capped at 50."', async () => {
  expect(await search('sports')).toHaveLength(20);
  expect(await service.list('/api/markets/search?q=sports&limit=51')).toHaveLength(50);
});

shownBy(
  '26. "The engine first checks the query against known category keywords: election, crypto, sports, economics, tech."',
  'search-index: %j finds all its markets, those with the other words first',
);

shownBy(
  '27. "If no category applies, it falls back to a word-level text search of the question."',
  'search-index: for %j finds %j',
  'search-index: puts the question before the event title, the short name and the slug, also where they are rarer',
);

sentence(
  '28. "Returns the live order book for one market token, the YES or NO outcome token of a market."',
  async () => {
    const { outcomes } = (await service.get(`/api/markets/${token}`)).json as {
      outcomes: { tokenId: string }[];
    };
    for (const { tokenId } of outcomes)
      expect(await bookOf(tokenId)).toMatchObject({ asset_id: tokenId });
  },
);

shownBy(
  '29. "List of entries, descending order (best bid first)." "List of entries, ascending order." "The list holds the top bids and asks."',
  'order-books: is the one of upstream with the best prices first',
  'order-books: is cut to a depth, and read once for all depths',
);

shownBy(
  '30. "string holding a decimal probability in 0 to 1 (0.43 means 43%)" "shares available"',
  'order-book: are compared as numbers, and keep their spelling',
);

sentence('31. "Returns the historical price series for one market token."', async () => {
  const { history } = (await service.get(`/api/clob/prices-history?token_id=${token}&interval=1d`))
    .json as History;
  const window = `startTs=${history[0]?.t}&endTs=${history.at(-1)?.t}`;
  const theirs = await upstream<History>(`/prices-history?market=${token}&${window}&fidelity=1`);
  expect(history.length).toBeGreaterThan(1_000);
  const prices = new Map(theirs.history.map(({ t, p }) => [t, p]));
  for (const { t, p } of history.slice(0, 1_000)) expect([t, p]).toEqual([t, prices.get(t)]);
});

shownBy(
  '32. "One of `1d`, `1w`, `1m`, `3m`. Default `1d`."',
  'history-plan: is one day by default',
  'history-plan: %s at %p minutes has steps of %i minutes, from one call at %i',
  'history-plan: 3m at %p minutes has steps of %i minutes from one %s or more and begins a minute late',
);

shownBy(
  '33. "60 requests per minute per IP"',
  'rate-limit: accepts exactly 60 of 1,000 simultaneous requests over all endpoints',
  'rate-limiter: is allowed as many requests as the limit, and then waits for the oldest to be 60 s old',
  'caller: %s by %s, from API Gateway or the front door',
);

shownBy(
  '34. "Response carries header `Retry-After: 60`."',
  'rate-limit: counts refused methods and the tools of agents, and refuses with a 429 that says when to try again',
);

shownBy(
  '35. "Market endpoints: the upstream market API is unavailable."',
  'world: serves fresh prices while Gamma fails (%s)',
  'refresh: becomes a full run without a snapshot, and when the catalogue is older than an hour',
  'status: is ok after one failed full run, and degraded during the second one in a row',
  'snapshot-cache: is served for 150 s, then 502 with its age and the time to try again',
);

shownBy(
  '36. "Clob endpoints: the upstream order book API is unavailable."',
  'order-books: is a 502 for all who share a call that fails, logged once, and is read again afterwards',
  'prices-history: that fails in one window of six fails in all, and the next request is served',
  'live-read: says when to try again after a limit: %s',
);

shownBy(
  '37. "The response body has an `error` field."',
  'pipeline: that the endpoint throws has its code, its sentence, and the time to try again',
);

shownBy(
  '38. "Applies to POST requests only; maximum 20,000 characters."',
  'pipeline: with a body of %i characters get a %i',
  'pipeline: rejects other methods and long bodies',
);

shownBy(
  '39. "TypeScript and AWS CDK."',
  'app: the app of cdk.json runs on the bundled Node.js, whatever Node.js runs the CLI',
);

shownBy(
  '40. "API Gateway with usage-plan throttling"',
  'read-api: the usage plans limit all anonymous callers together, and each partner',
  'read-api: has one method for each route, which needs a key, and no others',
);

shownBy(
  '41. "one Lambda per endpoint"',
  'service-functions: are one for each handler, without a page where there is no edge, and without a job where there is no archive',
  'read-api: leads each path to the function of its route',
);

shownBy(
  '42. "A scheduled Lambda writes snapshots"',
  'market-data-proxy-stack: begin full runs in even minutes, price runs in odd ones, and checks every minute',
);

shownBy(
  '43. "snapshots to DynamoDB"',
  'market-data-proxy-stack: the tables have the keys of snapshots and of callers, and delete what has expired',
);

shownBy(
  '44. "CloudWatch is for the operator."',
  'monitoring: are these nine of production',
  'monitoring: has the graphs that the runbook names, and no others',
);

it('every sentence has its test, in the words of docs/specification.md', expectShown);

it('each sentence of docs/specification.md quotes docs/request.md', () => {
  const plain = (text: string) => text.replace(/\s+/g, ' ');
  const request = plain(readFileSync('docs/request.md', 'utf8'));
  for (const text of SENTENCES) {
    const quotes = Array.from(text.matchAll(/"([^"]+)"/g), ([, quote = '']) => quote);
    expect([text, quotes.length > 0, quotes.filter((quote) => !request.includes(quote))]).toEqual([
      text,
      true,
      [],
    ]);
  }
});
