// Opens the market page in Chromium, against a running service whose Polymarket is simulated.
// `pageTests` starts both. The functions after it do what people do in the page.

import { afterAll, afterEach, beforeAll, beforeEach, jest } from '@jest/globals';
import {
  type Browser,
  type BrowserContext,
  type Page,
  chromium as playwrightChromium,
  type Route,
} from 'playwright-core';
import { chromium as chromiumPath } from '../../tools/programs.ts';
import { startRunningService } from '../../tools/running-service.ts';

// CSS selectors.
/** The rows of the list, without those that wait for their market. */
export const ROWS = '.markets tbody tr:not(.placeholder)';
/** The list after its last response. */
export const SETTLED = '.markets[aria-busy=false]';
/** The questions of the list, which open a market. */
export const LINKS = `${ROWS} .link`;
/** The order book of an open market with its levels. */
export const BOOK = '.ladder td:has-text("¢")';

// A browser on a starved machine can miss a time limit. The error of the first attempt is printed.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Errors of the page and of its console, except failed requests, and requests to other origins.
   */
  readonly problems: string[];
  /** The addresses of all requests so far. */
  readonly requests: string[];
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** The timers of the page follow the test. */
  readonly clock?: boolean;
  /** Prepares the page before it opens an address. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/**
 * For the tests of one file: a browser, and a running service with this number of markets. Contexts
 * are closed after each test. For example:
 *
 *     const app = pageTests({ markets: 300 });
 *     it('shows a market on a click', async () => {
 *       const { page, problems } = await app.open('/?sort=volume');
 *       await page.waitForSelector(SETTLED);
 *       await page.locator(LINKS).first().click();
 *       await page.waitForSelector('.detail');
 *       expect(problems).toEqual([]);
 *     });
 */
export function pageTests({ markets }: { readonly markets: number }) {
  let browser: Browser;
  let service: Awaited<ReturnType<typeof startRunningService>>;
  beforeAll(async () => {
    [browser, service] = await Promise.all([startBrowser(), startRunningService(markets)]);
  });
  // A file can take longer than the service serves one snapshot.
  beforeEach(async () => {
    await service.refresh();
  });
  afterEach(async () => {
    const contexts = browser.contexts();
    // A response that a test changes can still be under way.
    const pages = contexts.flatMap((context) => context.pages());
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
    await Promise.all(contexts.map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  return {
    browser: () => browser,
    url: () => service.url,
    refresh: () => service.refresh(),
    /** The body of a response of the API. */
    read: async (path: string) => (await fetch(`${service.url}${path}`)).json(),
    open: async (path = '/', options: PageOptions = {}): Promise<Opened> => {
      const opened = await newPage(browser, service.url, options);
      await opened.page.goto(`${service.url}${path}`);
      return opened;
    },
  };
}

/**
 * Starts Chromium. The tests open only what they serve themselves, so they need no sandbox, which
 * containers lack.
 */
function startBrowser(): Promise<Browser> {
  return playwrightChromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
}

/** A page in a browser context of its own. It records requests, and problems: see `Opened`. */
export async function newPage(
  browser: Browser,
  origin: string,
  options: PageOptions = {},
): Promise<Opened> {
  const { width = 1440, height = 900, colorScheme = 'light', clock = false, before } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    requests.push(url);
    if (!/^(data|blob):/.test(url) && !url.startsWith(origin)) problems.push(url);
  });
  if (clock) await page.clock.install();
  await before?.(page);
  return { page, context, problems, requests };
}

/** Answers a request with an error of the service. */
export function fail(status: number, code: string, headers: Record<string, string> = {}) {
  return (route: Route) =>
    route.fulfill({
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ error: `It is ${code}.`, code, requestId: 'r-1' }),
    });
}

/** The questions of the list after its last response. */
export async function questions({ page }: Pick<Opened, 'page'>): Promise<string[]> {
  await page.waitForSelector(`${SETTLED} tbody tr:not(.placeholder)`);
  return (await page.locator(LINKS).allTextContents()).map((text) => text.trim());
}

/**
 * Does something that loads another list, and waits until the page shows its rows.
 *
 * @param request matches the address of the list's request
 */
export async function listAfter(
  page: Page,
  request: RegExp,
  act: () => Promise<unknown>,
): Promise<void> {
  // Other parts of the page request other fields.
  const arrived = page.waitForResponse(
    (response) =>
      request.test(response.url()) && response.url().includes('fields=default') && response.ok(),
  );
  await act();
  const markets: { id: string }[] = await (await arrived).json();
  await page.waitForFunction(
    ([rows, settled, ids]) => {
      const shown = [...document.querySelectorAll<HTMLElement>(rows)].map(
        ({ dataset }) => dataset.id,
      );
      return shown.join() === ids && document.querySelector(settled) !== null;
    },
    [ROWS, SETTLED, markets.map(({ id }) => id).join()] as const,
  );
}

/** Scrolls to the order book of the open market, which is read while it is in view. */
export async function showBook(page: Page): Promise<void> {
  await page.waitForSelector('.book');
  await page.locator('.detail').evaluate((panel) => panel.scrollTo(0, panel.scrollHeight));
  await page.waitForSelector(BOOK);
}

/** Scrolls until the list has this many rows or cards. */
export async function loadTo(page: Page, count: number, items = ROWS): Promise<void> {
  while ((await page.locator(items).count()) < count) {
    const before = await page.locator(items).count();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForFunction(
      ([selector, known]) => document.querySelectorAll(selector).length > known,
      [items, before] as const,
    );
  }
}
