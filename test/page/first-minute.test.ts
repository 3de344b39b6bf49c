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
    rateLimit: 60,
  });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await simulator?.stop();
});

it('before the first data the page says why and continues by itself; afterwards it shows the remaining requests', async () => {
  const { page, problems } = await newPage(browser, service.url);
  await page.goto(service.url);
  const { status, reason } = await (await fetch(`${service.url}/api/status`)).json();
  expect([status, typeof reason]).toEqual(['empty', 'string']);
  await page.waitForSelector(`.status[data-kind=empty]:has-text("The service has no prices yet. ${reason}")`);
  await service.refresh('full');
  await page.waitForSelector(ROWS);
  await page.waitForSelector('.status', { state: 'detached' });
  expect(problems).toEqual([]);

  const left = async () => Number(/^(\d+) of 60/.exec((await page.locator('[data-left]').textContent()) ?? '')?.[1]);
  const before = await left();
  await page.locator('.tab', { hasText: 'Newest' }).click();
  await page.waitForFunction((count) => {
    const text = document.querySelector('[data-left]')?.textContent ?? '';
    return Number.parseInt(text, 10) < count;
  }, before);
});
