import { FRESH_SECONDS, MARKETS_LIMIT_DEFAULT } from '../../lambda/contract/constants.ts';
import type { SnapshotEntry } from '../../lambda/domain/snapshot.ts';
import { listMarkets } from '../../lambda/endpoints/list-markets.ts';
import { searchableSnapshots } from '../../lambda/endpoints/search-markets.ts';
import { type MarketTable, marketTable } from '../../lambda/query/market-table.ts';
import { TableSnapshot } from '../../lambda/snapshots/codec.ts';
import { SnapshotCache } from '../../lambda/snapshots/snapshot-cache.ts';
import { tableOf } from '../../lambda/snapshots/stored-markets.ts';
import { ms, table, timed } from './timing.ts';

const RUNS = 300;
const QUERIES = ['bitcoin', 'btc 150k', 'eth', 'etherium', 'election', 'crypto election 2028', 'zzzzqqqq'];
const RESULTS = 20;

/** What it takes to respond from memory: a page, an unchanged page, a search. */
export async function benchResponses(entries: readonly SnapshotEntry[], now: number): Promise<string> {
  const decoded = new TableSnapshot(tableOf(entries));
  const markets = entries.map(({ market }) => market);
  const cut = await timed(RUNS, () => decoded.list.slice(0, MARKETS_LIMIT_DEFAULT).charCodeAt(5_000));
  const encoded = await timed(RUNS, () => JSON.stringify(markets.slice(0, MARKETS_LIMIT_DEFAULT)));

  const list = endpointOf(decoded, now);
  const parameters = { limit: MARKETS_LIMIT_DEFAULT, offset: 0, snapshot: undefined };
  const ask = (headers: Record<string, string>) =>
    list({ parameters, sent: {}, headers, path: '/api/markets' });
  const etag = (await ask({})).headers.ETag ?? '';
  // A body is a rope until somebody reads it, as Lambda does to send it.
  const full = await timed(RUNS, async () => JSON.stringify(await ask({})));
  const unchanged = await timed(RUNS, async () => JSON.stringify(await ask({ 'if-none-match': etag })));

  const { index } = searchableSnapshots()(decoded);
  const search = await timed(RUNS * QUERIES.length, (run) =>
    index.search(QUERIES[run % QUERIES.length] ?? '', RESULTS),
  );
  const ratio = (slow: number, fast: number) => `${(slow / fast).toFixed(1)} times faster`;
  return table(`Responses from ${entries.length} markets in memory (median, p99)`, [
    ['page of 500, JSON.stringify', ms(encoded.median), ms(encoded.p99), ''],
    ['page of 500, cut', ms(cut.median), ms(cut.p99), ratio(encoded.median, cut.median)],
    ['GET /api/markets, 200', ms(full.median), ms(full.p99), ''],
    ['GET /api/markets, 304', ms(unchanged.median), ms(unchanged.p99), ratio(full.median, unchanged.median)],
    ['one search', ms(search.median), ms(search.p99), ''],
  ]);
}

/** `GET /api/markets` over a snapshot that is held already. */
export function endpointOf(decoded: TableSnapshot, now: number): ReturnType<typeof listMarkets> {
  const counts = { skipped: 0, withOneDayChange: decoded.list.length, cataloguePriced: 0 };
  const about = { markets: decoded.list.length, counts, chunks: 1, checksum: '', expiresAt: now };
  const manifest = { id: '20261121T120000000Z-00000000', asOf: now, ...about };
  const clock = { now: () => now, after: () => () => undefined };
  const rule = { freshSeconds: FRESH_SECONDS, staleIfErrorSeconds: 0 };
  const source = {
    latest: async () => manifest,
    find: async () => manifest,
    read: async () => decoded,
  };
  const cache = new SnapshotCache<MarketTable>({ source, clock, rule, view: marketTable });
  return listMarkets({ cache, rule, now: clock.now, edgeCache: false });
}
