/**
 * The check of a deployed service from outside: it makes the requests that callers make. A schedule
 * runs it (an alarm counts its failures), and so does a person, with `npm run smoke`.
 */
import { QUERY_MAX_CHARACTERS } from '../../core/contract/constants.ts';
import { type ErrorCode, PER_IP_REFUSAL, WEB_ACL_REQUEST_ID } from '../../core/contract/errors.ts';
import { ROUTES } from '../../core/contract/route-table.ts';
import { type Clock, systemClock, withTimeout } from '../../io/platform/clock.ts';
import { type Environment, readEnvironment } from '../../io/platform/environment.ts';
import { telemetry } from '../../io/platform/telemetry.ts';
import { Caller, fieldsOf, type Reply } from './caller.ts';

/** The time for all requests: below the function's 30 s, so that its log names the request. */
const DEADLINE_MS = 20_000;

/** In an error with these codes the service itself works; the problem is Polymarket's. */
const UPSTREAM_CODES: readonly unknown[] = [
  'upstream_unavailable',
  'upstream_busy',
  'no_order_book',
  'no_market',
] satisfies ErrorCode[];

/** Makes the scheduled function. If the check fails, it throws, and Lambda counts the error. */
export function createCheck(
  environment: Environment,
  clock: Clock = systemClock,
): () => Promise<void> {
  const { BASE_URL: base, API_KEY: apiKey } = readEnvironment('check-service', environment);
  const { logger } = telemetry('check-service', environment);
  return async () => {
    let caller: Caller | undefined;
    try {
      await withTimeout(clock, DEADLINE_MS, async (signal) => {
        caller = new Caller({ base, apiKey, signal });
        for await (const _ of checkService(caller));
      });
    } catch (error) {
      logger.error('The service does not respond as it should', { error, ...caller?.last });
      throw error;
    }
  };
}

/**
 * Requests the status, a list of one market, a search for it, its order book and its history.
 *
 * The check accepts a 429 of our functions, because they work if they limit an address. A 429 of
 * another sender fails status, list and search: the web ACL blocks the check itself (docs/runbook.md,
 * "Service down"), or the plan of all callers together is used up.
 *
 * Book and history accept each 429, and also that Polymarket is down or has closed the market.
 *
 * @returns a sentence for each accepted response: `npm run smoke` prints them, the function does not
 * @throws Error for the first other one, which `caller.last` describes
 */
export async function* checkService(caller: Caller): AsyncGenerator<string> {
  const status = await caller.get(ROUTES['get-status'].path);
  yield `status: ${isOurRateLimit(status) ? status.code : freshness(status)}`;

  const list = await caller.get(`${ROUTES['list-markets'].path}?limit=1`);
  if (isOurRateLimit(list)) {
    yield `list: ${list.code}`;
    return;
  }
  const { clobTokenId, question } = fieldsOf(firstOf(list));
  if (typeof clobTokenId !== 'string' || typeof question !== 'string')
    throw new Error('This is not a list of markets');
  yield `list: ${question}`;

  const query = new URLSearchParams({ q: question.slice(0, QUERY_MAX_CHARACTERS), limit: '1' });
  const search = await caller.get(`${ROUTES['search-markets'].path}?${query}`);
  yield `search: ${isOurRateLimit(search) ? search.code : fieldsOf(firstOf(search)).question}`;

  const token = new URLSearchParams({ token_id: clobTokenId });
  const book = await caller.get(`${ROUTES['get-order-book'].path}?${token}`);
  yield `order book: ${liveAnswer(book, ['bids', 'asks'])}`;

  const history = await caller.get(`${ROUTES['get-prices-history'].path}?${token}&interval=1d`);
  yield `history of a day: ${liveAnswer(history, ['history'])}`;
}

/** The state of the service in words. @throws Error unless the data is fresh */
function freshness({ status, json }: Reply): string {
  const { status: state, ageSeconds, markets, version } = fieldsOf(json);
  if (status !== 200) throw new Error('This is not the status of the service');
  if (state !== 'ok' && state !== 'degraded') throw new Error(`The data is not fresh: ${state}`);
  return `${state}, ${markets} markets, ${ageSeconds} s old, version ${version}`;
}

/** The first entry of a list. @throws Error for another response and for an empty list */
function firstOf({ status, json }: Reply): unknown {
  if (status !== 200 || !Array.isArray(json)) throw new Error('This is not a list');
  if (json.length === 0) throw new Error('The list is empty');
  return json[0];
}

/**
 * What a response with live data contains, in words.
 *
 * @throws Error unless it has these lists, or reports a problem of Polymarket
 */
function liveAnswer({ status, json, code }: Reply, names: readonly string[]): string {
  if (status === 429 || UPSTREAM_CODES.includes(code)) return `${status} ${code}`;
  const lists = names.map((name) => fieldsOf(json)[name]);
  if (status !== 200 || !lists.every(Array.isArray))
    throw new Error(`This has no ${names.join(' and ')}`);
  return lists.map((list, n) => `${list.length} in ${names[n]}`).join(', ');
}

/**
 * Whether our functions sent a 429 because of their limit per address. The web ACL sends the same
 * error, with a request id of its own.
 */
function isOurRateLimit({ status, json }: Reply): boolean {
  const { error, requestId } = fieldsOf(json);
  return status === 429 && error === PER_IP_REFUSAL && requestId !== WEB_ACL_REQUEST_ID;
}
