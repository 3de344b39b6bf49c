import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { UPSTREAMS, type UpstreamRoute } from '../../../../lambda/io/upstream/upstreams.ts';

const DOCUMENT = readFileSync('docs/upstream.md', 'utf8');
/** Polymarket's limits in calls in 10 s, by path. The document says "1,500 for `/book`". */
const DOCUMENTED = new Map(
  Array.from(
    DOCUMENT.matchAll(/([\d,]+)(?: for)? `\/([a-z0-9/-]+)`/g),
    ([, calls = '', path = '']) => [path, Number(calls.replace(',', ''))],
  ),
);
/** The paths of routes with another name. */
const PATHS: Readonly<Record<string, string>> = {
  'markets-keyset': 'markets',
  'market-lookup': 'markets',
  'v2-prices-history': 'v2/prices-history',
};

describe('the limits of a process', () => {
  it.each([
    ['gamma', 4_000],
    ['clob', 9_000],
    ['data', 1_000],
  ] as const)('are at most half of those of %s, for each path and together', (host, together) => {
    const routes = Object.entries<UpstreamRoute>(UPSTREAMS[host].routes);
    const sumOf = (entries: typeof routes) =>
      entries.reduce((sum, [, { callsPer10Seconds }]) => sum + callsPer10Seconds, 0);
    for (const [path = '', ofPath = []] of Map.groupBy(routes, ([name]) => PATHS[name] ?? name)) {
      expect(sumOf(ofPath)).toBeLessThanOrEqual((DOCUMENTED.get(path) ?? together) / 2);
    }
    expect(sumOf(routes)).toBeLessThanOrEqual(together / 2);
    expect(DOCUMENT).toContain(`${together.toLocaleString('en')} in all`);
  });

  it.each([
    ['markets', 300],
    ['book', 1_500],
    ['prices', 500],
    ['prices-history', 1_000],
    ['v2/prices-history', 200],
  ])('are compared with the documented one of /%s, %i calls in 10 s', (path, calls) => {
    expect(DOCUMENTED.get(path)).toBe(calls);
  });
});
