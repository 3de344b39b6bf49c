import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, beforeEach, jest } from '@jest/globals';
import {
  type Browser,
  type BrowserContext,
  type Page,
  chromium as playwright,
  type Route,
} from 'playwright-core';
import { chromium } from '../../tools/programs.ts';
import { startRunningService } from '../../tools/running-service.ts';

declare global {
  interface Window {
    layoutShift: number;
  }
}

/** A row of the list with a market. */
export const ROWS = '.markets tbody tr:not(.placeholder)';
/** The list after its last response. */
export const SETTLED = '.markets[aria-busy=false]';
export const LINKS = `${ROWS} .link`;
/** The order book of an open market with its levels. */
export const BOOK = '.ladder td:has-text("¢")';

// A browser on a starved machine can miss a time limit. The error of the first attempt is printed.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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
 * Starts Chromium. The tests open only what they serve themselves, so they need no sandbox, which
 * containers lack.
 */
function startBrowser(): Promise<Browser> {
  return playwright.launch({ executablePath: chromium(), args: ['--no-sandbox'] });
}

/** A page that records what should not happen. */
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

/**
 * For the tests of one file: a browser and a running service. Contexts are closed after each test.
 * For example:
 *
 *     const app = pageTests(300);
 *     it('shows a market on a click', async () => {
 *       const { page, problems } = await app.open('/?sort=volume');
 *       await page.waitForSelector(SETTLED);
 *       await page.locator(LINKS).first().click();
 *       await page.waitForSelector('.detail');
 *       expect(problems).toEqual([]);
 *     });
 */
export function pageTests(markets: number) {
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
    read: async (path: string) => (await fetch(`${service.url}${path}`)).json(),
    open: async (path = '/', options: PageOptions = {}): Promise<Opened> => {
      const opened = await newPage(browser, service.url, options);
      await opened.page.goto(`${service.url}${path}`);
      return opened;
    },
  };
}

/** The questions of the list after its last response. */
export async function questions({ page }: Pick<Opened, 'page'>): Promise<string[]> {
  await page.waitForSelector(`${SETTLED} tbody tr:not(.placeholder)`);
  return (await page.locator(LINKS).allTextContents()).map((text) => text.trim());
}

/** Does something that loads another list, and waits until the page shows it. */
export async function listAfter(
  page: Page,
  request: RegExp,
  act: () => Promise<unknown>,
): Promise<void> {
  const arrived = page.waitForResponse((response) => request.test(response.url()) && response.ok());
  await act();
  const { length } = await (await arrived).json();
  await page.waitForFunction(
    ([rows, settled, count]) =>
      document.querySelectorAll(rows).length === count && document.querySelector(settled) !== null,
    [ROWS, SETTLED, length] as const,
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

/** Accessibility violations of these impacts, as text. */
export async function accessibilityViolations(
  page: Page,
  impacts = ['serious', 'critical'],
): Promise<string[]> {
  // `evaluate` is not subject to the page's Content-Security-Policy.
  await page.evaluate(AXE);
  return await page.evaluate(async (counted) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => counted.includes(impact))
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }, impacts);
}

/**
 * Pixels by which the page, an open market, the cells of the list and the API calls are wider than
 * their place: they would scroll sideways, lie on their neighbours, or be cut.
 */
export async function overflow(page: Page): Promise<number[]> {
  return await page
    .locator('html, .detail, .markets td, .developers code')
    .evaluateAll((parts) => parts.map((part) => Math.max(0, part.scrollWidth - part.clientWidth)));
}

/** Sums how far the page has moved its parts without an input, as `layoutShift` of its window. */
export function recordLayoutShift(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    type LayoutShift = PerformanceEntry & { readonly value: number };
    window.layoutShift = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as LayoutShift[]) window.layoutShift += value;
    });
    observer.observe({ type: 'layout-shift', buffered: true });
  });
}

/** The number of pixels that differ from the most common colour: an empty chart has almost none. */
export async function drawnPixels(page: Page, selector: string): Promise<number> {
  return await page.locator(selector).evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement;
    const context = (element as HTMLCanvasElement).getContext('2d');
    const pixels = new Uint32Array(context?.getImageData(0, 0, width, height).data.buffer ?? []);
    const counts = new Map<number, number>();
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    return width * height - Math.max(0, ...counts.values());
  });
}
