import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { drawnPixels } from './support/browser.ts';
import { pageService, ROWS } from './support/page-service.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Of some hundred thousand: the axes alone are fewer. */
const A_CURVE = 1_500;

const { open, service } = pageService({ upstream: { markets: 60 } });

/** Serious accessibility faults, as sentences. */
async function faults(page: Page): Promise<string[]> {
  // Through the debugger, which the page's policy for scripts does not bind.
  await page.evaluate(AXE);
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

describe('a market', () => {
  it('opens with its facts, draws history and depth, and closes with Escape', async () => {
    const { page, complaints, foreign } = await open();
    const question = await page.locator('.markets tbody .link').first().textContent();
    await page.locator('.markets tbody .link').first().click();
    await page.waitForURL(/market=/);
    await page.waitForSelector('.detail .history canvas');
    await page.waitForSelector('.detail .depth canvas');
    expect(await page.locator('.detail h2').textContent()).toBe(question);
    expect(await page.title()).toContain(String(question));
    expect(await drawnPixels(page, '.detail .history canvas')).toBeGreaterThan(A_CURVE);
    expect(await drawnPixels(page, '.detail .depth canvas')).toBeGreaterThan(A_CURVE);
    expect(await page.locator('.detail .quote').textContent()).toMatch(/^Midpoint .*¢ · spread .*¢$|empty/);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.detail', { state: 'detached' });
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
  });

  it('has four intervals, each drawn, and reads the chart out where the pointer is', async () => {
    const { page } = await open('/', { width: 1280 });
    await page.locator('.markets tbody .link').first().click();
    await page.waitForSelector('.detail .history canvas');
    for (const [label, interval] of Object.entries({ '1 day': '1d', '1 month': '1m', '3 months': '3m' })) {
      const arrived = page.waitForResponse(new RegExp(`interval=${interval}`));
      await page.locator('.detail .chip', { hasText: label }).click();
      await arrived;
      await page.waitForSelector(`.detail .calls code:has-text("interval=${interval}")`);
      expect(await drawnPixels(page, '.detail .history canvas')).toBeGreaterThan(A_CURVE);
    }
    await page.locator('.detail .history .u-over').hover();
    await page.waitForSelector('.history .reading:has-text(": ")');
    expect(await page.locator('.history .reading').textContent()).toMatch(/^\w{3} \d+, \d{4}.*: [\d.]+ %$/);
    await page.locator('.detail .depth .u-over').hover({ position: { x: 5, y: 5 } });
    await page.waitForSelector('.book .reading:has-text(" or better")');
  });

  it('gives its ids and the calls behind it to be copied, and the calls work', async () => {
    const { page } = await open();
    await page.locator('.markets tbody .link').first().click();
    await page.waitForSelector('.detail .depth canvas');
    const copied = async (button: string) => {
      await page.locator(button).click();
      return await page.evaluate(() => navigator.clipboard.readText());
    };
    const [market] = (await service().call('/api/markets?limit=1')).json;
    expect(await copied('.detail .ids dd:nth-of-type(1) button')).toBe(market.id);
    expect(await copied('.detail .ids dd:nth-of-type(2) button')).toBe(market.clobTokenId);
    const calls = await page.locator('.detail .calls code').allTextContents();
    expect(calls.map((call) => new URL(call.split("'")[1] ?? '').pathname)).toEqual([
      expect.stringMatching(/^\/api\/markets\/./),
      '/api/clob/prices-history',
      '/api/clob/order-book',
    ]);
    expect(await copied('.detail .calls li:nth-child(2) button')).toBe(calls[1]);
    for (const call of calls) expect((await fetch(String(call.split("'")[1]))).status).toBe(200);
  });

  it.each(['light', 'dark'] as const)(
    'has no serious accessibility fault, in list, events and detail, %s',
    async (colorScheme) => {
      const { page } = await open('/?view=events', { colorScheme });
      await page.waitForSelector('.events .favourite');
      expect(await faults(page)).toEqual([]);
      await page.locator('.tab').first().click();
      await page.waitForSelector(ROWS);
      expect(await faults(page)).toEqual([]);
      await page.locator('.markets tbody .link').first().click();
      await page.waitForSelector('.detail .depth canvas');
      expect(await faults(page)).toEqual([]);
    },
  );

  it('is reached and left with the keyboard alone, which finds its place again', async () => {
    const { page } = await open();
    await page.waitForSelector(ROWS);
    await page.locator('.markets tbody .link').nth(3).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.detail h2:focus');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('1 day');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.detail', { state: 'detached' });
    const link = page.locator('.markets tbody .link').nth(3);
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('a market on a phone', () => {
  it('covers the list, for the keyboard too, and gives it back', async () => {
    const { page } = await open('/', { width: 390, height: 800 });
    await page.locator('.markets tbody .link').nth(2).click();
    await page.waitForSelector('.detail .depth canvas');
    expect(await faults(page)).toEqual([]);
    expect(await page.locator('section.list').evaluate((list) => (list as HTMLElement).inert)).toBe(true);
    await page.locator('.detail .close').click();
    await page.waitForSelector('.detail', { state: 'detached' });
    const link = page.locator('.markets tbody .link').nth(2);
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('lies in a list that is sorted by a choice, where there are no columns', async () => {
    const { page } = await open('/', { width: 390, height: 800 });
    await page.waitForSelector(ROWS);
    expect(await faults(page)).toEqual([]);
    const sorted = page.waitForResponse(/sort=liquidity&order=desc/);
    await page.locator('.sort-choice select').selectOption({ label: 'Liquidity' });
    expect((await sorted).status()).toBe(200);
    await page.waitForSelector(`.markets[aria-busy=false] ${ROWS.replace('.markets ', '')}`);
    expect(page.url()).toContain('sort=liquidity');
  });
});

describe('the API reference', () => {
  it.each(['/docs', '/docs/'])(
    'at %s shows every endpoint and tries one, without a request to elsewhere',
    async (path) => {
      const { page, complaints, foreign } = await open(path);
      await page.waitForSelector('.opblock');
      const document = (await service().call('/openapi.json')).json;
      const shown = await page
        .locator('.opblock-get .opblock-summary-path')
        .evaluateAll((paths) => paths.map((path) => path.getAttribute('data-path')));
      expect(shown.sort()).toEqual(
        Object.keys(document.paths)
          .filter((path) => document.paths[path].get)
          .sort(),
      );
      await page.locator('#operations-service-getStatus .opblock-summary-control').click();
      await page.locator('#operations-service-getStatus button.execute').click();
      await page.waitForSelector(
        '#operations-service-getStatus .live-responses-table .response-col_status:has-text("200")',
      );
      expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
    },
  );
});
