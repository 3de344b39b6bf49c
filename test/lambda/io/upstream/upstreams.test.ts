import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { UPSTREAMS, type UpstreamRoute } from '../../../../lambda/io/upstream/upstreams.ts';

// Polymarket limits the calls of each host and path in 10 s. One process of the service makes at
// most half of them, so that a second one can share the address.

const DOCUMENT = readFileSync('docs/upstream.md', 'utf8');
/**
 * The documented limit of each path: `1,500 for `/book`` and `1,000 `/prices-history`` in the text.
 */
const DOCUMENTED = new Map<string, number>();
for (const [, calls = '', path = ''] of DOCUMENT.matchAll(/([\d,]+)(?: for)? `\/([a-z0-9/-]+)`/g))
  DOCUMENTED.set(path, Number(calls.replace(',', '')));

/** The paths of the routes whose name is not their path. Two routes share `/markets`. */
const PATHS: Readonly<Record<string, string>> = {
  'markets-keyset': 'markets',
  'market-lookup': 'markets',
  'v2-prices-history': 'v2/prices-history',
};

describe('the limits of a process', () => {
  it.each([
    { host: 'gamma', hostLimit: 4_000 },
    { host: 'clob', hostLimit: 9_000 },
    { host: 'data', hostLimit: 1_000 },
  ] as const)('are at most half of those of $host, for each path and together', (row) => {
    const { host, hostLimit } = row;
    expect(DOCUMENT).toContain(`${hostLimit.toLocaleString('en')} in all`);
    const callsOf = new Map<string, number>();
    let together = 0;
    for (const [name, route] of Object.entries<UpstreamRoute>(UPSTREAMS[host].routes)) {
      const path = PATHS[name] ?? name;
      callsOf.set(path, (callsOf.get(path) ?? 0) + route.callsPer10Seconds);
      together += route.callsPer10Seconds;
    }
    for (const [path, calls] of callsOf)
      expect(calls).toBeLessThanOrEqual((DOCUMENTED.get(path) ?? hostLimit) / 2);
    expect(together).toBeLessThanOrEqual(hostLimit / 2);
  });

  it.each([
    { path: 'markets', calls: 300 },
    { path: 'book', calls: 1_500 },
    { path: 'prices', calls: 500 },
    { path: 'prices-history', calls: 1_000 },
    { path: 'v2/prices-history', calls: 200 },
  ])('are compared with the documented one of /$path, $calls calls in 10 s', ({ path, calls }) => {
    expect(DOCUMENTED.get(path)).toBe(calls);
  });
});
