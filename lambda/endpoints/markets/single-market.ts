import { MARKET_FIELDS } from '../../core/contract/market-fields.ts';
import { canonicalName, paddedConditionId } from '../../core/domain/ids.ts';
import { bestFirst, type OrderBook } from '../../core/domain/order-book.ts';
import { bookSides, type LastTrade } from '../../core/domain/price.ts';
import type { SkipReason } from '../../core/domain/snapshot.ts';
import { DAY_MS, MINUTE_MS, type UnixMs } from '../../core/domain/time.ts';
import { closedMarket, openMarket, resolvedMarket } from '../../core/domain/unlisted-market.ts';
import { rowOf, withField } from '../../core/query/market-rows.ts';
import type { Endpoint } from '../../http/pipeline.ts';
import { cacheControl, conditional, type HttpResponse } from '../../http/response.ts';
import { type SnapshotEndpointDeps, snapshotResponse } from '../../http/snapshot-response.ts';
import type { Clock } from '../../io/platform/clock.ts';
import type { OrderBooks } from '../../io/polymarket/clob-books.ts';
import { LiveCache, type LiveRead } from '../../io/polymarket/live-read.ts';
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
/** It keeps other markets for this long, and the answer that a market is unknown. */
const OTHER_TTL_MS = MINUTE_MS;
/** The characters of JSON in a container's cache. */
const CACHE_SIZE = 8_000_000;

/** What a look-up found. */
interface LookedUp {
  /** JSON; empty if there is no market that the service can read. */
  readonly body: string;
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
  const cache = new LiveCache<LookedUp>({
    clock,
    ttlMs: ({ isResolved }) => (isResolved ? RESOLVED_TTL_MS : OTHER_TTL_MS),
    maxSize: CACHE_SIZE,
    sizeOf: ({ body }) => Math.max(1, body.length),
  });
  const load = (name: string): Promise<LookedUp> => {
    const readAt = clock.now();
    return live('market', async (deadline) => {
      const found = await deps.lookup.marketByName(name, deadline);
      if (!found || 'reason' in found) return { body: '', ...found, isResolved: false, readAt };
      const market = await describe(deps, { ...found, readAt }, deadline);
      return { body: JSON.stringify(market), isResolved: market.status === 'resolved', readAt };
    });
  };
  return async (name, requestHeaders) => {
    const key = canonicalName(name);
    const { body, reason, readAt } = await cache.get(key, async () => await load(key));
    if (body === '') throw noMarket(reason);
    const headers = { 'Cache-Control': cacheControl(cache.remainingSeconds(key)) };
    return conditional(requestHeaders, body, headers, { lastModified: readAt });
  };
}

/**
 * Payouts come from resolutions only: a last price near 0 or 1 proves nothing.
 *
 * @throws UpstreamError
 */
async function describe(
  { books, resolutions }: UnlistedMarketDeps,
  found: FoundMarket & { readonly readAt: UnixMs },
  deadline: UnixMs,
) {
  const { market, closedAt, madeAt, readAt } = found;
  if (!found.isClosed) {
    const book = await books.book(market.clobTokenId, deadline);
    const times = { asOf: readAt, cataloguePricesAsOf: madeAt };
    return openMarket(market, {
      sides: book ? sidesOf(book) : {},
      lastTrade: book ? lastTradeOf(book) : {},
      ...times,
    });
  }
  const resolution = (await resolutions.read([market.id], { deadline })).get(
    paddedConditionId(market.id),
  );
  const { status = found.resolutionStatus, payouts, resolvedAt } = resolution ?? {};
  return status && isResolvedStatus(status) && payouts?.length === market.outcomes.length
    ? resolvedMarket(market, closedAt, { status, payouts, resolvedAt })
    : closedMarket(market, closedAt, status);
}

function sidesOf(book: OrderBook) {
  const { bids, asks } = bestFirst(book);
  const [bid, ask] = [bids[0]?.price, asks[0]?.price].map((price) =>
    price === undefined ? undefined : Number(price),
  );
  return bookSides(bid, ask);
}

function lastTradeOf({ last_trade_price: price }: OrderBook): LastTrade {
  return typeof price !== 'string' || price === '' ? {} : { price: Number(price) };
}
