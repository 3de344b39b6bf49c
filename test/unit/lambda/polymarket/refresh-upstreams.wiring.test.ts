import { describe, expect, it } from '@jest/globals';
import { CallCounter } from '../../../../lambda/http-client/call-counter.ts';
import { refreshUpstreams } from '../../../../lambda/polymarket/refresh-upstreams.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const RANGE = { start: 1_000, end: 2_000, fidelity: 15 };
const BODIES: Readonly<Record<string, unknown>> = {
  '/markets/keyset': { markets: [gammaRecord()] },
  '/midpoints': { 7: '0.5' },
  '/batch-prices-history': { history: { 7: [{ t: 1_500, p: 0.1 }] } },
  '/prices-history': { history: [{ t: 1_500, p: 0.2 }] },
  '/v2/prices-history': { data: [{ timestamp: 1_500, price: 0.3 }], pagination: {} },
};

/** The upstreams of a refresh, of which some paths are gone. */
function rig(...gone: string[]) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const pages: unknown[] = [];
  const counter = () => new CallCounter(() => undefined);
  const observers = { gamma: counter(), clob: counter(), data: counter() };
  const options = {
    urls: { gamma: 'http://gamma.example', clob: 'http://clob.example', data: 'http://data.example' },
    fetch: async (url: string) => {
      const { hostname, pathname } = new URL(url);
      asked.push(`${hostname}${pathname}`);
      return gone.includes(pathname)
        ? new Response('', { status: 410 })
        : new Response(JSON.stringify(BODIES[pathname]));
    },
    clock,
    random: () => 0,
  };
  const upstreams = refreshUpstreams({
    ...options,
    observers,
    pages: { sawPage: (...page) => pages.push(page) },
  });
  const deadline = clock.now() + 60_000;
  const calls = () => Object.values(observers).map((observer) => observer.take().UpstreamCalls);
  return { ...upstreams, asked, pages, calls, deadline, options };
}

describe('a refresh', () => {
  it('reads the catalogue of Gamma, and whoever observes its pages and calls is told', async () => {
    const { catalogue, asked, pages, calls, deadline } = rig();
    expect((await catalogue.page(undefined, deadline)).records).toHaveLength(1);
    expect(asked).toEqual(['gamma.example/markets/keyset']);
    expect(pages).toHaveLength(1);
    expect(calls()).toEqual([1, 0, 0]);
  });

  it('reads midpoints of CLOB, by the client that it shows', async () => {
    const { prices, clob, asked, calls, deadline } = rig();
    expect(await prices.midpoints(['7'], deadline)).toEqual(new Map([['7', 0.5]]));
    await clob.request('midpoints', '/midpoints', ({ body }) => body, { deadline, retries: 0 });
    expect(asked).toEqual(['clob.example/midpoints', 'clob.example/midpoints']);
    expect(calls()).toEqual([0, 2, 0]);
  });

  const PATHS = ['/batch-prices-history', '/prices-history', '/v2/prices-history'];
  it.each([
    ['clob-batch', 0, 0.1, 20],
    ['clob-single', 1, 0.2, 1],
    ['data', 2, 0.3, 1],
  ])('reads histories of %s where %i routes are gone', async (name, routesGone, p, tokensPerCall) => {
    const { prices, historyRoutes, asked, calls, deadline } = rig(...PATHS.slice(0, routesGone));
    expect(prices.tokensPerCall).toBe(20);
    expect(await prices.histories(['7'], RANGE, deadline)).toEqual(new Map([['7', [{ t: 1_500, p }]]]));
    expect(historyRoutes.inUse).toBe(name);
    expect(prices.tokensPerCall).toBe(tokensPerCall);
    const hosts = ['clob.example', 'clob.example', 'data.example'];
    expect(asked).toEqual(PATHS.slice(0, routesGone + 1).map((path, n) => `${hosts[n]}${path}`));
    expect(calls()).toEqual([0, Math.min(routesGone + 1, 2), routesGone === 2 ? 1 : 0]);
  });

  it('reads as well where nobody observes', async () => {
    const { options, deadline } = rig();
    const { catalogue, prices } = refreshUpstreams(options);
    expect((await catalogue.page(undefined, deadline)).records).toHaveLength(1);
    expect((await prices.midpoints(['7'], deadline)).size).toBe(1);
  });
});
