import { describe, expect, it } from '@jest/globals';
import { accessibilityViolations, drawnPixels, LINKS, pageTests, ROWS } from './support.ts';

const { open, read } = pageTests(60);

/** More pixels than the axes of an empty chart have. */
const A_CURVE = 1_500;

describe('a market', () => {
  it('opens with its history and depth, and closes with Escape', async () => {
    const { page, problems, foreign } = await open();
    const question = await page.locator(LINKS).first().textContent();
    await page.locator(LINKS).first().click();
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
    expect({ problems, foreign }).toEqual({ problems: [], foreign: [] });
  });

  it('has four intervals, and describes the point below the pointer', async () => {
    const { page } = await open('/', { width: 1280 });
    await page.locator(LINKS).first().click();
    await page.waitForSelector('.detail .history canvas');
    for (const [label, interval] of Object.entries({ '1 day': '1d', '1 month': '1m', '3 months': '3m' })) {
      await page.locator('.detail .chip', { hasText: label }).click();
      await page.waitForSelector(`.detail .calls code:has-text("interval=${interval}")`);
      expect(await drawnPixels(page, '.detail .history canvas')).toBeGreaterThan(A_CURVE);
    }
    await page.locator('.detail .history .u-over').hover();
    await page.waitForSelector('.history .reading:has-text(": ")');
    expect(await page.locator('.history .reading').textContent()).toMatch(/^\w{3} \d+, \d{4}.*: [\d.]+ %$/);
    await page.locator('.detail .depth .u-over').hover({ position: { x: 5, y: 5 } });
    await page.waitForSelector('.book .reading:has-text(" or better")');
  });

  it('offers its ids and API calls to copy, and the calls work', async () => {
    const { page } = await open();
    await page.locator(LINKS).first().click();
    await page.waitForSelector('.detail .depth canvas');
    const copied = async (button: string) => {
      await page.locator(button).click();
      return await page.evaluate(() => navigator.clipboard.readText());
    };
    const [market] = await read('/api/markets?limit=1');
    expect(await copied('.detail .ids dd:nth-of-type(1) button')).toBe(market.id);
    expect(await copied('.detail .ids dd:nth-of-type(2) button')).toBe(market.clobTokenId);
    const calls = await page.locator('.detail .calls code').allTextContents();
    const addresses = calls.map((call) => new URL(call.split("'")[1] ?? ''));
    expect(addresses.map(({ pathname }) => pathname)).toEqual([
      expect.stringMatching(/^\/api\/markets\/./),
      '/api/clob/prices-history',
      '/api/clob/order-book',
    ]);
    expect(await copied('.detail .calls li:nth-child(2) button')).toBe(calls[1]);
    for (const address of addresses) expect((await fetch(address)).status).toBe(200);
  });

  it.each(['light', 'dark'] as const)('has no accessibility violations in %s mode', async (colorScheme) => {
    const { page } = await open('/?view=events', { colorScheme });
    await page.waitForSelector('.events .favourite');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.locator('.tab').first().click();
    await page.waitForSelector(ROWS);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.locator(LINKS).first().click();
    await page.waitForSelector('.detail .depth canvas');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('opens and closes with the keyboard, and returns the focus', async () => {
    const { page } = await open();
    await page.waitForSelector(ROWS);
    await page.locator(LINKS).nth(3).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.detail h2:focus');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('1 day');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.detail', { state: 'detached' });
    const link = page.locator(LINKS).nth(3);
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('on a phone covers the list, also for the keyboard', async () => {
    const { page } = await open('/', { width: 390, height: 800 });
    await page.locator(LINKS).nth(2).click();
    await page.waitForSelector('.detail .depth canvas');
    expect(await accessibilityViolations(page)).toEqual([]);
    const isInert = () => page.locator('section.list').evaluate((list) => (list as HTMLElement).inert);
    expect(await isInert()).toBe(true);
    await page.locator('.detail .close').click();
    await page.waitForSelector('.detail', { state: 'detached' });
    expect(await isInert()).toBe(false);
  });
});
