import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { UPSTREAMS, type UpstreamRoute } from '../../../../lambda/io/upstream/upstreams.ts';

/** The table "Rate limits" of docs/upstream.md: path → calls in 10 s. */
const DOCUMENTED = new Map(
  [
    ...readFileSync('docs/upstream.md', 'utf8').matchAll(/([\d,]+)(?: for)? `\/([a-z0-9/-]+)`/g),
  ].map(([, calls = '', path = '']) => [path, Number(calls.replace(',', ''))] as const),
);
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
    expect(readFileSync('docs/upstream.md', 'utf8')).toContain(
      `${together.toLocaleString('en')} in all`,
    );
  });

  it('are those of the paths with the most calls', () => {
    expect(
      ['markets', 'book', 'prices', 'prices-history', 'v2/prices-history'].map((path) =>
        DOCUMENTED.get(path),
      ),
    ).toEqual([300, 1_500, 500, 1_000, 200]);
  });
});
