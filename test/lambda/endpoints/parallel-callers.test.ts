// Many callers share one address of the service at Polymarket, which limits the calls of each
// address. A process spends at most half of each limit, and refuses further requests with
// `upstream_busy` and a time to try again. Here, 60 callers send each kind of request that calls
// upstream.

import { describe, expect, it, jest } from '@jest/globals';
import { ServiceError } from '../../../lambda/core/domain/service-error.ts';
import {
  getPricesHistories,
  getPricesHistory,
} from '../../../lambda/endpoints/histories/prices-history.ts';
import { unlistedMarkets } from '../../../lambda/endpoints/markets/single-market.ts';
import { getOrderBook, listOrderBooks } from '../../../lambda/endpoints/order-books/order-books.ts';
import { sleep } from '../../../lambda/io/platform/clock.ts';
import { GammaCatalogue } from '../../../lambda/io/polymarket/gamma-catalogue.ts';
import type { callOnce } from '../../../lambda/io/upstream/http-call.ts';
import { gammaRecord } from '../../support/gamma-record.ts';
import { orderBook } from '../../support/order-book.ts';
import { outcome } from '../../support/outcome.ts';
import { liveRig } from '../../support/upstream-rig.ts';

// Seconds on an idle machine.
jest.setTimeout(120_000);

/** How long upstream takes to respond. */
const CALL_MS = 150;
/** Upstream's limits count the calls of the last 10 s. */
const WINDOW_MS = 10_000;
/**
 * Half of the calls that Polymarket documents for each route in 10 s (docs/upstream.md). For
 * `/batch-prices-history` it documents only the limit of all routes of CLOB.
 */
const HALF_LIMITS: Readonly<Record<string, number>> = {
  '/markets/keyset': 150,
  '/book': 750,
  '/books': 250,
  '/prices-history': 500,
  '/v2/prices-history': 100,
  '/v2/resolutions': 500,
};
/** Half of the calls for all routes of CLOB together. */
const HALF_CLOB_LIMIT = 4_500;
const isOfClob = (path: string) => !path.startsWith('/v2/') && path !== '/markets/keyset';

/** The responses of upstream. All its markets are closed, with slugs that begin with "closed". */
function respond({ pathname, searchParams: query }: URL): unknown {
  const slug = query.get('slug');
  if (slug?.startsWith('closed') && query.get('closed') === 'true')
    return { markets: [gammaRecord({ slug, closed: true })] };
  const bodies: Readonly<Record<string, unknown>> = {
    '/markets/keyset': { markets: [] },
    '/book': orderBook(['0.4'], ['0.5']),
    '/books': [],
    '/prices-history': { history: [] },
    '/batch-prices-history': { history: {} },
    '/v2/prices-history': { data: [] },
    '/v2/resolutions': { data: [] },
  };
  return bodies[pathname];
}

/** A process of the service. `calls` are those that it makes to upstream. */
function startProcess() {
  const calls: { readonly path: string; readonly at: number }[] = [];
  const call: typeof callOnce = async (clock, { url }) => {
    calls.push({ path: url.pathname, at: clock.now() });
    await sleep(clock, CALL_MS);
    return { body: respond(url), cachedMs: 0 };
  };
  return { calls, rig: liveRig('http://upstream.test', call) };
}

type Rig = ReturnType<typeof liveRig>;
/** Sends a request to an endpoint of its own. The endpoints share the limits of the process. */
type Request = (rig: Rig, n: number) => Promise<unknown>;
const NO_CONTEXT = { headers: {}, sent: {}, path: '' };
/** Requests by name. The number `n` makes an id of its own, so that no cache helps. */
const REQUESTS: Readonly<Record<string, Request>> = {
  'an unknown market': (rig, n) => unlistedMarkets(rig)(`unknown-${n}`, {}),
  'a closed market': (rig, n) => unlistedMarkets(rig)(`closed-${n}`, {}),
  'an order book': async (rig, n) =>
    getOrderBook(rig)({ parameters: { token_id: `${n}` }, ...NO_CONTEXT }),
  'two order books': async (rig, n) =>
    listOrderBooks(rig)({ parameters: { token_id: [`${n}1`, `${n}2`] }, ...NO_CONTEXT }),
  'a whole life': async (rig, n) =>
    getPricesHistory(rig)({ parameters: { token_id: `${n}`, interval: 'max' }, ...NO_CONTEXT }),
  'three months': async (rig, n) => {
    const parameters = { token_id: `${n}`, interval: '3m', fidelity: 5 } as const;
    return getPricesHistory(rig)({ parameters, ...NO_CONTEXT });
  },
  'two histories': async (rig, n) => {
    const parameters = { token_id: [`${n}1`, `${n}2`], interval: '1w' } as const;
    return getPricesHistories(rig)({ parameters, ...NO_CONTEXT });
  },
};
const REQUESTS_IN_TURN: Request = async (rig, n) => {
  const requests = Object.values(REQUESTS);
  return await requests[n % requests.length]?.(rig, n);
};

/** The most calls within any window. @param calls in the order of their times */
function maxInWindow(calls: readonly { readonly at: number }[]): number {
  let first = 0;
  let max = 0;
  for (const [n, { at }] of calls.entries()) {
    while (at - (calls[first]?.at ?? at) >= WINDOW_MS) first += 1;
    max = Math.max(max, n - first + 1);
  }
  return max;
}

/** Lets 60 callers send a request each second for 25 s: two windows, and more. */
async function sendInParallel(request: Request) {
  const { calls, rig } = startProcess();
  const catalogue = new GammaCatalogue(rig.upstream('gamma'));
  const results: unknown[] = [];
  for (let second = 0; second < 25; second++) {
    for (let caller = 0; caller < 60; caller++) {
      const response = outcome(request(rig, 60 * second + caller));
      void response.then((result) => results.push(result));
    }
    // The refresher of the same process reads a page of the catalogue for each of 20 volumes.
    for (let minVolume = 0; minVolume < 20; minVolume++)
      void outcome(catalogue.page(undefined, rig.clock.now() + 10_000, minVolume));
    // In steps, because a call that ends starts the next one.
    for (let step = 0; step < 10; step++) await rig.clock.advance(100);
  }
  await rig.clock.advance(5_000);
  return { calls, results };
}

describe('60 parallel callers of one process', () => {
  it.each([...Object.entries(REQUESTS), ['all of these', REQUESTS_IN_TURN] as const])(
    'get upstream_busy before a limit of upstream is half used: %s',
    async (_name, request) => {
      const { calls, results } = await sendInParallel(request);
      for (const [path, limit] of Object.entries(HALF_LIMITS)) {
        const max = maxInWindow(calls.filter((call) => call.path === path));
        expect({ path, isWithinHalf: max <= limit, max }).toMatchObject({ isWithinHalf: true });
      }
      const ofClob = calls.filter(({ path }) => isOfClob(path));
      expect(maxInWindow(ofClob)).toBeLessThanOrEqual(HALF_CLOB_LIMIT);
      const errors = results.filter((result) => result instanceof ServiceError);
      // `no_market` is the response to a request that was served, for a market that is unknown.
      for (const error of errors.filter(({ code }) => code !== 'no_market')) {
        expect(error.code).toBe('upstream_busy');
        expect(error.retryAfterSeconds).toEqual(expect.any(Number));
      }
    },
  );

  it.each(Object.entries(REQUESTS))(
    'get a Retry-After after which a caller is served: %s',
    async (_name, request) => {
      const { rig } = startProcess();
      // More than any limit allows at once.
      const many = Array.from({ length: 1_200 }, (_, n) => outcome(request(rig, n)));
      await rig.clock.advance(10);
      const oneMore = outcome(request(rig, 1_201));
      await rig.clock.advance(5_000);
      const error = await oneMore;
      await Promise.all(many);
      if (!(error instanceof ServiceError) || error.code !== 'upstream_busy')
        throw new Error(`Not refused: ${error}`);
      await rig.clock.advance((error.retryAfterSeconds ?? 0) * 1_000);
      const served = outcome(request(rig, 1_202));
      await rig.clock.advance(5_000);
      expect(await served).not.toMatchObject({ code: 'upstream_busy' });
    },
  );
});
