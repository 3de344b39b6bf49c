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
/** Half of the calls that Polymarket documents for each route in 10 s (docs/upstream.md). */
const HALF_LIMITS: Readonly<Record<string, number>> = {
  '/markets/keyset': 150,
  '/book': 750,
  '/books': 250,
  '/prices-history': 500,
  '/v2/prices-history': 100,
  '/v2/resolutions': 500,
};
/** The same for all routes of CLOB together. */
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

/**
 * A process with two sets of functions, as the local server has. They share the limits of the
 * process. `calls` are those of upstream.
 */
function startProcess() {
  const calls: { readonly path: string; readonly at: number }[] = [];
  const call: typeof callOnce = async (clock, { url }) => {
    calls.push({ path: url.pathname, at: clock.now() });
    await sleep(clock, CALL_MS);
    return { body: respond(url), cachedMs: 0 };
  };
  const rig = liveRig('http://upstream.test', call);
  const functions = () => ({ ...rig, market: unlistedMarkets(rig) });
  return {
    calls,
    clock: rig.clock,
    catalogue: new GammaCatalogue(rig.upstream('gamma')),
    sets: [functions(), functions()] as const,
  };
}

type Functions = ReturnType<typeof startProcess>['sets'][number];
type Request = (functions: Functions, n: number) => Promise<unknown>;
const NO_CONTEXT = { headers: {}, sent: {}, path: '' };
/** Requests by name. The number `n` makes an id of its own, so that no cache helps. */
const REQUESTS: Readonly<Record<string, Request>> = {
  'an unknown market': ({ market }, n) => market(`unknown-${n}`, {}),
  'a closed market': ({ market }, n) => market(`closed-${n}`, {}),
  'an order book': async (functions, n) => {
    const parameters = { token_id: `${n}`, depth: undefined };
    return getOrderBook(functions)({ parameters, ...NO_CONTEXT });
  },
  'two order books': async (functions, n) => {
    const parameters = { token_id: [`${n}1`, `${n}2`], depth: undefined };
    return listOrderBooks(functions)({ parameters, ...NO_CONTEXT });
  },
  'a whole life': async (functions, n) => {
    const parameters = { token_id: `${n}`, interval: 'max' } as const;
    return getPricesHistory(functions)({ parameters, ...NO_CONTEXT });
  },
  'three months': async (functions, n) => {
    const parameters = { token_id: `${n}`, interval: '3m', fidelity: 5 } as const;
    return getPricesHistory(functions)({ parameters, ...NO_CONTEXT });
  },
  'two histories': async (functions, n) => {
    const parameters = { token_id: [`${n}1`, `${n}2`], interval: '1w' } as const;
    return getPricesHistories(functions)({ parameters, ...NO_CONTEXT });
  },
};
const REQUESTS_IN_TURN: Request = async (functions, n) => {
  const requests = Object.values(REQUESTS);
  return await requests[n % requests.length]?.(functions, n);
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
  const { calls, clock, catalogue, sets } = startProcess();
  const results: unknown[] = [];
  for (let n = 1; n <= 25 * 60; n++) {
    const functions = n % 2 === 0 ? sets[0] : sets[1];
    void outcome(request(functions, n)).then((result) => results.push(result));
    const isEndOfSecond = n % 60 === 0;
    if (!isEndOfSecond) continue;
    // The refresher of the same process reads the catalogue.
    for (let page = 0; page < 20; page++)
      void outcome(catalogue.page(undefined, clock.now() + 10_000, page));
    // In steps, because a call that ends starts the next one.
    for (let step = 0; step < 10; step++) await clock.advance(100);
  }
  await clock.advance(5_000);
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
      for (const error of errors.filter(({ code }) => code !== 'no_market')) {
        expect(error.code).toBe('upstream_busy');
        expect(error.retryAfterSeconds).toEqual(expect.any(Number));
      }
    },
  );

  it.each(Object.entries(REQUESTS))(
    'get a Retry-After after which a caller is served: %s',
    async (_name, request) => {
      const { clock, sets } = startProcess();
      const [functions] = sets;
      // More than any limit allows at once.
      const many = Array.from({ length: 1_200 }, (_, n) => outcome(request(functions, n)));
      await clock.advance(10);
      const oneMore = outcome(request(functions, 1_201));
      await clock.advance(5_000);
      const error = await oneMore;
      await Promise.all(many);
      if (!(error instanceof ServiceError) || error.code !== 'upstream_busy')
        throw new Error(`Not refused: ${error}`);
      await clock.advance((error.retryAfterSeconds ?? 0) * 1_000);
      const served = outcome(request(functions, 1_202));
      await clock.advance(5_000);
      expect(await served).not.toMatchObject({ code: 'upstream_busy' });
    },
  );
});
