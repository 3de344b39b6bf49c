/** Takes the pictures of the README, of generated markets: `npm run screenshots`. */
import { fileURLToPath } from 'node:url';
import { chromium as playwright } from 'playwright-core';
import { startUpstream } from 'polymarket-simulator';
import { projectAssembly } from '../../local/assembly.ts';
import { startService } from '../../local/service.ts';
import { chromium } from '../checks/browser.ts';

const ROWS = '.markets tbody tr:not(.placeholder)';
const SHOTS = [
  { name: 'list', width: 1280, height: 800, colorScheme: 'light', open: false },
  { name: 'market', width: 1280, height: 1000, colorScheme: 'light', open: true },
  { name: 'dark', width: 1280, height: 800, colorScheme: 'dark', open: false },
  { name: 'phone', width: 390, height: 844, colorScheme: 'light', open: false },
] as const;

const executablePath = chromium();
if (executablePath === undefined) throw new Error('There is no Chromium: node tools/checks/browser.ts');
const assembly = await projectAssembly({});
const upstream = await startUpstream({ markets: 500, seed: 1 });
const environment = { GAMMA_URL: upstream.url, CLOB_URL: upstream.url, REQUESTS_PER_MINUTE: 'off' };
const service = await startService({ assembly, schedule: false, environment });
await service.refresh();
const browser = await playwright.launch({ executablePath, args: ['--no-sandbox'] });
for (const { name, width, height, colorScheme, open } of SHOTS) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(service.url);
  await page.waitForSelector(ROWS);
  if (open) {
    await page.locator(`${ROWS} .link`).nth(1).click();
    await page.waitForSelector('.detail .depth canvas');
  }
  await page.screenshot({ path: fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url)) });
  console.log(`docs/images/${name}.png`);
  await page.close();
}
await browser.close();
await service.close();
await upstream.close();
