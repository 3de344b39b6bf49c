// What tests measure of an open page: accessibility, places, movements and drawn pixels.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    layoutShift: number;
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeViolation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds against accessibility, of these impacts: `label: <input type="text">`. */
export async function accessibilityViolations(
  page: Page,
  impacts = ['serious', 'critical'],
): Promise<string[]> {
  // `evaluate` is not subject to the page's Content-Security-Policy.
  await page.evaluate(AXE);
  return await page.evaluate(async (counted) => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: AxeViolation[] }> };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => counted.includes(impact))
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }, impacts);
}

/**
 * Pixels by which the page, an open market, the cells of the list and the API calls are wider than
 * their place, each 0 if all is well. Wider parts scroll sideways, lie on their neighbours, or are
 * cut.
 */
export async function overflow(page: Page): Promise<number[]> {
  return await page
    .locator('html, .detail, .markets td, .developers code')
    .evaluateAll((parts) => parts.map((part) => Math.max(0, part.scrollWidth - part.clientWidth)));
}

/** Sums how far the page moves its parts while it loads, as `layoutShift` of its window. */
export function recordLayoutShift(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    type LayoutShift = PerformanceEntry & { readonly value: number };
    window.layoutShift = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as LayoutShift[]) window.layoutShift += value;
    });
    observer.observe({ type: 'layout-shift', buffered: true });
  });
}

/** A chart with a line has more drawn pixels than this. One with only its axes has fewer. */
export const MIN_LINE_PIXELS = 1_500;

/** The number of pixels that differ from the most common colour, the background. */
export async function drawnPixels(page: Page, selector: string): Promise<number> {
  return await page.locator(selector).evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement;
    const context = (element as HTMLCanvasElement).getContext('2d');
    const pixels = new Uint32Array(context?.getImageData(0, 0, width, height).data.buffer ?? []);
    const counts = new Map<number, number>();
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    return width * height - Math.max(0, ...counts.values());
  });
}
