import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromium as program } from '../../../tools/checks/browser.ts';

/** Opens a real browser. @throws Error when there is none */
export async function openBrowser(): Promise<Browser> {
  const executablePath = program();
  if (executablePath === undefined) throw new Error('There is no Chromium: run npm run test:page');
  // A container has no user namespaces for Chromium's own sandbox; all it opens is served by this test.
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the console and the page complain of, but for failed requests, which some tests provoke. */
  readonly complaints: string[];
  /** Requests to anywhere else than the service. */
  readonly foreign: string[];
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Prepares the page before anything is opened in it. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** A page that notes whatever should not happen. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: PageOptions = {},
): Promise<Watched> {
  const { width = 1440, height = 900, colorScheme = 'light', before } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { protocol } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && !request.url().startsWith(origin))
      foreign.push(request.url());
  });
  await before?.(page);
  return { page, context, complaints, foreign };
}

/** How many pixels of a picture are not of its most common colour: an empty chart has next to none. */
export async function drawnPixels(page: Page, selector: string): Promise<number> {
  return await page.locator(selector).evaluate((canvas) => {
    const { width, height } = canvas as HTMLCanvasElement;
    const data = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data;
    const counts = new Map<number, number>();
    for (let n = 0; n < (data?.length ?? 0); n += 4) {
      const colour =
        ((data?.[n] ?? 0) << 24) |
        ((data?.[n + 1] ?? 0) << 16) |
        ((data?.[n + 2] ?? 0) << 8) |
        (data?.[n + 3] ?? 0);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return width * height - Math.max(0, ...counts.values());
  });
}
