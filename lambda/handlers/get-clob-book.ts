import { readEnvironment } from '../contract/environment.ts';
import {
  factCache,
  getClobBook,
  UPSTREAM_ROUTE_NAMES,
  type UpstreamRoute,
} from '../endpoints/get-clob-book.ts';
import { orderBookCache } from '../endpoints/live-books.ts';
import { createCallerLimit } from '../http/create-caller-limit.ts';
import { byResource, pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { ClobBooks } from '../polymarket/clob-books.ts';
import { ClobFacts } from '../polymarket/clob-facts.ts';
import { createLiveClob } from '../polymarket/create-live-upstreams.ts';

const settings = readEnvironment('get-clob-book', process.env);
const { logger, metrics } = telemetry('get-clob-book');
const { upstream, live } = createLiveClob(settings.CLOB_URL, { logger, metrics });
const rateLimit = await createCallerLimit({ settings, client: dynamoDbClient(), logger, metrics });
const options = {
  books: new ClobBooks(upstream),
  live,
  cache: orderBookCache(systemClock),
  facts: new ClobFacts(upstream),
  factCache: factCache(systemClock),
  edgeCache: settings.EDGE_CACHE,
};

const pipelineOf = <R extends UpstreamRoute>(route: R) =>
  pipeline<UpstreamRoute>({ route, logger, rateLimit, endpoint: getClobBook<UpstreamRoute>(route, options) });

/** One function for the upstream's own paths: they share one book. */
export const handler = byResource(UPSTREAM_ROUTE_NAMES, pipelineOf);
