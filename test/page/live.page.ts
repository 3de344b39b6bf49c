import { describe, expect, it } from '@jest/globals';
import type { ServedRequest } from 'cdk-local';
import type { Page } from 'playwright-core';
import { snapshotEntry } from '../support/snapshot-entry.ts';
import { pageService, ROWS } from './support/page-service.ts';

const { open, service } = pageService({ upstream: { markets: 60 } });
const POLL_MS = 61_000;

/** The page's timers follow the test; its requests take the time they take. */
const before = (page: Page) => page.clock.install();

/** Waits until the service has served something. */
function served(test: (request: ServedRequest) => boolean): Promise<ServedRequest> {
  return new Promise((resolve) => {
    const look = (request: ServedRequest) => {
      if (!test(request)) return;
      service().service.off('request', look);
      resolve(request);
    };
    service().service.on('request', look);
  });
}

const isPoll = ({ target }: ServedRequest) => target.startsWith('/api/markets/changes');
/** Publishes, and asks until the service has looked: it does every few seconds. @returns the snapshot */
async function publish(probability: number, since?: string): Promise<string> {
  const id = await service().publish(entries(probability));
  for (const path of ['/api/markets?limit=1', ...(since ? [`/api/markets/changes?since=${since}`] : [])]) {
    for (let seen = false; !seen; ) {
      const { headers, text } = await service().call(path);
      seen = `${headers.get('link')} ${text}`.includes(id);
    }
  }
  return id;
}

const entries = (probability: number) =>
  Array.from({ length: 5 }, (_, n) => snapshotEntry(n, n === 2 ? { currentProbability: probability } : {}));

describe('what is shown', () => {
  it('stays far below the limit with a market open for a minute, whose book is read while it is in view', async () => {
    const { page } = await open('/', { before, width: 1280, height: 700 });
    await page.locator('.markets tbody .link').first().click();
    await page.waitForSelector('.detail .depth canvas');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const books = () => requests.filter((path) => path === '/api/clob/order-book').length;
    await page.clock.runFor(POLL_MS);
    expect(books()).toBeGreaterThanOrEqual(10);
    expect(requests.length).toBeLessThan(30);
    await page.locator('.detail .calls summary').scrollIntoViewIfNeeded();
    await page.setViewportSize({ width: 1280, height: 200 });
    await page.locator('.detail').evaluate((panel) => panel.scrollTo(0, panel.scrollHeight));
    await page.waitForSelector('.book h3 small:has-text("paused")', { state: 'attached' });
    const seen = books();
    await page.clock.runFor(POLL_MS);
    expect(books()).toBe(seen);
  });

  it('takes over what has changed, in place, and asks with the tag of what it has', async () => {
    const older = await publish(40);
    const { page, complaints } = await open('/', { before });
    await page.waitForSelector(`${ROWS} .bar:has-text("40.0 %")`);
    const questions = await page.locator(`${ROWS} .link`).allTextContents();
    await publish(61.5, older);
    const first = served(isPoll);
    await page.clock.fastForward(POLL_MS);
    expect((await first).status).toBe(200);
    await page.waitForSelector(`${ROWS} .bar:has-text("61.5 %")`);
    expect(await page.locator(`${ROWS} .link`).allTextContents()).toEqual(questions);
    // The new snapshot's own changes are none: read once, then told 304.
    const second = served(isPoll);
    await page.clock.fastForward(POLL_MS);
    await second;
    const third = served(isPoll);
    await page.clock.fastForward(POLL_MS);
    expect((await third).status).toBe(304);
    expect(complaints).toEqual([]);
  });

  it('rests while nobody looks, and looks at once when somebody does', async () => {
    const { page } = await open('/', { before });
    await page.waitForSelector(ROWS);
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
    const poll = page.waitForRequest(/\/api\/markets\/changes/);
    await hide(false);
    await poll;
  });
});
