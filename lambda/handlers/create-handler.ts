import type { PricesHistoryDeps } from '../endpoints/get-prices-history.ts';
import type { LiveBooksDeps } from '../endpoints/order-books.ts';
import type { SnapshotEndpointDeps } from '../endpoints/snapshot-response.ts';
import { type UnlistedMarkets, unlistedMarkets } from '../endpoints/unlisted-market.ts';
import { type CallerLimit, type Endpoint, type Handler, pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb.ts';
import { type Environment, type ParsedEnvironment, readEnvironment } from '../platform/environment.ts';
import { type Log, telemetry } from '../platform/telemetry.ts';
import { liveRead } from '../polymarket/live-read.ts';
import { MarketLookup } from '../polymarket/market-lookup.ts';
import { OrderBooks } from '../polymarket/order-books.ts';
import { PriceHistories } from '../polymarket/price-histories.ts';
import { Resolutions } from '../polymarket/resolutions.ts';
import { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { createSnapshotCache, type SnapshotCacheOptions } from '../snapshots/snapshot-cache.ts';
import { Upstream } from '../upstream/client.ts';
import type { UpstreamName } from '../upstream/upstreams.ts';

type MarketRoute = 'list-markets' | 'search-markets' | 'list-market-changes';
type SnapshotRoute = MarketRoute | 'list-events' | 'get-event' | 'list-tags';
type BookRoute = 'get-order-book' | 'list-order-books';
type HistoryRoute = 'get-prices-history' | 'get-prices-histories';
type CountedFunction = SnapshotRoute | BookRoute | HistoryRoute | 'get-market' | 'get-clob-book' | 'mcp';

/** Makes the handler of a function: from `process.env` in AWS, from other variables on one machine. */
export type CreateHandler = (environment: Environment) => Handler;

/** What every function whose requests are counted needs. */
interface CountedContext<F extends CountedFunction> {
  readonly settings: ParsedEnvironment<F>;
  readonly logger: Log;
  readonly rateLimit: CallerLimit;
}

export function countedContext<F extends CountedFunction>(name: F, environment: Environment): CountedContext<F> {
  const settings = readEnvironment(name, environment);
  const { logger, metrics } = telemetry(name, environment);
  const counted = settings as ParsedEnvironment<CountedFunction>;
  const { FRONT_DOOR, PUBLIC_API_KEY_IDS, RATE_LIMIT_TABLE: table, REQUESTS_PER_MINUTE: limit } = counted;
  const client = dynamoDbClient(environment, { maxAttempts: 1 });
  const limiter =
    limit === 'off' ? undefined : new RateLimiter({ client, table, limit, clock: systemClock, logger, metrics });
  return {
    settings,
    logger,
    rateLimit: { callers: { frontDoor: FRONT_DOOR, publicKeyIds: PUBLIC_API_KEY_IDS }, limiter },
  };
}

/** The handler of an endpoint that responds from snapshots. It begins to load the newest snapshot at once. */
export function snapshotHandler<R extends SnapshotRoute>(
  environment: Environment,
  route: R,
  endpoint: (deps: SnapshotEndpointDeps) => Endpoint<R>,
  memory: Pick<SnapshotCacheOptions, 'indexer' | 'olderCacheSize'> = {},
): Handler {
  const { settings, logger, rateLimit } = countedContext<SnapshotRoute>(route, environment);
  const client = dynamoDbClient(environment);
  const snapshots = createSnapshotCache({ client, table: settings.SNAPSHOT_TABLE, logger, ...memory });
  snapshots.warm();
  return pipeline({ route, logger, rateLimit, endpoint: endpoint({ snapshots, now: systemClock.now }) });
}

/** The handler of an endpoint that responds with live order books. */
export function bookHandler<R extends BookRoute>(
  environment: Environment,
  route: R,
  endpoint: (deps: LiveBooksDeps) => Endpoint<R>,
): Handler {
  const { settings, logger, rateLimit } = countedContext<BookRoute>(route, environment);
  const deps = liveBooks(liveUpstream('clob', settings.CLOB_URL, logger));
  return pipeline({ route, logger, rateLimit, endpoint: endpoint(deps) });
}

/** The handler of an endpoint that responds with price histories. */
export function historyHandler<R extends HistoryRoute>(
  environment: Environment,
  route: R,
  endpoint: (deps: PricesHistoryDeps) => Endpoint<R>,
): Handler {
  const { settings, logger, rateLimit } = countedContext<HistoryRoute>(route, environment);
  const clob = liveUpstream('clob', settings.CLOB_URL, logger);
  const data = liveUpstream('data', settings.DATA_URL, logger);
  const histories = new PriceHistories({ clob, data, clock: systemClock });
  const deps = { histories, live: liveRead(systemClock), clock: systemClock };
  return pipeline({ route, logger, rateLimit, endpoint: endpoint(deps) });
}

export function liveUpstream(name: UpstreamName, baseUrl: string, observer: Log): Upstream {
  return new Upstream(name, { baseUrl, clock: systemClock, random: Math.random, observer });
}

export function liveBooks(clob: Upstream): LiveBooksDeps {
  return { books: new OrderBooks(clob, systemClock), live: liveRead(systemClock) };
}

export function liveUnlistedMarkets(
  { GAMMA_URL, CLOB_URL, DATA_URL }: Readonly<Record<'GAMMA_URL' | 'CLOB_URL' | 'DATA_URL', string>>,
  logger: Log,
): UnlistedMarkets {
  return unlistedMarkets({
    ...liveBooks(liveUpstream('clob', CLOB_URL, logger)),
    lookup: new MarketLookup(liveUpstream('gamma', GAMMA_URL, logger)),
    resolutions: new Resolutions(liveUpstream('data', DATA_URL, logger)),
    clock: systemClock,
  });
}
