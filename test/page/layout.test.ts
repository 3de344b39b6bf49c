import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityViolations, overflow, recordLayoutShift } from './measures.ts';
import { type PageOptions, pageTests, ROWS, showBook } from './support.ts';

// Opens each view of the page in Chromium, in several widths, and measures it: what scrolls
// sideways, moves by itself, is too small for a finger, or fails the accessibility rules of axe.

const { open, read } = pageTests({ markets: 300 });

/** The address of each view, and the selector of what appears last in it. */
const VIEWS = {
  list: { path: '/', last: ROWS },
  'ends tomorrow': { path: '/?ends=tomorrow', last: ROWS },
  closing: { path: '/?view=closing', last: ROWS },
  events: { path: '/?view=events', last: '.favourite' },
  event: { path: '/event/{event}', last: '.event canvas' },
  market: { path: '/market/{market}', last: '.detail .history canvas' },
  search: { path: '/?q=election', last: '.found .favourite' },
  'wrong address': { path: '/nothing', last: 'h1' },
};
type View = keyof typeof VIEWS;

/** The address of a view, with the first market and its event. */
async function pathOf(view: View): Promise<string> {
  const [{ slug, eventSlug }] = await read('/api/markets?limit=1&fields=all');
  return VIEWS[view].path.replace('{event}', eventSlug).replace('{market}', slug);
}

async function openView(view: View, options: PageOptions): Promise<Page> {
  const { page } = await open(await pathOf(view), options);
  await page.waitForSelector(VIEWS[view].last);
  // The order book of a market is read while it is in view.
  if (view === 'market') await showBook(page);
  return page;
}

/** Responses of these addresses come this much later. */
async function delay(page: Page, addresses: RegExp, ms: number): Promise<void> {
  await page.route(addresses, async (route) => {
    await new Promise((done) => setTimeout(done, ms));
    await route.continue();
  });
}

/** Runs in the page. The visible ones of these elements that are lower than 40 pixels. */
function smallTargets(elements: Element[]): string[] {
  const small = elements.filter(
    (one) =>
      one.checkVisibility() && !one.closest('[inert]') && one.getBoundingClientRect().height < 40,
  );
  return small.map((one) => one.outerHTML);
}

describe.each(Object.keys(VIEWS) as View[])('the view of the %s', (view) => {
  it.each([
    { width: 1280, colorScheme: 'light' },
    { width: 768, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
    { width: 320, colorScheme: 'dark' },
  ] as const)(
    'fits and has no accessibility violations: $width pixels, $colorScheme',
    async ({ width, colorScheme }) => {
      const page = await openView(view, { width, height: 800, colorScheme });
      expect(Math.max(...(await overflow(page)))).toBe(0);
      expect(await accessibilityViolations(page)).toEqual([]);
    },
  );

  // Lighthouse measures these widths.
  it.each([412, 1350])(
    'moves nothing when the state and the charts arrive late: %d pixels',
    async (width) => {
      const { page } = await open(await pathOf(view), {
        width,
        before: async (opened) => {
          await recordLayoutShift(opened);
          await delay(opened, /\/api\/status/, 300);
          await delay(opened, /\/prices-histor/, 600);
        },
      });
      await page.waitForSelector(VIEWS[view].last, { state: 'attached' });
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate(() => window.layoutShift)).toBeLessThan(0.02);
    },
  );

  it('has large targets on a phone, and fits with text of 200 %', async () => {
    const page = await openView(view, { width: 390, height: 800 });
    const targets = page.locator('button, select, input, .tab, .chip, a.small, .reference');
    expect(await targets.evaluateAll(smallTargets)).toEqual([]);
    const inputs = page.locator('input, select');
    const sizes = await inputs.evaluateAll((all) =>
      all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)),
    );
    // Safari on a phone zooms in on a field with smaller text.
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '32px';
    });
    expect(Math.max(...(await overflow(page)))).toBe(0);
  });
});

it.each([1280, 360])('keeps the close of a market in view: %d pixels', async (width) => {
  const page = await openView('market', { width, height: 780 });
  const close = await page.locator('.close').boundingBox();
  expect(close?.y).toBeGreaterThanOrEqual(0);
  expect(close?.y).toBeLessThan(100);
});

it.each([1280, 360])('shows the whole API call of a list: %d pixels', async (width) => {
  const page = await openView('closing', { width, height: 780 });
  await page.locator('.summary .developers summary').click();
  expect(await page.locator('.developers code').innerText()).toContain('sort=endDate');
  expect(Math.max(...(await overflow(page)))).toBe(0);
});

it.each(['/', '/?view=movers', '/?view=events'])(
  'a phone shows the first entry within 280 pixels and the list within 1.3 screens: %s',
  async (path) => {
    const [width, height] = [390, 844];
    const { page } = await open(path, { width, height });
    await page.waitForSelector('.today .link, .markets .link, .events .link');
    const first = await page.locator('.today .events, .markets, .events').first().boundingBox();
    const list = await page.locator('.markets, .list > .events').boundingBox();
    expect(first?.y).toBeLessThan(280);
    expect(list?.y).toBeLessThan(1.3 * height);
    // The last tab is not cut.
    const tab = await page.locator('.tab', { hasText: 'Events' }).boundingBox();
    expect((tab?.x ?? 0) + (tab?.width ?? 0)).toBeLessThan(width);
  },
);
