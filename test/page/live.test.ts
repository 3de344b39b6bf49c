import { describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { LINKS, pageTests, ROWS } from './support.ts';

const { open, read } = pageTests(60);
const POLL_MS = 61_000;
const LIST = /\/api\/markets\?/;
const CHANGES = /\/api\/markets\/changes/;

/** The timers of the page follow the test. */
const before = (page: Page) => page.clock.install();
const fail =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  (route: Route) =>
    route.fulfill({
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ error: `It is ${code}.`, code, requestId: 'r-1' }),
    });

describe('the open list', () => {
  it('applies changes to its rows without moving them', async () => {
    const { page, problems } = await open('/', { before });
    await page.waitForSelector(ROWS);
    const questions = await page.locator(LINKS).allTextContents();
    const { snapshot } = await read('/api/status');
    const [, , third] = await read('/api/markets?limit=3');
    const to = '20991231T000000000Z-00000000';
    await page.route(CHANGES, (route) => {
      const since = new URL(route.request().url()).searchParams.get('since');
      const changed = since === snapshot ? [{ id: third.id, currentProbability: 61.5, volume: 1e12 }] : [];
      return route.fulfill({ json: { from: since, to, asOf: new Date(), added: [], changed, removed: [] } });
    });
    await page.clock.fastForward(POLL_MS);
    await page.waitForSelector(`${ROWS}:nth-child(3) .bar:has-text("61.5 %")`);
    expect(await page.locator(LINKS).allTextContents()).toEqual(questions);
    const next = page.waitForRequest((request) => request.url().endsWith(`since=${to}`));
    await page.clock.fastForward(POLL_MS);
    await next;
    expect(problems).toEqual([]);
  });

  it('is read again after its snapshot has expired', async () => {
    const { page } = await open('/', { before });
    await page.waitForSelector(ROWS);
    await page.route(CHANGES, fail(410, 'snapshot_gone'));
    const again = page.waitForResponse((response) => LIST.test(response.url()));
    await page.clock.fastForward(POLL_MS);
    expect((await again).ok()).toBe(true);
    expect(await page.locator('.notice').count()).toBe(0);
  });

  it('sends no requests while the page is hidden, and one when it is visible again', async () => {
    const { page } = await open('/', { before });
    await page.waitForSelector('[data-age]:has-text(" old")');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await hide(true);
    await page.clock.runFor(10 * POLL_MS);
    expect(requests).toEqual([]);
    const poll = page.waitForRequest(CHANGES);
    await hide(false);
    await poll;
  });
});

describe('an open market', () => {
  it('uses less than half of the limit in a minute, and pauses its book outside the view', async () => {
    const { page } = await open('/', { before, width: 1280, height: 700 });
    await page.locator(LINKS).first().click();
    await page.waitForSelector('.detail .depth canvas');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const books = () => requests.filter((path) => path === '/api/clob/order-book').length;
    await page.clock.runFor(POLL_MS);
    expect(books()).toBeGreaterThanOrEqual(10);
    expect(requests.length).toBeLessThan(30);
    await page.setViewportSize({ width: 1280, height: 200 });
    await page.locator('.detail').evaluate((panel) => panel.scrollTo(0, panel.scrollHeight));
    await page.waitForSelector('.book h3 small:has-text("paused")', { state: 'attached' });
    const seen = books();
    await page.clock.runFor(POLL_MS);
    expect(books()).toBe(seen);
  });

  it('shows what the list has if history and book cannot be read', async () => {
    const [market] = await read('/api/markets?limit=1');
    const { page } = await open('/', {
      before: (opened) => opened.route(/\/api\/clob\//, fail(404, 'no_order_book')),
    });
    await page.locator(LINKS).first().click();
    await page.waitForSelector('.detail .notice[data-kind=history]:has-text("It is no_order_book.")');
    await page.waitForSelector('.detail .notice[data-kind=book]');
    expect(await page.locator('.detail h2').textContent()).toBe(market.question);
  });
});

describe('an error', () => {
  it('429 shows a countdown, stops all requests, and ends by itself', async () => {
    const { page, problems } = await open('/', {
      before: async (opened) => {
        await opened.clock.install();
        await opened.route(LIST, fail(429, 'rate_limited', { 'retry-after': '60' }));
      },
    });
    await page.waitForSelector('.notice[data-kind="429"]');
    const seconds = async () => Number(/in (\d+)\ss/.exec((await page.locator('.notice').textContent()) ?? '')?.[1]);
    const wait = await seconds();
    expect(wait).toBeGreaterThan(30);
    expect(wait).toBeLessThanOrEqual(76); // 60 seconds and the jitter of the client
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.clock.runFor(20_000);
    expect(await seconds()).toBeLessThanOrEqual(wait - 20);
    expect(requests.filter((path) => path !== '/api/status')).toEqual([]);
    await page.unroute(LIST);
    await page.clock.runFor(60_000);
    await page.waitForSelector(ROWS);
    expect(await page.locator('.notice').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it.each([
    ['at intervals', (page: Page) => page.clock.runFor(16_000)],
    ['at once on request', (page: Page) => page.locator('.notice button').click()],
  ])('502 shows the sentence of the service, and the page tries again %s', async (_, act) => {
    const { page } = await open('/', {
      before: async (opened) => {
        await opened.clock.install();
        await opened.route(LIST, fail(502, 'snapshot_stale'));
      },
    });
    const notice = page.locator('.notice[data-kind="502"]:has-text("It is snapshot_stale.")');
    // The client repeats the request once before the page shows the error.
    while (!(await notice.isVisible())) await page.clock.runFor(500);
    await page.unroute(LIST);
    await act(page);
    await page.waitForSelector(ROWS);
    expect(await page.locator('.notice').count()).toBe(0);
  });

  it('offline keeps the list', async () => {
    const { page, context } = await open();
    await page.waitForSelector(ROWS);
    await context.setOffline(true);
    await page.waitForSelector('.notice[data-kind=offline]');
    expect(await page.locator(ROWS).count()).toBeGreaterThan(0);
    await context.setOffline(false);
    await page.waitForSelector('.notice', { state: 'detached' });
  });
});
