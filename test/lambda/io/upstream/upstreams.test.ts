import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { UPSTREAMS, type UpstreamRoute } from '../../../../lambda/io/upstream/upstreams.ts';

// Polymarket limits how many calls an address may begin in 10 s, for each path and for each host.
// `UPSTREAMS` has the limits that a process of the service sets itself, for each of its routes. They
// are at most half of Polymarket's, so that a second process can share the address.

const DOCUMENT = readFileSync('docs/upstream.md', 'utf8');
const { gamma, clob, data } = UPSTREAMS;
const ROUTES: Readonly<Record<string, UpstreamRoute>> = {
  ...gamma.routes,
  ...clob.routes,
  ...data.routes,
};

describe('a process makes at most half of the documented calls', () => {
  it.each([
    { limit: 300, documented: '300 for `/markets`', routes: ['markets-keyset', 'market-lookup'] },
    { limit: 1_500, documented: '1,500 `/book`', routes: ['book'] },
    { limit: 500, documented: '500 `/books`', routes: ['books'] },
    { limit: 500, documented: '500 `/prices`', routes: ['prices'] },
    { limit: 1_000, documented: '1,000 `/prices-history`', routes: ['prices-history'] },
    { limit: 200, documented: '200 `/v2/prices-history`', routes: ['v2-prices-history'] },
    { limit: 4_000, documented: '4,000 in all', routes: Object.keys(gamma.routes) },
    { limit: 9_000, documented: '9,000 in all', routes: Object.keys(clob.routes) },
    { limit: 1_000, documented: '1,000 in all', routes: Object.keys(data.routes) },
  ])('$documented, by $routes', ({ limit, documented, routes }) => {
    expect(DOCUMENT).toContain(documented);
    let calls = 0;
    for (const name of routes) calls += ROUTES[name]?.callsPer10Seconds ?? Number.NaN;
    expect(calls).toBeLessThanOrEqual(limit / 2);
  });
});
