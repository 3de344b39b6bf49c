import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { TestService } from '../service/support/test-service.ts';
import { snapshotEntry } from '../support/snapshot-entry.ts';
import { openBrowser, openPage, type PageOptions } from './support/browser.ts';
import { ROWS } from './support/page-service.ts';

const RETRY_MS = 16_000;
let browser: Browser;
let service: TestService;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await service?.close();
});

async function start(environment: Record<string, string> = {}): Promise<TestService> {
  service = await TestService.start({ upstream: { markets: 60 }, environment });
  return service;
}

async function open(options: PageOptions = {}) {
  const watched = await openPage(browser, service.service.url, options);
  await watched.page.goto(service.service.url);
  return watched;
}

describe('when the service says no', () => {
  it('counts down what a 429 asks to wait, sends nothing meanwhile, and goes on by itself', async () => {
    const { service: running } = await start({ REQUESTS_PER_MINUTE: '2' });
    await running.refresh();
    for (let n = 0; n < 2; n++) await service.call('/api/markets?limit=1');
    const { page, complaints } = await open({ before: (opened) => opened.clock.install() });
    await page.waitForSelector('.notice[data-kind="429"]');
    const seconds = async () =>
      Number(/in (\d+)\ss/.exec((await page.locator('.notice').textContent()) ?? '')?.[1]);
    const asked = await seconds();
    expect(asked).toBeGreaterThan(30);
    expect(asked).toBeLessThanOrEqual(76); // a minute, and the client's own quarter
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.clock.runFor(20_000);
    expect(await seconds()).toBeLessThanOrEqual(asked - 20);
    expect(requests.filter((path) => path !== '/api/status')).toEqual([]);
    // What is counted lies in the service's own minute: a response from here stands for its end.
    const listed = JSON.stringify([(await marketOf()).market]);
    await page.route(/\/api\/markets\?/, (route) =>
      route.fulfill({ contentType: 'application/json', body: listed }),
    );
    await page.clock.runFor(60_000);
    await page.waitForSelector(ROWS);
    expect(await page.locator('.notice').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says what a 502 says, tries again by itself, and at once when it is asked to', async () => {
    const { service: running } = await start();
    const { page, context, complaints } = await open({ before: (opened) => opened.clock.install() });
    await page.clock.runFor(2_000); // the client's own second try
    await page.waitForSelector('.notice[data-kind="502"]');
    expect(await page.locator('.notice').first().textContent()).toMatch(/no market data yet/i);
    await running.refresh();
    await page.clock.runFor(RETRY_MS);
    await page.waitForSelector(ROWS);
    expect(await page.locator('.notice').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();

    const other = await openPage(browser, running.url);
    await other.page.route(/\/api\/markets\?/, (route) =>
      route.fulfill({
        status: 502,
        contentType: 'application/json',
        body: '{"error":"Too old.","code":"snapshot_stale"}',
      }),
    );
    await other.page.goto(running.url);
    await other.page.waitForSelector('.notice[data-kind="502"]:has-text("Too old.")');
    await other.page.unroute(/\/api\/markets\?/);
    await other.page.locator('.notice button').click();
    await other.page.waitForSelector(ROWS);
  });

  it('says that it is offline, and keeps what it shows', async () => {
    const { service: running } = await start();
    await running.refresh();
    const { page, context } = await open();
    await page.waitForSelector(ROWS);
    await context.setOffline(true);
    await page.waitForSelector('.notice[data-kind=offline]');
    expect(await page.locator(ROWS).count()).toBeGreaterThan(0);
    await context.setOffline(false);
    await page.waitForSelector('.notice', { state: 'detached' });
  });

  it('says what is left of the limit', async () => {
    const { service: running } = await start({ REQUESTS_PER_MINUTE: '60' });
    await running.refresh();
    const { page } = await open();
    await page.waitForSelector('[data-left]:has-text("59 of 60 requests left")');
    await page.locator('.tab', { hasText: 'Newest' }).click();
    await page.waitForSelector('[data-left]:has-text("58 of 60 requests left")');
  });

  it('shows what it knows of a market whose history and book cannot be had', async () => {
    const { service: running } = await start();
    await running.refresh();
    const { page } = await openPage(browser, running.url);
    await page.route(/\/api\/clob\//, (route) =>
      route.fulfill({
        status: 404,
        contentType: 'application/json',
        body: '{"error":"No book.","code":"no_order_book"}',
      }),
    );
    const { market } = await marketOf();
    await page.goto(`${running.url}/?market=${market.id}`);
    await page.waitForSelector('.detail .notice[data-kind=history]');
    await page.waitForSelector('.detail .notice[data-kind=book]');
    expect(await page.locator('.detail h2').textContent()).toBe(market.question);
  });
});

/** The one market of a snapshot that is published now. */
async function marketOf() {
  const entry = snapshotEntry(1);
  await service.publish([entry]);
  return entry;
}
