import { describe, expect, it } from '@jest/globals';
import { LINKS, pageTests, ROWS, showBook } from './support.ts';

// The page reads new prices each minute: the rows in view with one request, and an open market's
// order book more often. These tests move its clock.

const { open, read } = pageTests({ markets: 60 });
/** The page reads prices after a minute. Its response has another second. */
const POLL_MS = 61_000;
/** The request for new prices of the rows in view. */
const ROWS_READ = /\/api\/markets\?ids=/;

describe('the open list', () => {
  it('reads all columns of its rows again each minute, without moving them', async () => {
    const { page, problems, requests } = await open('/?sort=volume24h', { clock: true });
    const polls = () => requests.filter((url) => ROWS_READ.test(url)).length;
    await page.waitForSelector('.spark');
    const questions = await page.locator(LINKS).allTextContents();
    const [first, , third] = await read('/api/markets?sort=volume24h&limit=3&fields=all');
    // A new list needs no update.
    expect(polls()).toBe(0);
    const changed = {
      ...third,
      currentProbability: 61.5,
      volume24h: 1e9,
      sevenDayPriceChange: -7.5,
    };
    await page.route(ROWS_READ, async (route) => {
      const rows = (await (await route.fetch()).json()) as { id: string }[];
      // The first market is no longer in the list; another one joined it.
      const others = rows.filter(({ id }) => id !== first.id && id !== third.id);
      return route.fulfill({ json: [{ ...first, id: '0xnew' }, changed, ...others] });
    });
    await page.clock.runFor(POLL_MS);
    const row = `${ROWS}:nth-child(3)`;
    await page.waitForSelector(`${row} .bar:has-text("61.5%")`);
    await page.waitForSelector(`${row}:has-text("$1.0B"):has-text("−7.5 pt")`);
    await page.waitForSelector(`${ROWS}:first-child:has-text("no longer listed")`);
    expect(await page.locator(LINKS).allTextContents()).toEqual(questions);
    expect(polls()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('offers the order of now when its own is old', async () => {
    const { page } = await open('/?sort=volume24h', { clock: true });
    await page.waitForSelector(ROWS);
    const update = page.locator('.summary button', { hasText: 'update' });
    expect(await update.count()).toBe(0);
    // An order is old after five minutes.
    await page.clock.runFor(6 * POLL_MS);
    await update.waitFor();
    const again = page.waitForResponse(/sort=volume24h&limit=50/);
    await update.click();
    expect((await again).ok()).toBe(true);
    await update.waitFor({ state: 'detached' });
  });

  it('sends no requests while the page is hidden, and one when it is visible again', async () => {
    const { page, requests } = await open('/', { clock: true });
    // The last of the first requests.
    await page.waitForSelector('.markets .spark');
    requests.length = 0;
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await hide(true);
    await page.clock.runFor(10 * POLL_MS);
    expect(requests).toEqual([]);
    const poll = page.waitForRequest(ROWS_READ);
    await hide(false);
    await page.clock.runFor(1_000);
    await poll;
  });
});

describe('an open market', () => {
  it('uses less than half of the 60 requests a minute, and pauses its book outside the view', async () => {
    const { page, requests } = await open('/', { clock: true, width: 1280, height: 1_600 });
    await page.locator(LINKS).first().click();
    await showBook(page);
    requests.length = 0;
    const books = () => requests.filter((url) => url.includes('/api/clob/order-book?')).length;
    await page.clock.runFor(POLL_MS);
    expect(books()).toBeGreaterThanOrEqual(5);
    expect(requests.length).toBeLessThan(30);
    await page.setViewportSize({ width: 1280, height: 200 });
    await page.locator('.detail').evaluate((panel) => panel.scrollTo(0, 0));
    await page.waitForSelector('.book h3 small:has-text("paused")', { state: 'attached' });
    const seen = books();
    await page.clock.runFor(POLL_MS);
    expect(books()).toBe(seen);
  });
});
