// The two documents for programs: /openapi.json, which describes the API, and /llms.txt, which
// lists its endpoints for language models.

import { describe, expect, it } from '@jest/globals';
import { DOCUMENTED_ROUTES, type Route } from '../../../../lambda/core/contract/route-table.ts';
import { getLlmsTxt, getOpenApi } from '../../../../lambda/endpoints/site/documents.ts';

const request = { parameters: {}, sent: {}, headers: {}, path: '' };
/** Browsers keep the documents for five minutes; other caches do not. */
const CACHED = { 'Cache-Control': 'public, max-age=300, s-maxage=0, stale-if-error=0' };

it('/openapi.json is the API document', async () => {
  const response = await getOpenApi({ openapi: '3.1.0' })(request);
  expect(response.body).toBe('{"openapi":"3.1.0"}');
  expect(response).toMatchObject({ status: 200, headers: CACHED });
});

const { status, headers, body } = await getLlmsTxt(false)(request);

describe('/llms.txt', () => {
  it('lists every documented endpoint but itself, with relative links and parameters', () => {
    expect(status).toBe(200);
    expect(headers).toEqual({ ...CACHED, 'Content-Type': 'text/plain; charset=utf-8' });
    const paths = Object.values<Route>(DOCUMENTED_ROUTES).map(({ path }) => path);
    for (const path of paths)
      expect(body.includes(`](${path.slice(1)}): `)).toBe(path !== '/llms.txt');
    expect(body).toContain('[GET /api/markets/search](api/markets/search): ');
    expect(body).toContain('the tools at [/mcp](mcp) (Model Context Protocol');
    expect(body).toMatch(/`q` \(required\), `limit`, /);
  });

  it('says of simulated data only that it is simulated', async () => {
    const simulated = await getLlmsTxt(true)(request);
    const sentence = '\n\n> **All data is SIMULATED**: no market, price or link is real.';
    expect(simulated.body).toContain(sentence);
    expect(body).not.toContain(sentence);
  });

  it('lists the core before everything else', () => {
    const [, core = '', more = ''] = /## Core\n\n(.*)\n\n## More\n\n(.*)/s.exec(String(body)) ?? [];
    expect(core.match(/(?<=\]\()[^)]+/g)).toEqual([
      'api/markets',
      'api/markets/search',
      'api/clob/order-book',
      'api/clob/prices-history',
    ]);
    expect(more).toContain('](api/status): ');
  });
});
