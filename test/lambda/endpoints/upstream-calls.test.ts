import { describe, expect, it, jest } from '@jest/globals';
import {
  MAX_PRICE_HISTORIES,
  MAX_UPSTREAM_RETRIES,
} from '../../../lambda/core/contract/constants.ts';
import { ROUTES, type RouteName } from '../../../lambda/core/contract/route-table.ts';
import {
  getPricesHistories,
  getPricesHistory,
} from '../../../lambda/endpoints/histories/prices-history.ts';
import { unlistedMarkets } from '../../../lambda/endpoints/markets/single-market.ts';
import { getOrderBook, listOrderBooks } from '../../../lambda/endpoints/order-books/order-books.ts';
import { getMarketRules } from '../../../lambda/endpoints/rules/market-rules.ts';
import { callOnce } from '../../../lambda/io/upstream/http-call.ts';
import { UpstreamError } from '../../../lambda/io/upstream/upstream-error.ts';
import { gammaRecord } from '../../support/gamma-record.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { orderBook } from '../../support/order-book.ts';
import { outcome } from '../../support/outcome.ts';
import {
  hang,
  type ReceivedRequest,
  type Reply,
  reset,
  send,
  startStubUpstream,
} from '../../support/stub-upstream.ts';
import { liveRig } from '../../support/upstream-rig.ts';

// Each request to an endpoint is made in every combination of states of two hosts, and the calls to
// the hosts are counted. So a failing upstream never multiplies the calls of one request.

// Seconds on an idle machine.
jest.setTimeout(120_000);
/** Hundreds of requests in each test, each of them over real sockets. */
const MAX_TEST_MS = 90_000;

const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const DAY = 86_400;
/** A history has at most so many pages, each of them a call. Only `endless` has more than one. */
const MAX_HISTORY_PAGES = 10;

/** A token with the layout of a position id of Protocol V2. */
const positionId = (n: number) =>
  String((BigInt(`0x01${'ab'.repeat(16)}${'00'.repeat(14)}`) << 8n) + BigInt(n));
/** Tokens of both protocols. */
const TOKENS = Array.from({ length: MAX_PRICE_HISTORIES }, (_, n) =>
  n % 3 === 0 ? positionId(n) : String(n),
);

/**
 * How a host replies. `some` has data of every second token only, `first` has data for the first
 * call of each route and then resets the connection, and `endless` has a next page forever.
 */
const STATES = [
  'answers',
  'empty',
  'some',
  'first',
  '500',
  '400',
  'reset',
  'hang',
  'endless',
] as const;
type State = (typeof STATES)[number];
type Host = 'clob' | 'data' | 'gamma';
type Rig = ReturnType<typeof liveRig>;

const stub = await startStubUpstream();

/** The replies of the states in which a host has no data. */
const FAILURES: Partial<Record<State, Reply>> = {
  500: send({ error: 'no' }, 500),
  400: send({ error: 'no' }, 400),
  reset,
  hang,
};

const hostOf = (url: string): Host => {
  if (url.startsWith('/v2/')) return 'data';
  return url.startsWith('/markets') ? 'gamma' : 'clob';
};

/** What a route has in a state that has data. */
function bodyOf(request: ReceivedRequest, state: State): unknown {
  const { pathname, searchParams } = new URL(request.url, stub.url);
  const tokens = (request.body as { markets?: string[] } | undefined)?.markets ?? [];
  const points = (has: boolean) => (has && state !== 'empty' ? [{ t: NOW - 90, p: 0.5 }] : []);
  const rows = { data: [{ timestamp: NOW - 90, price: 0.5, resolution_seconds: 60 }] };
  const next = `${Number(searchParams.get('cursor') ?? 0) + 1}`;
  const isKnown = (token: string) => state !== 'some' || TOKENS.indexOf(token) % 2 === 0;
  const isClosed = searchParams.get('closed') === String(state !== 'some');
  const bodies: Record<string, unknown> = {
    '/batch-prices-history': {
      history: Object.fromEntries(tokens.map((token) => [token, points(isKnown(token))])),
    },
    '/prices-history': { history: points(true) },
    '/v2/prices-history': {
      data: state === 'empty' ? [] : rows.data,
      ...(state === 'endless' ? { pagination: { has_more: true, next_cursor: next } } : {}),
    },
    '/v2/resolutions': { data: [] },
    '/book': orderBook(['0.4'], ['0.5'], { asset_id: TOKENS[1] }),
    '/books': [],
    '/markets/keyset': {
      markets:
        state === 'empty' || !isClosed ? [] : [gammaRecord({ slug: 'a-market', closed: isClosed })],
    },
  };
  return bodies[pathname];
}

/** Makes a request. @returns its calls to upstream, and those of them that got data, as texts */
async function callsOf(
  states: Readonly<Record<Host, State>>,
  request: (rig: Rig) => Promise<unknown>,
) {
  const calls: string[] = [];
  const answered: string[] = [];
  let hung = 0;
  stub.reply((response, received) => {
    const [path = ''] = received.url.split('?');
    const isFirst = !calls.some((other) => other.includes(path));
    const ofHost = states[hostOf(received.url)];
    const state = ofHost === 'first' && !isFirst ? 'reset' : ofHost;
    const call = JSON.stringify([received.method, received.url, received.body]);
    calls.push(call);
    if (FAILURES[state] === undefined) answered.push(call);
    if (state === 'hang') hung += 1;
    (FAILURES[state] ?? send(bodyOf(received, state)))(response, received);
  });
  let begun = 0;
  let ended = 0;
  const rig = liveRig(stub.url, async (...call) => {
    begun += 1;
    const result = await outcome(callOnce(...call));
    const isTimeout = result instanceof UpstreamError && result.failure === 'timeout';
    if (!isTimeout) ended += 1;
    if (result instanceof Error) throw result;
    return result as Awaited<ReturnType<typeof callOnce>>;
  });
  // The stub has received each call, and only those that hang have no reply.
  await passTime(
    rig.clock,
    request(rig),
    () => begun === calls.length && ended === calls.length - hung,
  );
  return { calls, answered };
}

/**
 * Lets time pass whenever the request only waits for time, until its last call has ended or timed
 * out.
 */
async function passTime(
  clock: ManualClock,
  request: Promise<unknown>,
  isQuiet: () => boolean,
): Promise<void> {
  let isDone = false;
  const result = outcome(request).finally(() => {
    isDone = true;
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (await turn(); !isDone; await turn()) {
    if (isQuiet()) await clock.advance(500);
  }
  // Calls for other windows go on after one has failed.
  if (!((await result) instanceof Error)) return;
  for (let round = 0; round < 4; round++) {
    while (!isQuiet()) await turn();
    await clock.advance(2_000);
  }
}

const NO_CONTEXT = { headers: {}, sent: {}, path: '' };
const histories = (rig: Rig, token_id: readonly string[]) =>
  getPricesHistories(rig)({ parameters: { token_id, interval: '1w' }, ...NO_CONTEXT });
const history = (
  rig: Rig,
  query: { interval?: '1d' | 'max' | '3m'; startTs?: number; fidelity?: number },
  n = 1,
) => getPricesHistory(rig)({ parameters: { token_id: TOKENS[n] ?? '', ...query }, ...NO_CONTEXT });
const market = (rig: Rig, name: string) => unlistedMarkets(rig)(name, {});
const rules = (rig: Rig, id: string) => getMarketRules(rig)({ parameters: { id }, ...NO_CONTEXT });
const parameters = { token_id: TOKENS[1] ?? '' };

interface Limit {
  /** Of one request, without retries. */
  readonly maxCalls: number;
  /** The most expensive requests among them. */
  readonly requests: readonly ((rig: Rig) => unknown)[];
}

const LIMITS: Partial<Record<RouteName, Limit>> = {
  // Open and closed markets, then the order book or the resolution.
  'get-market': {
    maxCalls: 3,
    requests: [(rig) => market(rig, 'a-market'), (rig) => market(rig, TOKENS[0] ?? '')],
  },
  'get-market-rules': {
    maxCalls: 2,
    requests: [(rig) => rules(rig, 'a-market'), (rig) => rules(rig, TOKENS[0] ?? '')],
  },
  'get-order-book': {
    maxCalls: 1,
    requests: [(rig) => getOrderBook(rig)({ parameters, ...NO_CONTEXT })],
  },
  // The whole life fails, then seven windows from both hosts.
  'get-prices-history': {
    maxCalls: 1 + 2 * 7,
    requests: [
      (rig) => history(rig, { interval: '1d' }),
      (rig) => history(rig, { interval: '1d' }, 0),
      (rig) => history(rig, { interval: 'max' }),
      (rig) => history(rig, { interval: '3m', fidelity: 30 }),
      (rig) => history(rig, { startTs: NOW - 7 * DAY + 120, fidelity: 1 }),
      (rig) => history(rig, { startTs: NOW - 90 * DAY + 61, fidelity: 119 }),
      (rig) => history(rig, { startTs: NOW - 90 * DAY + 61, fidelity: 1_440 }),
    ],
  },
  // All tokens at once, then each of 20.
  'get-prices-histories': {
    maxCalls: 1 + MAX_PRICE_HISTORIES,
    requests: [(rig) => histories(rig, TOKENS), (rig) => histories(rig, TOKENS.slice(0, 1))],
  },
  'list-order-books': {
    maxCalls: 1,
    requests: [(rig) => listOrderBooks(rig)({ parameters: { token_id: TOKENS }, ...NO_CONTEXT })],
  },
};

describe('the calls to the upstreams of one request', () => {
  it('have a maximum for each endpoint that reads from an upstream', () => {
    const live = Object.entries(ROUTES).filter(
      ([, { source }]) => source === 'clob' || source === 'gamma',
    );
    const names = ['get-market', ...live.map(([name]) => name)];
    expect(Object.keys(LIMITS).sort()).toEqual(names.sort());
  });

  it.each(Object.entries(LIMITS) as [RouteName, Limit][])(
    'of %s are at most its maximum, in every state of the upstreams',
    async (name, { maxCalls, requests }) => {
      let most = 0;
      for (const states of statesFor(name)) {
        for (const request of requests) {
          const { calls, answered } = await callsOf(states, async (rig) => await request(rig));
          const different = new Set(calls).size;
          const pages = states.data === 'endless' ? MAX_HISTORY_PAGES : 1;
          const isWithin =
            different <= maxCalls * pages &&
            calls.length <= maxCalls * pages + MAX_UPSTREAM_RETRIES;
          const isRepeated = new Set(answered).size < answered.length;
          const found = { isWithin, isRepeated, states, request: String(request) };
          expect(found).toEqual({ ...found, isWithin: true, isRepeated: false });
          if (pages === 1) most = Math.max(most, different);
        }
      }
      expect(most).toBe(maxCalls);
    },
    MAX_TEST_MS,
  );
});

/** Every pair of states of the two hosts that a route reads. Only single markets come from Gamma. */
function statesFor(name: RouteName): Readonly<Record<Host, State>>[] {
  const pairs = STATES.flatMap((one) => STATES.map((other) => [one, other] as const));
  return pairs.map(([one, data]) =>
    name === 'get-market' || name === 'get-market-rules'
      ? { gamma: one, clob: data, data }
      : { gamma: 'answers', clob: one, data },
  );
}
