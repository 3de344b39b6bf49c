import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { TestService } from '../service/support/test-service.ts';
import { drawnPixels, openBrowser, openPage } from './support/browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Of some hundred thousand: the axes alone are fewer. */
const A_CURVE = 1_500;

let browser: Browser;
let service: TestService;

beforeAll(async () => {
  [browser, service] = await Promise.all([
    openBrowser(),
    TestService.start({ upstream: { markets: 60 }, environment: { REQUESTS_PER_MINUTE: 'off' } }),
  ]);
  await service.service.refresh();
});

afterAll(async () => {
  await browser?.close();
  await service?.close();
});

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
  it('opens with its facts, draws history and depth, and copies ids and calls', async () => {
    const { page, complaints, foreign, context } = await openPage(browser, service.service.url);
    await page.goto(service.service.url);
    await page.locator('.markets tbody .link').first().click();
    await page.waitForURL(/market=/);
    await page.waitForSelector('.detail .history canvas');
    await page.waitForSelector('.detail .depth canvas');
    expect(await drawnPixels(page, '.detail .history canvas')).toBeGreaterThan(A_CURVE);
    expect(await drawnPixels(page, '.detail .depth canvas')).toBeGreaterThan(A_CURVE);
    for (const interval of ['1 day', '1 month', '3 months']) {
      await page.locator('.detail .chip', { hasText: interval }).click();
      await page.waitForSelector('.detail .history canvas');
    }
    await page.locator('.detail .ids button').first().click();
    const [market] = (await service.call('/api/markets?limit=1')).json;
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(market.id);
    expect(await page.locator('.detail .quote').textContent()).toMatch(/¢|empty/);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.detail', { state: 'detached' });
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
    await context.close();
  });

  it.each(['light', 'dark'] as const)(
    'has no serious accessibility fault, list and detail, %s',
    async (colorScheme) => {
      const { page, context } = await openPage(browser, service.service.url, { colorScheme });
      await page.goto(service.service.url);
      await page.waitForSelector('.markets tbody tr:not(.placeholder)');
      expect(await faults(page)).toEqual([]);
      await page.locator('.markets tbody .link').first().click();
      await page.waitForSelector('.detail .depth canvas');
      expect(await faults(page)).toEqual([]);
      await context.close();
    },
  );

  it('is reached and left with the keyboard alone', async () => {
    const { page, context } = await openPage(browser, service.service.url);
    await page.goto(service.service.url);
    await page.waitForSelector('.markets tbody tr:not(.placeholder)');
    await page.locator('.markets tbody .link').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.detail h2:focus');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.detail', { state: 'detached' });
    await context.close();
  });
});

describe('the API reference', () => {
  it('shows every endpoint and tries one, without a request to elsewhere', async () => {
    const { page, complaints, foreign, context } = await openPage(browser, service.service.url);
    await page.goto(`${service.service.url}/docs`);
    await page.waitForSelector('.opblock');
    const document = (await service.call('/openapi.json')).json;
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
    await context.close();
  });
});
