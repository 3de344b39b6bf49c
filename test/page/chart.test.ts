import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { drawnPixels, MIN_LINE_PIXELS } from './measures.ts';
import { LINKS, pageTests } from './support.ts';

// The chart of an open market: its price history, with buttons for ranges such as a month. A tip at
// the pointer, `.tip`, has the time and the price there.

const { open, read } = pageTests({ markets: 60 });

/**
 * Runs in the page. Moves a finger over a plot, 9 pixels below its top.
 *
 * @param share of the width, from the left
 */
function touch(plot: Element, share: number): void {
  const { left, top, width } = plot.getBoundingClientRect();
  const place = { clientX: left + width * share, clientY: top + 9 };
  plot.dispatchEvent(
    new PointerEvent('pointermove', { bubbles: true, pointerType: 'touch', ...place }),
  );
}

describe('the chart of a market', () => {
  it('has five ranges, and says the value and the time with its zone at the pointer', async () => {
    const { page } = await open('/', { width: 1280 });
    await page.locator(LINKS).first().click();
    await page.waitForSelector('.detail .history canvas');
    // The fifth range, a month, is shown at first.
    const queries = {
      '1 day': 'interval=1d&fidelity=5',
      '1 week': 'interval=1w&fidelity=30',
      '3 months': 'interval=3m&fidelity=360',
      'Whole life': 'startTs=',
    };
    for (const [label, query] of Object.entries(queries)) {
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.url().includes('/prices-history?')),
        page.locator('.detail .history').getByRole('button', { name: label }).click(),
      ]);
      expect(response.url()).toContain(query);
      await page.waitForSelector('.detail .chart[aria-busy=false]');
      expect(await drawnPixels(page, '.detail .history canvas')).toBeGreaterThan(MIN_LINE_PIXELS);
    }
    await page.locator('.detail .history .u-over').hover();
    expect(await page.locator('.tip').textContent()).toMatch(
      /^\w{3} \d+, \d{4}, \d\d:\d\d (UTC|GMT\S+)[\d.]+ ?%$/,
    );
    expect(await page.locator('.detail .u-cursor-pt').isVisible()).toBe(true);
    // The tip stays when the chart is drawn again: here with the scale from 0 to 100 %.
    const words = String(await page.locator('.tip').textContent());
    await page.locator('.detail .whole').press('Enter');
    await page.waitForSelector('.detail .whole[aria-pressed=true]');
    await page.waitForSelector(`.tip:has-text(${JSON.stringify(words.slice(0, 20))})`);
  });

  it('says times and prices to screen readers, and moves its reading with the arrow keys', async () => {
    const { page } = await open('/', { width: 1280 });
    await page.locator(LINKS).first().click();
    await page.waitForSelector('.detail .history canvas');
    const chart = page.locator('.detail .plot');
    const text = () => chart.getAttribute('aria-valuetext');
    const moment = String.raw`[A-Z][a-z]{2} \d+, \d{4}, \d\d:\d\d`;
    expect(await chart.getAttribute('aria-label')).toMatch(
      new RegExp(`^1 month: .* from [\\d.]+% on ${moment} to .*, lowest .* on ${moment}, highest`),
    );
    await chart.focus();
    const readings = [await text()];
    for (const key of ['ArrowLeft', 'PageDown', 'Home']) {
      await page.keyboard.press(key);
      await page.waitForFunction(
        (before) => document.querySelector('.plot')?.getAttribute('aria-valuetext') !== before,
        readings.at(-1),
      );
      readings.push(await text());
    }
    expect(readings).toEqual(
      readings.map(() => expect.stringMatching(new RegExp(`^${moment} \\S+: [\\d.]+%$`))),
    );
    // The first reading, and one after each key.
    expect(new Set(readings).size).toBe(1 + 3);
    expect(`${readings.at(-1)}`).toContain(String(await page.locator('.tip time').textContent()));
    await page.keyboard.press('Tab');
    await page.waitForSelector('.tip', { state: 'detached' });
  });

  it('gives the points of its chart as CSV with their source', async () => {
    const [{ slug, clobTokenId }] = await read('/api/markets?limit=1&fields=all');
    const { page } = await open(`/market/${slug}`);
    await page.waitForSelector('.detail .history canvas');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.origin button').click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    const [header, ...rows] = text.trimEnd().split('\r\n');
    expect(header).toBe('\ufefftime,outcome,price,token_id,source');
    expect(rows.length).toBeGreaterThan(100);
    expect(rows[0]).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z,Yes,[\d.]+,\d+,"Simulated prices, read by 127/,
    );
    expect(rows[0]).toContain(clobTokenId);
  });

  it('follows a finger over its chart', async () => {
    const { page } = await open('/', { width: 390, height: 800 });
    await page.locator(LINKS).first().click();
    await page.waitForSelector('.detail .history canvas');
    const readings: (string | null)[] = [];
    for (const share of [0.2, 0.8]) {
      await page.locator('.history .u-over').evaluate(touch, share);
      await page.waitForFunction((before) => {
        const text = document.querySelector('.history .tip.above')?.textContent ?? '';
        return /\d\d:\d\d/.test(text) && text !== before;
      }, readings.at(-1));
      readings.push(await page.locator('.history .tip').textContent());
    }
    expect(new Set(readings).size).toBe(2);
    // The tip lies above the finger.
    const tip = await page.locator('.tip').boundingBox();
    const plot = await page.locator('.u-over').boundingBox();
    expect((tip?.y ?? 0) + (tip?.height ?? 0)).toBeLessThan((plot?.y ?? 0) + 9);
  });
});
