import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { fail, LINKS, pageTests, ROWS, showBook } from './support.ts';

const { open, read } = pageTests(60);
const POLL_MS = 61_000;
const LIST = /\/api\/markets\?/;
const CHANGES = /\/api\/markets\/changes/;

/** The timers of the page follow the test. */
const before = (page: Page) => page.clock.install();
describe('the open list', () => {
  it('applies changes to its rows without moving them', async () => {
    const polls: string[] = [];
    const { page, problems } = await open('/', {
      before: async (opened) => {
        await before(opened);
        opened.on('request', (request) => CHANGES.test(request.url()) && polls.push(request.url()));
      },
    });
    await page.waitForSelector('.spark');
    const questions = await page.locator(LINKS).allTextContents();
    const { snapshot } = await read('/api/status');
    const [, , third] = await read('/api/markets?limit=3');
    const to = '20991231T000000000Z-00000000';
    // A new list needs no changes.
    expect(polls).toEqual([]);
    await page.route(CHANGES, (route) => {
      const since = new URL(route.request().url()).searchParams.get('since');
      const changed = since === snapshot ? [{ id: third.id, currentProbability: 61.5, volume: 1e12 }] : [];
      return route.fulfill({ json: { from: since, to, asOf: new Date(), added: [], changed, removed: [] } });
    });
    await page.clock.runFor(POLL_MS);
    await page.waitForSelector(`${ROWS}:nth-child(3) .bar:has-text("61.5 %")`);
    expect(await page.locator(LINKS).allTextContents()).toEqual(questions);
    const next = page.waitForRequest((request) => request.url().endsWith(`since=${to}`));
    await page.clock.runFor(POLL_MS);
    await next;
    expect(problems).toEqual([]);
  });

  it('is read again after its snapshot has expired', async () => {
    const { page } = await open('/', { before });
    await page.waitForSelector(ROWS);
    await page.route(CHANGES, fail(410, 'snapshot_gone'));
    const again = page.waitForResponse((response) => LIST.test(response.url()));
    await page.clock.runFor(POLL_MS);
    expect((await again).ok()).toBe(true);
    expect(await page.locator('.status').count()).toBe(0);
  });

  it('sends no requests while the page is hidden, and one when it is visible again', async () => {
    const { page } = await open('/', { before });
    // The last of the first requests.
    await page.waitForSelector('.spark');
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
    const { page } = await open('/', { before, width: 1280, height: 1_600 });
    await page.locator(LINKS).first().click();
    await showBook(page);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const books = () => requests.filter((path) => path === '/api/clob/order-book').length;
    await page.clock.runFor(POLL_MS);
    expect(books()).toBeGreaterThanOrEqual(5);
    expect(requests.length).toBeLessThan(20);
    await page.setViewportSize({ width: 1280, height: 200 });
    await page.locator('.detail').evaluate((panel) => panel.scrollTo(0, 0));
    await page.waitForSelector('.book h3 small:has-text("paused")', { state: 'attached' });
    const seen = books();
    await page.clock.runFor(POLL_MS);
    expect(books()).toBe(seen);
  });
});
