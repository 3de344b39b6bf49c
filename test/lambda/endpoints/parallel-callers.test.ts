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
const WINDOW_MS = 10_000;
/** Half of what Polymarket documents for one address in 10 s (docs/upstream.md). */
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

/** What upstream responds: it knows no market but those whose slug begins with "closed". */
const BODIES: Readonly<Record<string, unknown>> = {
  '/markets/keyset': { markets: [] },
  '/book': orderBook(['0.4'], ['0.5']),
  '/books': [],
  '/prices-history': { history: [] },
  '/batch-prices-history': { history: {} },
  '/v2/prices-history': { data: [] },
  '/v2/resolutions': { data: [] },
};
function respond({ pathname, searchParams: query }: URL): unknown {
  const slug = query.get('slug');
  const isClosed = slug?.startsWith('closed') && query.get('closed') === 'true';
  return isClosed ? { markets: [gammaRecord({ slug, closed: true })] } : BODIES[pathname];
}

/** A process with two sets of functions, as on a laptop. `calls` are those of upstream. */
function startProcess() {
  const calls: { path: string; at: number }[] = [];
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
  'an order book': async (rig, n) =>
    getOrderBook(rig)({ parameters: { token_id: `${n}`, depth: undefined }, ...NO_CONTEXT }),
  'two order books': async (rig, n) =>
    listOrderBooks(rig)({
      parameters: { token_id: [`${n}1`, `${n}2`], depth: undefined },
      ...NO_CONTEXT,
    }),
  'a whole life': async (rig, n) =>
    getPricesHistory(rig)({ parameters: { token_id: `${n}`, interval: 'max' }, ...NO_CONTEXT }),
  'three months': async (rig, n) =>
    getPricesHistory(rig)({
      parameters: { token_id: `${n}`, interval: '3m', fidelity: 5 },
      ...NO_CONTEXT,
    }),
  'two histories': async (rig, n) =>
    getPricesHistories(rig)({
      parameters: { token_id: [`${n}1`, `${n}2`], interval: '1w' },
      ...NO_CONTEXT,
    }),
};
const ONE_AFTER_THE_OTHER: Request = async (functions, n) => {
  const requests = Object.values(REQUESTS);
  return await requests[n % requests.length]?.(functions, n);
};

/** The largest number of times within a window. @param times ascending */
function maxInWindow(times: readonly number[]): number {
  let first = 0;
  let max = 0;
  for (const [n, time] of times.entries()) {
    while (time - (times[first] ?? time) >= WINDOW_MS) first += 1;
    max = Math.max(max, n - first + 1);
  }
  return max;
}

/** Lets 60 callers send a request each second for 25 s: two windows, and more. */
async function send(request: Request) {
  const { calls, clock, catalogue, sets } = startProcess();
  const results: unknown[] = [];
  let sent = 0;
  for (let second = 0; second < 25; second++) {
    for (let caller = 0; caller < 60; caller++) {
      const n = ++sent;
      const functions = n % 2 === 0 ? sets[0] : sets[1];
      void outcome(request(functions, n)).then((result) => results.push(result));
    }
    // The refresher of the same process.
    for (let page = 0; page < 20; page++)
      void outcome(catalogue.page(undefined, clock.now() + 10_000, page));
    // In steps, because a call that ends starts the next one.
    for (let step = 0; step < 10; step++) await clock.advance(100);
  }
  await clock.advance(5_000);
  return { calls, results };
}

describe('60 parallel callers of one process', () => {
  it.each([...Object.entries(REQUESTS), ['all of these', ONE_AFTER_THE_OTHER] as const])(
    'get upstream_busy before a limit of upstream is half used: %s',
    async (_name, request) => {
      const { calls, results } = await send(request);
      for (const [path, limit] of Object.entries(HALF_LIMITS)) {
        const max = maxInWindow(calls.filter((call) => call.path === path).map(({ at }) => at));
        expect(max > limit && `${max} calls of ${path}`).toBe(false);
      }
      const clob = calls.filter(
        ({ path }) => !path.startsWith('/v2/') && path !== '/markets/keyset',
      );
      expect(maxInWindow(clob.map(({ at }) => at))).toBeLessThanOrEqual(HALF_CLOB_LIMIT);
      const refused = results.filter(
        (result) => result instanceof ServiceError && result.code !== 'no_market',
      );
      for (const error of refused) {
        expect(error).toMatchObject({
          code: 'upstream_busy',
          retryAfterSeconds: expect.any(Number),
        });
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
      const refused = outcome(request(functions, 10_000));
      await clock.advance(5_000);
      const error = await refused;
      await Promise.all(many);
      if (!(error instanceof ServiceError) || error.code !== 'upstream_busy')
        throw new Error(`Not refused: ${error}`);
      await clock.advance((error.retryAfterSeconds ?? 0) * 1_000);
      const served = outcome(request(functions, 10_001));
      await clock.advance(5_000);
      expect(await served).not.toMatchObject({ code: 'upstream_busy' });
    },
  );
});
