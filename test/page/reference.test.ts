import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from './measures.ts';
import { fail, pageTests } from './support.ts';

// The API reference at `/docs`. Each endpoint has a form that sends a request, and code samples.

/** The markets of the service, which the reference's examples show. */
const MARKETS = 60;
const { url, open } = pageTests({ markets: MARKETS });
const execute = promisify(execFile);

/** Bodies without data. */
const NO_DATA = [
  /^\s*(\[\s*\]|\{\s*\}|null)\s*$/, // an empty list or object
  /"history": \[\]/, // a history without a point
  /^\{\s*"\d+": null\s*\}$/, // a token without a price
];
/** At least ten characters of output, which have no error: errors have a `code`. */
const DATA = /^(?!.*"?code"?: ).{10}/s;

/** Opens the reference, and waits until its forms have the ids of markets in the service's list. */
async function openReference(width = 1440) {
  const opened = await open('/docs', { width });
  await opened.page.waitForLoadState('networkidle');
  return opened;
}

const unfold = (page: Page) =>
  page.locator('details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });

describe('the API reference', () => {
  it('returns data for every operation with the first press of Run', async () => {
    const { page, problems } = await openReference();
    for (const form of await page.locator('form').all()) {
      await form.locator('.run').click();
      await form.locator('.result.up, .result.down').waitFor();
      const path = await form.getAttribute('data-path');
      const result = await form.locator('.result').textContent();
      const body = await form.locator('.body').textContent();
      // A failure then names the path.
      expect([path, result]).toEqual([
        path,
        expect.stringMatching(/^200 OK · \d+ ms · [\d.]+ (bytes|kB)$/),
      ]);
      for (const pattern of NO_DATA)
        expect([path, body]).not.toEqual([path, expect.stringMatching(pattern)]);
    }
    const markets = page.locator('#listMarkets');
    expect(JSON.parse((await markets.locator('.body').textContent()) ?? '')).toHaveLength(3);
    expect(await markets.locator('.headers').textContent()).toMatch(
      new RegExp(`^X-Total-Count: ${MARKETS}\nX-Snapshot-Id: `),
    );
    expect(problems).toEqual([]);
  });

  it('names /mcp with a command for this address, and shows no invented response', async () => {
    const { page } = await openReference();
    expect(await page.locator('#agents').textContent()).toContain('POST /mcp');
    expect(await page.locator('#agents pre').textContent()).toBe(
      `claude mcp add --transport http markets ${url()}/mcp`,
    );
    await page.locator('#filter').fill('mcp');
    expect(await page.locator('#contents a').filter({ visible: true }).allTextContents()).toEqual([
      '/mcp',
    ]);
    expect(new Set(await page.locator('.body').allTextContents())).toEqual(new Set(['']));
  });

  it('has samples in three languages that run as they are printed', async () => {
    const { page } = await openReference();
    const programs = [
      { language: 'curl', program: 'sh', options: ['-c'] },
      { language: 'javascript', program: process.execPath, options: ['--input-type=module', '-e'] },
      { language: 'python', program: 'python3', options: ['-c'] },
    ];
    for (const { language, program, options } of programs) {
      await page.locator(`#listMarkets [data-language=${language}]`).click();
      const samples = await page
        .locator(`[data-sample=${language}]:not([hidden])`)
        .allTextContents();
      expect(samples).toHaveLength(await page.locator('form').count());
      for (const sample of samples) {
        const { stdout } = await execute(program, [...options, sample], { maxBuffer: 2 ** 24 });
        expect([sample, stdout]).toEqual([sample, expect.stringMatching(DATA)]);
      }
    }
    await page.locator('#listTags [data-copy]').click();
    await page.locator('#listTags [data-copy]', { hasText: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      `urlopen('${url()}/api/tags')`,
    );
  });

  it('says what an error means and when to try again', async () => {
    const { page } = await openReference();
    await page.route('**/api/tags', fail(429, 'rate_limited', { 'Retry-After': '37' }));
    await page.locator('#listTags .run').click();
    await page.locator('#listTags .result.down').waitFor();
    const meaning = await page.locator('#listTags .meaning').textContent();
    expect(meaning).toMatch(
      /^It is rate_limited\. More than 60 requests in a minute .* Run it again in 37 seconds\.$/,
    );
    await page.locator('#listMarkets input[name=limit]').fill('none');
    await page.locator('#listMarkets .run').click();
    const malformed = page.locator('#listMarkets .meaning', {
      hasText: 'A parameter is malformed',
    });
    await malformed.waitFor();
    const { error } = JSON.parse((await page.locator('#listMarkets .body').textContent()) ?? '');
    expect((await malformed.textContent())?.startsWith(`${error} `)).toBe(true);
    expect(await page.locator('#listMarkets [data-sample=curl]').textContent()).toContain(
      '?limit=none',
    );
  });

  it('says when the service has no data, and shows invented examples', async () => {
    const { page } = await open('/docs', {
      before: (opened) => opened.route(/\/api\/markets\?/, fail(502, 'snapshot_missing')),
    });
    await page.locator('#notice', { hasText: 'No data could be read' }).waitFor();
    expect(await page.locator('#searchMarkets [data-sample=curl]').textContent()).toBe(
      `curl '${url()}/api/markets/search?q=bitcoin&limit=3'`,
    );
  });

  it('finds an endpoint by a parameter, and leads there by keyboard', async () => {
    const { page } = await openReference(390);
    // The five stops: the link that skips, the brand, Markets, API, Contents.
    for (let stop = 1; stop <= 5; stop++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#filter').fill('depth');
    expect(await page.locator('#contents li:visible').allTextContents()).toEqual([
      '/api/clob/order-book',
      '/api/clob/order-books',
    ]);
    await page.locator('#contents li:visible a').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('#contents').waitFor({ state: 'hidden' });
    expect(page.url()).toContain('#getOrderBook');
  });

  it('shows the folded parameter that the filter finds', async () => {
    const { page } = await openReference();
    const field = page.locator('#listMarkets-sort');
    expect(await field.isVisible()).toBe(false);
    await page.locator('#filter').fill('sort');
    await page.locator('#contents li:visible a[href="#listMarkets"]').click();
    expect(await field.isVisible()).toBe(true);
    await page.locator('#filter').fill('');
    expect(await field.isVisible()).toBe(false);
  });

  it('has no accessibility violation: light, dark, unfolded, after Run, on a phone', async () => {
    const { page } = await openReference();
    await page.locator('#listMarkets .run').click();
    await page.locator('#listMarkets .result.up').waitFor();
    await unfold(page);
    const impacts = ['critical', 'serious', 'moderate', 'minor'];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityViolations(page, impacts)).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 700 });
    await page.locator('[popovertarget]').click();
    expect(await accessibilityViolations(page, impacts)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
});
