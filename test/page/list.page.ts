import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { TestService } from '../service/support/test-service.ts';
import { openBrowser, openPage, type Watched } from './support/browser.ts';

const ROWS = '.markets tbody tr:not(.placeholder)';

let browser: Browser;
let service: TestService;

beforeAll(async () => {
  [browser, service] = await Promise.all([
    openBrowser(),
    TestService.start({ upstream: { markets: 150 }, environment: { REQUESTS_PER_MINUTE: 'off' } }),
  ]);
  await service.service.refresh();
});

afterAll(async () => {
  await browser?.close();
  await service?.close();
});

async function open(path = '/', options: Parameters<typeof openPage>[2] = {}): Promise<Watched> {
  const watched = await openPage(browser, service.service.url, options);
  await watched.page.goto(`${service.service.url}${path}`);
  return watched;
}

async function questions({ page }: Watched): Promise<string[]> {
  await page.waitForSelector(ROWS);
  return await page.locator('.markets tbody .question .link').allTextContents();
}

describe('the list', () => {
  it('shows the biggest markets first, with units, and complains of nothing', async () => {
    const watched = await open();
    const shown = await questions(watched);
    const { json } = await service.call('/api/markets?limit=50');
    expect(shown).toEqual(json.map(({ question }: { question: string }) => question.trim()));
    const row = await watched.page.locator(ROWS).first().textContent();
    expect(row).toMatch(/\d %/);
    expect(row).toMatch(/\$/);
    await watched.page.waitForSelector('[data-age]:has-text(" s old")');
    await watched.page.waitForSelector('header .badge:has-text("simulated data")');
    expect(watched.complaints).toEqual([]);
    expect(watched.foreign).toEqual([]);
    await watched.context.close();
  });

  it('reads on while one goes down, to the very end', async () => {
    const watched = await open();
    const total = Number((await service.call('/api/markets?limit=1')).headers.get('x-total-count'));
    await questions(watched);
    for (let n = 0; n < 20 && (await watched.page.locator(ROWS).count()) < total; n++) {
      await watched.page.mouse.wheel(0, 20_000);
      await watched.page.waitForTimeout(150);
    }
    expect(await watched.page.locator(ROWS).count()).toBe(total);
    await watched.context.close();
  });

  it('sorts by a column, and the other way round at the second click', async () => {
    const watched = await open();
    await questions(watched);
    const { page } = watched;
    const ends = page.locator('thead button', { hasText: 'Ends' });
    const sorted = async (direction: string) => {
      await page.waitForSelector(`th[aria-sort=${direction}]`);
      await page.waitForSelector('.markets[aria-busy=false]');
      return await page
        .locator(`${ROWS} td[data-label=Ends]`)
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title')));
    };
    await ends.click();
    const first = (await sorted('ascending')).map((date) => Date.parse(String(date)));
    expect(first).toEqual([...first].sort((a, b) => a - b));
    await ends.click();
    const last = (await sorted('descending')).map((date) => Date.parse(String(date)));
    expect(last).toEqual([...last].sort((a, b) => b - a));
    await watched.context.close();
  });

  it('searches while one types, and the address can be shared', async () => {
    const watched = await open();
    await questions(watched);
    const requests: string[] = [];
    watched.page.on('request', (request) => requests.push(request.url()));
    const response = watched.page.waitForResponse(/q=bitcoin/);
    await watched.page.locator('input[type=search]').pressSequentially('bitcoin', { delay: 30 });
    await watched.page.waitForURL(/q=bitcoin/);
    const { length } = await (await response).json();
    await watched.page.waitForFunction(
      ([rows, count]) => document.querySelectorAll(String(rows)).length === count,
      [ROWS, length] as const,
    );
    await watched.page.waitForSelector('.markets[aria-busy=false]');
    // Debounced: seven keys are not seven requests.
    expect(requests.filter((url) => url.includes('/search')).length).toBeLessThan(4);
    const shown = await questions(watched);
    const shared = await open(new URL(watched.page.url()).search);
    await shared.page.waitForSelector('.markets[aria-busy=false]');
    expect(await questions(shared)).toEqual(shown);
    await watched.context.close();
    await shared.context.close();
  });

  it('shows a category, the ready views and events', async () => {
    const watched = await open();
    const { page } = watched;
    await questions(watched);
    await page.locator('.chip', { hasText: 'crypto' }).click();
    await page.waitForURL(/category=crypto/);
    for (const view of ['Movers', 'Closing soon', 'Newest', 'Most traded today']) {
      await page.locator('.chip', { hasText: view }).click();
      await page.waitForSelector('.markets[aria-busy=false], .empty');
    }
    await page.locator('.chip', { hasText: 'All' }).click();
    await page.locator('.chip', { hasText: 'Events' }).click();
    await page.waitForSelector('.events li meter');
    await page.locator('.events .link').first().click();
    await page.waitForURL(/event=/);
    await questions(watched);
    expect(watched.complaints).toEqual([]);
    await watched.context.close();
  });

  it('says that nothing fits', async () => {
    const watched = await open('/?q=zzzzqqqqxx');
    await watched.page.waitForSelector('.empty');
    await watched.context.close();
  });

  it('fits a phone without scrolling sideways', async () => {
    const watched = await open('/', { width: 360, height: 740 });
    await questions(watched);
    const overflow = await watched.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await watched.context.close();
  });
});

describe('budgets', () => {
  it('keeps the page itself below 150 KB gzipped, and nothing moves once it is there', async () => {
    const watched = await open('/about:blank');
    const { page } = watched;
    let bytes = 0;
    page.on('response', async (response) => {
      if (/\/(assets\/.*)?$/.test(new URL(response.url()).pathname)) {
        bytes += Number((await response.allHeaders())['content-length'] ?? 0);
      }
    });
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(service.service.url, { waitUntil: 'networkidle' });
    await page.waitForSelector(ROWS);
    const shift = await page.evaluate(() =>
      (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(150_000);
    expect(shift).toBeLessThan(0.1);
    await watched.context.close();
  });
});
