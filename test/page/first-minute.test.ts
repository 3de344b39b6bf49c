import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type LocalService, startLocalService } from '../../local/service.ts';
import { type Simulator, startSimulator } from '../../local/simulator/index.ts';
import { newPage, ROWS, startBrowser } from './support.ts';

let browser: Browser;
let simulator: Simulator;
let service: LocalService;
beforeAll(async () => {
  [browser, simulator] = await Promise.all([startBrowser(), startSimulator({ markets: 60, lifecycle: false })]);
  const { url } = simulator;
  service = await startLocalService({
    upstream: { gammaUrl: url, clobUrl: url, dataUrl: url },
    simulated: true,
    rateLimit: 40,
  });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await simulator?.stop();
});

it('before the first data the page says why and continues by itself; few remaining requests are shown', async () => {
  const { page, problems } = await newPage(browser, service.url);
  await page.goto(service.url);
  const { status, reason } = await (await fetch(`${service.url}/api/status`)).json();
  expect([status, typeof reason]).toEqual(['empty', 'string']);
  const line = page.locator('.status[data-kind=empty]:has-text("No prices yet: the service is reading the markets")');
  await line.waitFor();
  expect(await line.textContent()).not.toContain(reason);
  // One line of text and nothing that looks broken.
  expect((await line.boundingBox())?.height).toBeLessThan(60);
  await service.refresh('full');
  await page.waitForSelector(ROWS);
  await page.waitForSelector('.status', { state: 'detached' });
  expect(problems).toEqual([]);

  // A visitor sees the remaining requests only when they are few.
  expect(await page.locator('[data-left]').count()).toBe(0);
  for (const name of Array.from({ length: 12 }, () => ['Movers', 'Closing', 'Events']).flat()) {
    if ((await page.locator('[data-left]').count()) > 0) break;
    const response = page.waitForResponse(/\/api\/(markets|events)\?/);
    await page.locator('.tab', { hasText: name }).click();
    await response;
  }
  await page.waitForSelector('[data-left]:has-text("of 40 requests left")');
});
