import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { EXPOSED_HEADERS } from '../../lambda/contract/headers.ts';
import type { Parameter } from '../../lambda/contract/parameters.ts';
import { GET_ROUTES, ROUTES, type Route } from '../../lambda/contract/routes.ts';
import { openPage } from './support/browser.ts';
import { pageService } from './support/page-service.ts';

const { browser, service } = pageService({
  upstream: { markets: 60 },
  environment: { REQUESTS_PER_MINUTE: '2000' },
});
const other = createServer((_, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<!doctype html><title>Elsewhere</title>');
});
let page: Page;
/** Of parameters whose examples are no market of this service. */
let values: Readonly<Record<string, string>>;

beforeAll(async () => {
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  ({ page } = await openPage(browser(), origin));
  await page.goto(origin);
  const [market] = (await service().call('/api/markets?limit=1&fields=all')).json;
  const [event] = (await service().call('/api/events?limit=1')).json;
  const { snapshot } = (await service().call('/api/status')).json;
  values = { token_id: market.clobTokenId, id: market.id, slug: event.slug, since: snapshot };
});
afterAll(() => {
  other.close();
});

/** What the row says a call needs, with values that there are. */
function pathOf({ path, parameters }: Route): string {
  // Some headers come with a search alone.
  const needed = Object.entries<Parameter>(parameters).filter(([name, row]) => row.required || name === 'q');
  const filledIn = (name: string) => encodeURIComponent(values[name] ?? parameters[name]?.example ?? '');
  const query = needed.filter(([, row]) => row.in !== 'path').map(([name]) => `${name}=${filledIn(name)}`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => filledIn(name));
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** Only there when the upstream gives no history, or when an event is too large for one response. */
function isRare(header: string, path: string): boolean {
  return header === 'X-Data-Source' || (header === 'Link' && path === ROUTES['get-event'].path);
}

/** What the row promises besides, of the headers that a page may read. */
function promised({ counted, path, response }: Route): string[] {
  return [
    'X-Request-Id',
    ...(counted ? ['RateLimit', 'RateLimit-Policy'] : []),
    ...(response.cacheable ? ['ETag'] : []),
    ...(response.headers ?? []).filter((header) => !isRare(header, path)),
  ];
}

/** Calls from the page of another origin. */
const call = (path: string) =>
  page.evaluate(
    async ([url]) => {
      const response = await fetch(url);
      const { length } = await response.text();
      return { status: response.status, length, headers: Object.fromEntries(response.headers) };
    },
    [`${service().service.url}${path}`] as const,
  );

describe('a page of another origin', () => {
  it.each(GET_ROUTES)('calls %s and reads the headers that are promised', async (name) => {
    const route: Route = ROUTES[name];
    const { status, length, headers } = await call(pathOf(route));
    expect([pathOf(route), status]).toEqual([pathOf(route), 200]);
    expect(length).toBeGreaterThan(0);
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(promised(route).map((header) => header.toLowerCase())),
    );
  });

  it('reads every header that the service exposes on one response or another', async () => {
    const promises = new Set(GET_ROUTES.flatMap((name) => promised(ROUTES[name])));
    // The last is on refusals alone.
    expect([...promises, 'X-Data-Source', 'Retry-After'].sort()).toEqual([...EXPOSED_HEADERS].sort());
  });

  it('reads an error with its code', async () => {
    const { status, length } = await call('/api/markets/no-such-market');
    expect([status, length > 0]).toEqual([404, true]);
  });

  it('may send headers that need a preflight', async () => {
    const status = await page.evaluate(
      async ([url]) => (await fetch(url, { headers: { 'If-None-Match': '"x"', 'X-Own': '1' } })).status,
      [`${service().service.url}/api/markets?limit=1`] as const,
    );
    expect(status).toBe(200);
  });
});
