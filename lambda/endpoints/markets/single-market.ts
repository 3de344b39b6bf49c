/**
 * The endpoint of one market. If the newest snapshot does not have the market, because it is closed,
 * new, or of low volume ("unlisted"), it reads the market from upstream while the caller waits.
 */
import { MARKET_FIELDS } from '../../core/contract/market-fields.ts';
import { canonicalName, paddedConditionId } from '../../core/domain/ids.ts';
import { bestFirst, type Level, type OrderBook } from '../../core/domain/order-book.ts';
import { type BookSides, bookSides, type LastTrade } from '../../core/domain/quote.ts';
import type { SkipReason } from '../../core/domain/snapshot.ts';
import { DAY_MS, MINUTE_MS, type UnixMs } from '../../core/domain/time.ts';
import { closedMarket, openMarket, resolvedMarket } from '../../core/domain/unlisted-market.ts';
import { rowOf, withField } from '../../core/query/market-rows.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { cacheControl, conditional, type HttpResponse } from '../../http/response.ts';
import { type SnapshotEndpointDeps, snapshotResponse } from '../../http/snapshot-response.ts';
import type { Clock } from '../../io/platform/clock.ts';
import type { OrderBooks } from '../../io/polymarket/clob-books.ts';
import { LiveCache } from '../../io/polymarket/live-cache.ts';
import type { LiveRead } from '../../io/polymarket/live-read.ts';
import {
  type FoundMarket,
  type MarketLookup,
  noMarket,
} from '../../io/polymarket/market-lookup.ts';
import { isResolvedStatus, type Resolutions } from '../../io/polymarket/resolutions.ts';

/**
 * `GET /api/markets/{id}`: from the newest snapshot, or from upstream if the market is not in it.
 */
export function getMarket(
  deps: SnapshotEndpointDeps,
  unlisted: UnlistedMarkets,
): Endpoint<'get-market'> {
  return async ({ parameters, headers }) => {
    const snapshot = await deps.snapshots.latest();
    const position = snapshot.positionOf(parameters.id);
    if (position === undefined) return await unlisted(parameters.id, headers);
    return snapshotResponse(deps, snapshot, { headers, query: ['get-market', position] }, () => {
      const row = rowOf(snapshot, position, { kind: 'json', fields: MARKET_FIELDS });
      return { body: withField(row, 'status', '"active"'), headers: {} };
    });
  };
}

/** What the reader of unlisted markets uses. */
interface UnlistedMarketDeps {
  readonly lookup: Pick<MarketLookup, 'marketByName'>;
  readonly books: Pick<OrderBooks, 'book'>;
  readonly resolutions: Pick<Resolutions, 'read'>;
  readonly live: LiveRead;
  readonly clock: Clock;
}

/** Responds with a market that is not in the list. @throws ServiceError if it cannot be read */
export type UnlistedMarkets = (
  name: string,
  requestHeaders: Readonly<Record<string, string>>,
) => Promise<HttpResponse>;

/** A container keeps a resolved market for this long: its result is final. */
const RESOLVED_TTL_MS = DAY_MS;
/** A container keeps other markets, and that a market is unknown, for this long. */
const OTHER_TTL_MS = MINUTE_MS;
/** The most characters of JSON in a container's cache. */
const CACHE_SIZE = 8_000_000;

/** The result of a look-up at upstream, which the cache keeps. */
interface LookUp {
  /** The market as JSON; absent if upstream has none, or none that the service can read. */
  readonly body?: string;
  /** Why the service cannot read the market that upstream has. */
  readonly reason?: SkipReason;
  readonly isResolved: boolean;
  readonly readAt: UnixMs;
}

/**
 * Makes the reader of markets that are not in the list. Upstream supplies an open market with its
 * book, and a closed one with its result.
 */
export function unlistedMarkets(deps: UnlistedMarketDeps): UnlistedMarkets {
  const { live, clock } = deps;
  const cache = new LiveCache<LookUp>({
    clock,
    ttlMs: ({ isResolved }) => (isResolved ? RESOLVED_TTL_MS : OTHER_TTL_MS),
    maxSize: CACHE_SIZE,
    sizeOf: ({ body }) => body?.length ?? 1,
  });
  const load = (name: string): Promise<LookUp> => {
    const readAt = clock.now();
    return live('market', async (deadline) => {
      const found = await deps.lookup.marketByName(name, deadline);
      if (!found) return { isResolved: false, readAt };
      if ('reason' in found) return { reason: found.reason, isResolved: false, readAt };
      const market = await describeMarket(deps, { ...found, readAt }, deadline);
      return { body: JSON.stringify(market), isResolved: market.status === 'resolved', readAt };
    });
  };
  return async (name, requestHeaders) => {
    const key = canonicalName(name);
    const { body, reason, readAt } = await cache.get(key, () => load(key));
    if (body === undefined) throw noMarket(reason);
    const headers = { 'Cache-Control': cacheControl(cache.remainingSeconds(key)) };
    return conditional(requestHeaders, body, headers, { lastModified: readAt });
  };
}

/**
 * The public fields of an unlisted market. The price of an open one comes from its book. Payouts
 * come only from resolutions: a last price near 0 or 1 proves nothing.
 *
 * @throws UpstreamError
 */
async function describeMarket(
  { books, resolutions }: UnlistedMarketDeps,
  found: FoundMarket & { readonly readAt: UnixMs },
  deadline: UnixMs,
) {
  const { market, closedAt, madeAt, readAt } = found;
  if (!found.isClosed) {
    const book = await books.book(market.clobTokenId, deadline);
    return openMarket(market, {
      sides: book ? sidesOf(book) : {},
      lastTrade: book ? lastTradeOf(book) : {},
      asOf: readAt,
      cataloguePricesAsOf: madeAt,
    });
  }
  const foundResolutions = await resolutions.read([market.id], { deadline });
  const resolution = foundResolutions.get(paddedConditionId(market.id));
  const { payouts, resolvedAt } = resolution ?? {};
  // Without a resolution, the status of the catalogue counts.
  const status = resolution?.status ?? found.resolutionStatus;
  if (status && isResolvedStatus(status) && payouts?.length === market.outcomes.length)
    return resolvedMarket(market, closedAt, { status, payouts, resolvedAt });
  return closedMarket(market, closedAt, status);
}

/** The best prices of a book. */
function sidesOf(book: OrderBook): BookSides {
  const { bids, asks } = bestFirst(book);
  return bookSides(priceAt(bids[0]), priceAt(asks[0]));
}

function priceAt(level: Level | undefined): number | undefined {
  return level && Number(level.price);
}

/** The last trade of a book. Its price can be an empty text (docs/upstream.md). */
function lastTradeOf({ last_trade_price: price }: OrderBook): LastTrade {
  return typeof price !== 'string' || price === '' ? {} : { price: Number(price) };
}
