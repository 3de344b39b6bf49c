import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { date, percent, usd } from '../../packages/market-page/src/format.ts';
import { accessibilityViolations, BOOK, drawnPixels, LINKS, overflow, pageTests, ROWS } from './support.ts';

const { open, read } = pageTests(300);

/** Notes the requests for histories. */
function historiesOf(page: Page): string[] {
  const urls: string[] = [];
  page.on('request', (request) => request.url().includes('/prices-histories?') && urls.push(request.url()));
  return urls;
}

/** The event of most volume whose outcomes exclude each other, with its markets. */
async function exclusiveEvent() {
  const events: { slug: string; markets: number }[] = await read('/api/events?limit=50');
  for (const { slug, markets } of events) {
    const rows = await read(`/api/markets?event=${slug}&fields=all&sort=probability`);
    if (markets > 5 && rows.every(({ negRisk }: { negRisk?: boolean }) => negRisk)) return { slug, rows };
  }
  throw new Error('The simulator has no such event.');
}

describe('an event', () => {
  it('opens by its link: name, amounts, sum, outcomes by short name, and one chart of five from one request', async () => {
    const { slug, rows } = await exclusiveEvent();
    let histories: string[] = [];
    const { page, problems, foreign } = await open(`/?event=${slug}`, {
      before: async (opened) => {
        histories = historiesOf(opened);
      },
    });
    await page.waitForSelector('.event canvas');
    const sum = (name: string) => rows.reduce((all: number, row: Record<string, number>) => all + (row[name] ?? 0), 0);
    expect(await page.locator('.event h2').textContent()).toBe(rows[0].eventTitle);
    expect(await page.title()).toBe(`${rows[0].eventTitle} · Prediction markets`);
    const facts = (await page.locator('.event .facts').textContent()) ?? '';
    const last = rows
      .map(({ endDate }: { endDate: string }) => endDate)
      .sort()
      .at(-1);
    expect(facts).toContain(`${usd(sum('volume'))} volume`);
    expect(facts).toContain(`${usd(sum('volume24h'))} in 24 h`);
    expect(facts).toContain(date(last));
    expect(facts).toContain(`the ${rows.length} listed outcomes add up to ${percent(sum('currentProbability'))}`);
    const names = rows.map((row: Record<string, string>) => row.groupItemTitle ?? row.question);
    expect(await page.locator(LINKS).allTextContents()).toEqual(names);
    expect(await page.locator('.legend span').allTextContents()).toEqual(names.slice(0, 5));
    // The prices of the rows below; the last points of the lines can be older.
    expect(await page.locator('.legend b').allTextContents()).toEqual(
      rows.slice(0, 5).map((row: Record<string, number>) => percent(row.currentProbability)),
    );
    const dashes = await page.locator('.legend line').evaluateAll((all) => all.map((line) => line.outerHTML));
    expect(new Set(dashes).size).toBe(5);
    expect(await drawnPixels(page, '.event canvas')).toBeGreaterThan(1_500);
    expect(histories.filter((url) => url.includes('interval=1m'))).toHaveLength(1);
    await page.locator('.event .plain', { hasText: 'All events' }).click();
    await page.waitForSelector('.events .favourite');
    expect([problems, foreign]).toEqual([[], []]);
  });

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('has no accessibility violations in %s mode at %d pixels, and fits', async (colorScheme, width) => {
    const { slug } = await exclusiveEvent();
    const { page } = await open(`/?event=${slug}`, { colorScheme, width });
    await page.waitForSelector('.event canvas');
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflow(page)).toEqual([0]);
  });

  it('is named in the panel of its markets, with their siblings', async () => {
    const { slug, rows } = await exclusiveEvent();
    const { page } = await open(`/?market=${rows[1].slug}`);
    await page.waitForSelector('.siblings .link');
    expect(await page.locator('.siblings .link').allTextContents()).toEqual(
      rows.slice(0, 6).map((row: Record<string, string>) => row.groupItemTitle ?? row.question),
    );
    expect(await page.locator('.siblings [aria-current]').textContent()).toBe(rows[1].groupItemTitle);
    await page.locator('.detail .of .plain').click();
    await page.waitForURL(new RegExp(`/event/${slug}`));
    await page.waitForSelector('.event h2');
  });
});

describe('the lines of the last seven days', () => {
  it.each([390, 1440])('come in one request, without moving anything, and are kept, at %d pixels', async (width) => {
    let histories: string[] = [];
    const { page } = await open('/', {
      width,
      before: async (opened) => {
        histories = historiesOf(opened);
        await opened.addInitScript(() => {
          Object.assign(globalThis, { shift: 0 });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
              Object.assign(globalThis, { shift: (globalThis as unknown as { shift: number }).shift + entry.value });
          }).observe({ type: 'layout-shift', buffered: true });
        });
      },
    });
    await page.waitForSelector('.spark');
    expect(await page.locator('.spark').count()).toBe(20);
    expect(await page.evaluate(() => (globalThis as unknown as { shift: number }).shift)).toBeLessThan(0.01);
    await page.locator('.tab', { hasText: 'New' }).click();
    await page.waitForSelector('.tab[aria-current]:has-text("New")');
    await page.locator('.tab', { hasText: 'Today' }).click();
    await page.waitForSelector('.tab[aria-current]:has-text("Today")');
    expect(histories.filter((url) => url === histories[0])).toHaveLength(1);
  });
});

describe('the limit of the service', () => {
  it('is enough for ten markets and two events in a minute', async () => {
    const requests: string[] = [];
    const { page } = await open('/', {
      height: 2_000,
      before: async (opened) => {
        await opened.clock.install();
        opened.on('request', (request) => {
          const { pathname } = new URL(request.url());
          if (pathname.startsWith('/api/') && pathname !== '/api/status') requests.push(pathname);
        });
      },
    });
    for (let n = 0; n < 10; n++) {
      await page.locator(LINKS).nth(n).click();
      await page.waitForSelector(BOOK);
      await page.clock.fastForward(5_000);
      await page.keyboard.press('Escape');
    }
    await page.locator('.tab', { hasText: 'Events' }).click();
    for (const n of [0, 1]) {
      await page.locator('.events .link').nth(n).click();
      await page.waitForSelector('.event canvas');
      await page.waitForSelector(ROWS);
      await page.clock.fastForward(5_000);
      await page.goBack();
    }
    expect(requests.length).toBeLessThan(60);
  });
});
