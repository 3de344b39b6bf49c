import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { EXPOSED_HEADERS } from '../../lambda/contract/headers.ts';
import { TestService } from '../service/support/test-service.ts';
import { openBrowser, openPage } from './support/browser.ts';

const ROWS = '.markets tbody tr:not(.placeholder)';
let browser: Browser;
let service: TestService | undefined;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
});
afterEach(async () => {
  await service?.close();
  service = undefined;
});

async function start(environment: Record<string, string> = {}): Promise<TestService> {
  service = await TestService.start({ upstream: { markets: 60 }, environment });
  return service;
}

describe('when the service says no', () => {
  it('counts down what a 429 asks to wait', async () => {
    const { service, call } = await startBound({ REQUESTS_PER_MINUTE: '3' });
    await service.refresh();
    for (let n = 0; n < 3; n++) await call('/api/markets?limit=1');
    const { page, context } = await openPage(browser, service.url);
    await page.goto(service.url);
    await page.waitForSelector('.notice[data-kind="429"]:has-text(" s.")');
    const seconds = async () =>
      Number(/in (\d+) s/.exec((await page.locator('.notice').first().textContent()) ?? '')?.[1]);
    const before = await seconds();
    await page.waitForFunction((limit) => {
      const left = /in (\d+) s/.exec(document.querySelector('.notice')?.textContent ?? '')?.[1];
      return Number(left) < limit;
    }, before);
    expect(before).toBeLessThanOrEqual(76);
    await context.close();
  });

  it('says what a 502 says, and goes on when there is data', async () => {
    const { service } = await startBound();
    const { page, context } = await openPage(browser, service.url);
    await page.goto(service.url);
    await page.waitForSelector('.notice[data-kind="502"]');
    expect(await page.locator('.notice').first().textContent()).toMatch(/no market data yet/i);
    await service.refresh();
    await page.locator('.notice button').click();
    await page.waitForSelector(ROWS);
    expect(await page.locator('.notice').count()).toBe(0);
    await context.close();
  });

  it('says that it is offline, and keeps what it shows', async () => {
    const { service } = await startBound();
    await service.refresh();
    const { page, context } = await openPage(browser, service.url);
    await page.goto(service.url);
    await page.waitForSelector(ROWS);
    await context.setOffline(true);
    await page.waitForSelector('.notice[data-kind=offline]');
    expect(await page.locator(ROWS).count()).toBeGreaterThan(0);
    await context.close();
  });
});

describe('a page of another origin', () => {
  it('calls every endpoint and reads the headers that are promised', async () => {
    const { service, call } = await startBound();
    await service.refresh();
    const [market] = (await call('/api/markets?limit=1')).json;
    const other = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Elsewhere</title>');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { page, context } = await openPage(browser, origin);
    await page.goto(origin);
    const paths = [
      '/api/markets?limit=1',
      '/api/markets/search?q=will&limit=1',
      `/api/markets/${market.id}`,
      '/api/events?limit=1',
      `/api/clob/order-book?token_id=${market.clobTokenId}`,
      `/api/clob/prices-history?token_id=${market.clobTokenId}`,
      '/api/status',
      '/openapi.json',
    ];
    const seen = await page.evaluate(
      async ([base, paths]) =>
        await Promise.all(
          (paths as string[]).map(async (path) => {
            const response = await fetch(`${base}${path}`);
            await response.json();
            return { path, status: response.status, headers: [...response.headers.keys()] };
          }),
        ),
      [service.url, paths] as const,
    );
    expect(seen.map(({ path, status }) => [path, status])).toEqual(paths.map((path) => [path, 200]));
    const list = seen[0]?.headers ?? [];
    const always = EXPOSED_HEADERS.filter((name) => !['Retry-After', 'X-Data-Source'].includes(name));
    for (const name of always) {
      if (/^(ETag|Link|X-Total-Count|RateLimit|RateLimit-Policy|X-Request-Id)$/.test(name))
        expect(list).toContain(name.toLowerCase());
    }
    other.close();
    await context.close();
  });
});

async function startBound(environment: Record<string, string> = {}) {
  const started = await start(environment);
  return { service: started.service, call: started.call.bind(started) };
}
