import { describe, expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { overflow } from './measures.ts';
import { fail, newPage, pageTests, ROWS } from './support.ts';

// The status line is the sentence above the list that says what is wrong and what happens next. Its
// attribute `data-kind` names the state. These tests replace responses of a running service.

const LINE = '.status';
/** The requests for a list, and all requests of the API. */
const LIST = /\/api\/markets\?/;
const API = /\/api\//;

const limited = fail(429, 'rate_limited', { 'retry-after': '60' });
const stale = fail(502, 'snapshot_stale');
const disconnect = (route: Route) => route.abort();
const never = () => new Promise<void>(() => undefined);

/** What the API answers, and what the status line then says. */
interface State {
  readonly kind: string;
  readonly words: RegExp;
  /** @default / */
  readonly path?: string;
  /** The requests with a changed response. @default none */
  readonly request?: RegExp;
  readonly respond?: (route: Route) => Promise<void>;
}
/** An opened market, when every request of the API has the changed response. */
const MARKET = { path: '/?market=m', request: API };
const STATES: readonly State[] = [
  {
    kind: 'empty',
    words: /No prices yet: the service is reading/,
    request: API,
    respond: fail(502, 'snapshot_missing'),
  },
  { kind: 'stale', words: /no current prices/, request: LIST, respond: stale },
  { kind: 'stale', words: /no current prices/, ...MARKET, respond: stale },
  {
    kind: 'limited',
    words: /used its \d* ?requests .* in \d+ s\./,
    request: LIST,
    respond: limited,
  },
  { kind: 'limited', words: /used its .* in \d+ s\./, ...MARKET, respond: limited },
  { kind: 'network', words: /does not respond/, request: API, respond: disconnect },
  { kind: 'network', words: /does not respond/, ...MARKET, respond: disconnect },
  { kind: 'slow', words: /takes longer than usual/, request: API, respond: never },
  { kind: 'unknown', words: /no market with this name/, path: '/?market=no-such-market' },
  { kind: 'wrong', words: /no list with this order.*Show all markets/, path: '/?sort=nonsense' },
  { kind: 'wrong', words: /at least one letter or digit.*Show all markets/, path: '/?q=%3F%3F' },
];

declare global {
  interface Window {
    heard: string[];
    kinds: string[];
  }
}

/** Runs in the page. Records what a screen reader says, as `heard` of the window. */
function recordHeard(): void {
  window.heard = [];
  new MutationObserver(() => {
    const text = document.querySelector('[role=status]')?.textContent ?? '';
    if (text !== (window.heard.at(-1) ?? '')) window.heard.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

/** Runs in the page. Records the states of the status line, as `kinds` of the window. */
function recordKinds(): void {
  window.kinds = [];
  new MutationObserver(() => {
    window.kinds.push(document.querySelector('.status')?.getAttribute('data-kind') ?? 'none');
  }).observe(document, { subtree: true, childList: true, attributes: true });
}

describe('the status line', () => {
  const { open, url, browser, read } = pageTests({ markets: 60 });

  it.each([1440, 320])('has words for each state in a second, at %d pixels', async (width) => {
    for (const { kind, words, path = '/', request, respond } of STATES) {
      const { page, context } = await newPage(browser(), url(), { width, clock: true });
      if (request && respond) await page.route(request, respond);
      await page.goto(`${url()}${path}`);
      // A second passes in the page; a response may take as long as the machine needs.
      await page.clock.runFor(1_000);
      const line = page.locator(`${LINE}[data-kind=${kind}]`);
      await line.waitFor({ timeout: 20_000 });
      // A failure then names the path.
      expect([path, await page.locator(LINE).count()]).toEqual([path, 1]);
      expect(await line.textContent()).toMatch(words);
      expect(await line.isVisible()).toBe(true);
      expect([path, Math.max(...(await overflow(page)))]).toEqual([path, 0]);
      await context.close();
    }
  });

  it('shows no empty parts, and does not say that it loads, without a first list', async () => {
    const { page } = await open('/', {
      before: (opened) => opened.route(API, stale),
    });
    await page.waitForSelector(`${LINE}[data-kind=stale]`);
    await page.waitForSelector('.today, .placeholder', { state: 'detached' });
    expect(await page.locator('main').textContent()).not.toMatch(/Loading|traders/);
    await page.unroute(API);
    await page.waitForSelector(ROWS, { timeout: 20_000 });
    await page.waitForSelector('.today .link');
  });

  it('shows no empty block for an event that cannot be read', async () => {
    const { page } = await open('/event/fed-decision-2027-20071', {
      before: (opened) => opened.route(API, stale),
    });
    await page.waitForSelector(`${LINE}[data-kind=stale]`);
    expect(await page.locator('.event h2').textContent()).toBe('Fed decision 2027');
    await page.waitForSelector('.event-waits', { state: 'detached' });
  });

  it('appears over an open page at its next poll, keeps the rows, and goes', async () => {
    const { page } = await open('/', { clock: true });
    await page.waitForSelector(ROWS);
    const rows = await page.locator(ROWS).count();
    await page.route(API, stale);
    // The page polls every minute.
    await page.clock.runFor(61_000);
    await page.waitForSelector(`${LINE}[data-kind=stale]:has-text("The prices below are")`);
    const { freshForSeconds } = await read('/api/status');
    await page.clock.fastForward(freshForSeconds * 1_000);
    await page.waitForSelector('[data-age].warn');
    expect(await page.locator(ROWS).count()).toBe(rows);
    await page.unroute(API);
    // While prices are stale, it tries again every 10 s.
    await page.clock.runFor(16_000);
    await page.waitForSelector(LINE, { state: 'detached' });
  });

  it('is announced once, without its countdown', async () => {
    const { page } = await open('/', {
      clock: true,
      before: async (opened) => {
        await opened.route(LIST, limited);
        await opened.addInitScript(recordHeard);
      },
    });
    await page.waitForSelector(`${LINE}[data-kind=limited]`);
    await page.clock.runFor(20_000);
    expect(await page.evaluate(() => window.heard)).toEqual([
      expect.stringMatching(/^Your address has used .* The page continues by itself$/),
    ]);
  });

  it('at a 429 counts down, names a new search, stops all requests, and ends by itself', async () => {
    const headers = {
      ratelimit: '"per-ip";r=0;t=60',
      'ratelimit-policy': '"per-ip";q=60;w=60',
      'retry-after': '60',
    };
    const { page, problems, requests } = await open('/', {
      clock: true,
      before: (opened) => opened.route(LIST, fail(429, 'rate_limited', headers)),
    });
    await page.waitForSelector(`${LINE}:has-text("its 60 requests")`);
    // One warning for one fact.
    expect(await page.locator('[data-left]').count()).toBe(0);
    const seconds = async () =>
      Number(/in (\d+) s/.exec((await page.locator(LINE).textContent()) ?? '')?.[1]);
    const wait = await seconds();
    expect(wait).toBeLessThanOrEqual(60);
    await page.route(/\/search/, limited);
    await page.locator('input[type=search]').fill('senate');
    await page.clock.runFor(1_000);
    await page.waitForSelector(`${LINE}:has-text("The page searches for “senate” by itself in")`);
    await page.locator('input[type=search]').fill('');
    await page.clock.runFor(1_000);
    requests.length = 0;
    await page.clock.runFor(20_000);
    expect(await seconds()).toBeLessThanOrEqual(wait - 19);
    const repeated = requests.filter(
      (request) => request.includes('/api/') && !request.endsWith('/api/status'),
    );
    expect(repeated).toEqual([]);
    await page.unroute(LIST);
    await page.clock.runFor(45_000);
    await page.waitForSelector(ROWS);
    expect(await page.locator(LINE).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('is preceded by the requests left in the header, once they are few', async () => {
    let left = 30;
    const { page } = await open('/', {
      before: (opened) =>
        opened.route(LIST, async (route) => {
          const response = await route.fetch();
          const headers = {
            ratelimit: `"per-ip";r=${left};t=60`,
            'ratelimit-policy': '"per-ip";q=40;w=60',
          };
          return route.fulfill({ response, headers: { ...response.headers(), ...headers } });
        }),
    });
    await page.waitForSelector(ROWS);
    expect(await page.locator('[data-left]').count()).toBe(0);
    left = 9;
    await page.locator('.tab', { hasText: 'Movers' }).click();
    await page.waitForSelector('[data-left]:has-text("9 of 40 requests left")');
  });

  it('changes no part of the view alone: tab, title, summary and rows wait for a late list', async () => {
    const { page } = await open('/?view=movers', { clock: true });
    await page.waitForSelector(ROWS);
    const shown = () =>
      page.evaluate(() => ({
        tab: document.querySelector('.tab[aria-current]')?.textContent,
        title: document.title,
        summary: document.querySelector('.summary p')?.textContent,
        firstRow: document.querySelector('.markets tbody .link')?.textContent,
      }));
    const titled = (name: string) =>
      page.waitForFunction((text) => document.title.startsWith(text), name);
    await titled('Movers');
    const before = await shown();
    await page.route(LIST, limited);
    await page.locator('.tab', { hasText: 'Closing' }).click();
    await page.waitForSelector(`${LINE}[data-kind=limited]`);
    expect(await shown()).toEqual(before);
    await page.unroute(LIST);
    await page.clock.runFor(62_000);
    await titled('Closing');
    const [next] = await read('/api/markets?sort=endDate&endsAfter=0h&limit=1');
    const { tab, title, summary, firstRow } = await shown();
    expect(tab).toBe('Closing');
    expect(title).toBe('Closing · Prediction markets');
    expect(firstRow?.trim()).toEqual(next.question.trim());
    expect(summary).toMatch(/ending soonest first/);
  });

  it('raises no false alarm when the connection is back', async () => {
    const { page, context } = await open();
    await page.waitForSelector(ROWS);
    await context.setOffline(true);
    await page.waitForSelector(`${LINE}[data-kind=offline]:has-text("You are offline")`);
    expect(await page.locator(ROWS).count()).toBeGreaterThan(0);
    // A request of the offline time fails.
    await page.locator('.tab', { hasText: 'Movers' }).click();
    await page.evaluate(recordKinds);
    await context.setOffline(false);
    await page.waitForSelector('.tab[aria-current]:has-text("Movers")');
    await page.waitForSelector(LINE, { state: 'detached' });
    const kinds = await page.evaluate(() => window.kinds);
    expect(new Set(kinds.filter((kind) => kind !== 'offline'))).toEqual(new Set(['none']));
  });

  it('ends when the page tries again: by itself after some seconds, or at once on request', async () => {
    const { page } = await open('/', {
      clock: true,
      before: (opened) => opened.route(LIST, fail(500, 'internal_error')),
    });
    const failed = `${LINE}[data-kind=failed]:has-text("It is internal_error.")`;
    await page.waitForSelector(failed);
    // With a stopped clock only what the test does sends a request.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
    const repeated = page.waitForRequest(LIST);
    await page.clock.runFor(16_000);
    await repeated;
    await page.waitForSelector(failed);
    await page.unroute(LIST);
    await page.locator(`${LINE} button`).click();
    await page.clock.runFor(1_000);
    await page.waitForSelector(ROWS);
    await page.clock.resume();
    await page.waitForSelector(LINE, { state: 'detached' });
  });
});
