import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { UPSTREAMS, type UpstreamRoute } from '../../../../lambda/io/upstream/upstreams.ts';

/** The table "Rate limits" of docs/upstream.md: path → calls in 10 s. */
const DOCUMENTED = new Map(
  [...readFileSync('docs/upstream.md', 'utf8').matchAll(/([\d,]+)(?: for)? `\/([a-z0-9/-]+)`/g)].map(
    ([, calls = '', path = '']) => [path, Number(calls.replace(',', ''))] as const,
  ),
);
const PATHS: Readonly<Record<string, string>> = {
  'markets-keyset': 'markets',
  'v2-prices-history': 'v2/prices-history',
};

describe('the limits of a route', () => {
  it.each(Object.values(UPSTREAMS).flatMap(({ routes }) => Object.entries<UpstreamRoute>(routes)))(
    'are at most half of those that upstream documents: %s',
    (name, { callsPer10Seconds }) => {
      // 1,000 in all is the lowest general limit of a host.
      expect(callsPer10Seconds).toBeLessThanOrEqual((DOCUMENTED.get(PATHS[name] ?? name) ?? 1_000) / 2);
    },
  );

  // Every route of both hosts has two users: the budget of all requests, and the refresher or the archive.
  it.each([
    ['gamma', 4_000],
    ['data', 1_000],
  ] as const)('leave room for the refresher and the archive beside the budget of requests: %s', (host, documented) => {
    const routes = Object.entries<UpstreamRoute>(UPSTREAMS[host].routes);
    for (const [name, { callsPer10Seconds }] of routes) {
      expect(2 * callsPer10Seconds).toBeLessThanOrEqual(DOCUMENTED.get(PATHS[name] ?? name) ?? documented);
    }
    const both = routes.reduce((sum, [, { callsPer10Seconds }]) => sum + 2 * callsPer10Seconds, 0);
    expect(both).toBeLessThanOrEqual(documented / 2);
    expect(readFileSync('docs/upstream.md', 'utf8')).toContain(`${documented.toLocaleString('en')} in all`);
  });

  it('are those of the routes with the most calls', () => {
    expect(
      ['markets', 'book', 'prices', 'prices-history', 'v2/prices-history'].map((path) => DOCUMENTED.get(path)),
    ).toEqual([300, 1_500, 500, 1_000, 200]);
  });
});
