/** Takes the pictures of the README, of generated markets: `npm run screenshots`. */

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium as playwright } from 'playwright-core';
import { startUpstream } from 'polymarket-simulator';
import { perUrlVariable } from '../../lambda/contract/upstreams.ts';
import { projectAssembly } from '../../local/assembly.ts';
import { startService } from '../../local/service.ts';
import { chromium } from '../checks/browser.ts';

interface Shot {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly path: string;
  readonly colorScheme: 'light' | 'dark';
  /** Pixels of the picture for each of the page. */
  readonly scale: number;
  /** What must be there besides the header's facts. */
  readonly shows: string;
  /** Which market is opened, counted from 0. */
  readonly opens?: number;
}

const ROWS = '.markets tbody tr:not(.placeholder)';
const DEPTH = '.detail .depth canvas';
const SHOTS: readonly Shot[] = [
  { name: 'list', width: 1280, height: 760, path: '/', colorScheme: 'light', scale: 1, shows: ROWS },
  {
    name: 'market',
    width: 1280,
    height: 860,
    path: '/',
    colorScheme: 'light',
    scale: 1,
    shows: DEPTH,
    opens: 1,
  },
  {
    name: 'dark',
    width: 1280,
    height: 760,
    path: '/?view=movers',
    colorScheme: 'dark',
    scale: 1,
    shows: ROWS,
  },
  { name: 'phone', width: 390, height: 800, path: '/', colorScheme: 'light', scale: 1.5, shows: ROWS },
];
const FOLDER = fileURLToPath(new URL('../../docs/images', import.meta.url));

async function take(browser: Browser, url: string, shot: Shot): Promise<void> {
  const { name, width, height, colorScheme, scale } = shot;
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme,
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
  });
  await page.goto(`${url}${shot.path}`);
  if (shot.opens !== undefined) await page.locator(`${ROWS} .link`).nth(shot.opens).click();
  await page.waitForSelector(shot.shows);
  await page.waitForSelector('.simulated');
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
  console.log(`docs/images/${name}.png`);
  await page.close();
}

const executablePath = chromium();
if (executablePath === undefined) throw new Error('There is no Chromium: npm run test:page installs it');
const assembly = await projectAssembly({});
const upstream = await startUpstream({ markets: 2_500, seed: 1 });
const environment = perUrlVariable(() => upstream.url);
const service = await startService({ assembly, schedule: false, environment });
const { ok, error } = await service.refresh();
if (!ok) throw new Error(error);
const browser = await playwright.launch({ executablePath, args: ['--no-sandbox'] });
mkdirSync(FOLDER, { recursive: true });
for (const shot of SHOTS) await take(browser, service.url, shot);
await browser.close();
await service.close();
await upstream.close();
