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

const CALLERS = 60;
/** Half of what Polymarket documents for one address in 10 s (docs/upstream.md). */
const HALF: Readonly<Record<string, number>> = {
  '/markets/keyset': 150,
  '/book': 750,
  '/books': 250,
  '/prices-history': 500,
  '/v2/prices-history': 100,
  '/v2/resolutions': 500,
};
const HALF_OF_CLOB = 4_500;
/** How long upstream takes to respond. */
const CALL_MS = 150;

/** A process with two sets of functions, as on a laptop, over an upstream that knows no market. */
function startProcess() {
  const calls: { path: string; at: number }[] = [];
  const bodies: Readonly<Record<string, unknown>> = {
    '/markets/keyset': { markets: [] },
    '/book': orderBook(['0.4'], ['0.5']),
    '/books': [],
    '/prices-history': { history: [] },
    '/batch-prices-history': { history: {} },
    '/v2/prices-history': { data: [] },
    '/v2/resolutions': { data: [] },
  };
  const call: typeof callOnce = async (clock, { url }) => {
    calls.push({ path: url.pathname, at: clock.now() });
    await sleep(clock, CALL_MS);
    const closed =
      url.searchParams.get('slug')?.startsWith('closed') &&
      url.searchParams.get('closed') === 'true';
    const body = closed
      ? { markets: [gammaRecord({ slug: url.searchParams.get('slug'), closed: true })] }
      : bodies[url.pathname];
    return { body, cachedMs: 0 };
  };
  const rig = liveRig('http://upstream.test', call);
  const functions = () => ({ ...rig, market: unlistedMarkets(rig) });
  return {
    calls,
    clock: rig.clock,
    catalogue: new GammaCatalogue(rig.upstream('gamma')),
    sets: [functions(), functions()],
  };
}

type Functions = ReturnType<typeof startProcess>['sets'][number];
const NO_CONTEXT = { headers: {}, sent: {}, path: '' };
/** Each with its own ids, so that no cache helps. */
const REQUESTS: readonly ((functions: Functions, n: number) => Promise<unknown>)[] = [
  ({ market }, n) => market(`unknown-${n}`, {}),
  ({ market }, n) => market(`closed-${n}`, {}),
  async (rig, n) =>
    getOrderBook(rig)({ parameters: { token_id: `${n}`, depth: undefined }, ...NO_CONTEXT }),
  async (rig, n) =>
    listOrderBooks(rig)({
      parameters: { token_id: [`${n}1`, `${n}2`], depth: undefined },
      ...NO_CONTEXT,
    }),
  async (rig, n) =>
    getPricesHistory(rig)({ parameters: { token_id: `${n}`, interval: 'max' }, ...NO_CONTEXT }),
  async (rig, n) =>
    getPricesHistory(rig)({
      parameters: { token_id: `${n}`, interval: '3m', fidelity: 5 },
      ...NO_CONTEXT,
    }),
  async (rig, n) =>
    getPricesHistories(rig)({
      parameters: { token_id: [`${n}1`, `${n}2`], interval: '1w' },
      ...NO_CONTEXT,
    }),
];

/** @param times ascending */
function mostIn10Seconds(times: readonly number[]): number {
  let first = 0;
  let most = 0;
  for (const [n, time] of times.entries()) {
    while (time - (times[first] ?? time) >= 10_000) first += 1;
    most = Math.max(most, n - first + 1);
  }
  return most;
}

describe('60 parallel callers of one process', () => {
  it.each([...REQUESTS.entries(), ['all', undefined] as const])(
    'never make it exceed half of an upstream limit, and are told when there is room: request %s',
    async (_, one) => {
      const { calls, clock, catalogue, sets } = startProcess();
      let ids = 0;
      const request = () => {
        const n = ++ids;
        const choice = one ?? REQUESTS[n % REQUESTS.length];
        return outcome((async () => await choice?.(sets[n % 2] as Functions, n))());
      };
      const results: unknown[] = [];
      // A step is a second. So there are 25 s of requests: two windows of 10 s, and more.
      for (let step = 0; step < 25; step++) {
        for (let caller = 0; caller < CALLERS; caller++)
          void request().then((result) => results.push(result));
        // The refresher of the same process.
        for (let page = 0; page < 20; page++)
          void outcome(catalogue.page(undefined, clock.now() + 10_000, page));
        for (let pass = 0; pass < 10; pass++) await clock.advance(100);
      }
      await clock.advance(5_000);

      for (const [path, limit] of Object.entries(HALF)) {
        const times = calls.filter((call) => call.path === path).map(({ at }) => at);
        expect([path, Math.min(limit, mostIn10Seconds(times))]).toEqual([
          path,
          mostIn10Seconds(times),
        ]);
      }
      const clob = calls.filter(
        ({ path }) => !path.startsWith('/v2/') && path !== '/markets/keyset',
      );
      expect(mostIn10Seconds(clob.map(({ at }) => at))).toBeLessThanOrEqual(HALF_OF_CLOB);
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

  it.each([...REQUESTS.entries()])(
    'get a Retry-After after which a caller is served: request %i',
    async (_, request) => {
      const { clock, sets } = startProcess();
      const [functions] = sets as [Functions];
      const fill = Array.from({ length: 20 * CALLERS }, (_empty, n) =>
        outcome(request(functions, n)),
      );
      await clock.advance(10);
      const refused = outcome(request(functions, 10_000));
      await clock.advance(5_000);
      const error = await refused;
      await Promise.all(fill);
      if (!(error instanceof ServiceError) || error.code !== 'upstream_busy')
        throw new Error(`Not refused: ${error}`);
      await clock.advance((error.retryAfterSeconds ?? 0) * 1_000);
      const served = outcome(request(functions, 10_001));
      await clock.advance(5_000);
      expect(await served).not.toMatchObject({ code: 'upstream_busy' });
    },
  );
});
