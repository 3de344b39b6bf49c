import { systemClock } from '../io/platform/clock.ts';
import { dynamoDbClient } from '../io/platform/dynamodb.ts';
import {
  type Environment,
  type FunctionName,
  type ParsedEnvironment,
  readEnvironment,
} from '../io/platform/environment.ts';
import { type Log, telemetry } from '../io/platform/telemetry.ts';
import { OrderBooks } from '../io/polymarket/clob-books.ts';
import { liveRead } from '../io/polymarket/live-read.ts';
import { MarketLookup } from '../io/polymarket/market-lookup.ts';
import { PriceHistories } from '../io/polymarket/price-histories.ts';
import { Resolutions } from '../io/polymarket/resolutions.ts';
import { RateLimiter } from '../io/rate-limit/rate-limiter.ts';
import { SnapshotCache, type SnapshotCacheOptions } from '../io/snapshots/snapshot-cache.ts';
import { SnapshotReader } from '../io/snapshots/snapshot-reader.ts';
import { Upstream } from '../io/upstream/client.ts';
import type { UpstreamName } from '../io/upstream/upstreams.ts';
import type { PricesHistoryDeps } from './histories/prices-history.ts';
import { type Endpoint, type Handler, type LimitedRoute, pipeline } from './http/pipeline.ts';
import { type UnlistedMarkets, unlistedMarkets } from './markets/single-market.ts';
import type { LiveBooksDeps } from './order-books/order-books.ts';

type LimitedFunction = LimitedRoute & FunctionName;

/** With `process.env` in AWS, or other variables locally. */
export type CreateHandler = (environment: Environment) => Handler;

interface FunctionContext<S> {
  readonly environment: Environment;
  readonly settings: S;
  readonly logger: Log;
}

export function limitedHandler<R extends LimitedFunction>(
  environment: Environment,
  route: R,
  endpoint: (context: FunctionContext<ParsedEnvironment<R>>) => Endpoint<R>,
): Handler {
  const settings = readEnvironment(route, environment);
  const { logger, metrics } = telemetry(route, environment);
  const { FRONT_DOOR, PUBLIC_API_KEY_IDS, ...limits } = settings as ParsedEnvironment<LimitedFunction>;
  const { RATE_LIMIT_TABLE: table, REQUESTS_PER_MINUTE: limit, RATE_LIMIT_TIMEOUT_MS: timeoutMs } = limits;
  const client = dynamoDbClient(environment, { maxAttempts: 1 });
  const options = { client, table, clock: systemClock, logger, metrics, timeoutMs };
  const limiter = limit === 'off' ? undefined : limiterOf(environment, { ...options, limit });
  const rateLimit = { callers: { frontDoor: FRONT_DOOR, publicKeyIds: PUBLIC_API_KEY_IDS }, limiter };
  return pipeline({ route, logger, rateLimit, endpoint: endpoint({ environment, settings, logger }) });
}

const limiters = new WeakMap<Environment, RateLimiter>();

/** One for each process: on a laptop all endpoints share an environment, and with it what the limiter counts. */
function limiterOf(environment: Environment, options: ConstructorParameters<typeof RateLimiter>[0]): RateLimiter {
  const limiter = limiters.get(environment) ?? new RateLimiter(options);
  limiters.set(environment, limiter);
  return limiter;
}

type SnapshotMemory = Pick<SnapshotCacheOptions, 'indexer' | 'olderCacheSize'>;

/** Begins to load the newest snapshot. @param memory what the function keeps besides it */
export function snapshotDeps(context: FunctionContext<{ SNAPSHOT_TABLE: string }>, memory: SnapshotMemory = {}) {
  const deps = lazySnapshotDeps(context, memory);
  deps.snapshots.warm();
  return deps;
}

/** Loads the newest snapshot with the first request that needs it. */
export function lazySnapshotDeps(
  { environment, settings: { SNAPSHOT_TABLE: table }, logger }: FunctionContext<{ SNAPSHOT_TABLE: string }>,
  memory: SnapshotMemory = {},
) {
  const reader = new SnapshotReader({ client: dynamoDbClient(environment), table, now: systemClock.now });
  const snapshots = new SnapshotCache({ reader, clock: systemClock, logger, ...memory });
  return { snapshots, now: systemClock.now };
}

export function bookDeps({ settings, logger }: FunctionContext<{ CLOB_URL: string }>): LiveBooksDeps {
  const clob = upstream('clob', settings.CLOB_URL, logger);
  return { books: new OrderBooks(clob, systemClock), live: liveRead(systemClock) };
}

export function historyDeps({
  settings,
  logger,
}: FunctionContext<{ CLOB_URL: string; DATA_URL: string }>): PricesHistoryDeps {
  const clob = upstream('clob', settings.CLOB_URL, logger);
  const data = upstream('data', settings.DATA_URL, logger);
  const histories = new PriceHistories({ clob, data, clock: systemClock });
  return { histories, live: liveRead(systemClock), clock: systemClock };
}

export function liveUnlistedMarkets(
  context: FunctionContext<{ GAMMA_URL: string; CLOB_URL: string; DATA_URL: string }>,
): UnlistedMarkets {
  const { settings, logger } = context;
  return unlistedMarkets({
    ...bookDeps(context),
    lookup: new MarketLookup(upstream('gamma', settings.GAMMA_URL, logger)),
    resolutions: new Resolutions(upstream('data', settings.DATA_URL, logger)),
    clock: systemClock,
  });
}

export function marketRulesDeps({ settings, logger }: FunctionContext<{ GAMMA_URL: string }>) {
  const lookup = new MarketLookup(upstream('gamma', settings.GAMMA_URL, logger));
  return { lookup, live: liveRead(systemClock), clock: systemClock };
}

/** All clients of an upstream in a container share its limits. */
function upstream(name: UpstreamName, baseUrl: string, observer: Log): Upstream {
  return new Upstream(name, { baseUrl, clock: systemClock, random: Math.random, observer });
}
