import { describe, expect, it } from '@jest/globals';
import { accessibilityViolations, pageTests } from './support.ts';

const { url, read, open } = pageTests(60);

interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string];
}

type Methods = Readonly<Record<'get', Operation>>;

describe('the API reference', () => {
  it('shows every endpoint with one sentence and the address of the service, and asks for no key', async () => {
    const { page, problems, foreign } = await open('/docs');
    await page.waitForSelector('.opblock');
    const { paths } = await read('/openapi.json');
    const shown = await page
      .locator('.opblock:not(.opblock-head) .opblock-summary-path')
      .evaluateAll((found) => found.map((path) => path.getAttribute('data-path')));
    expect(shown.sort()).toEqual(Object.keys(paths).sort());
    expect(await page.locator('.opblock:not(.opblock-head) .opblock-summary-description').count()).toBe(shown.length);
    expect(await page.locator('.servers option').allTextContents()).toEqual([`${url()} - This service`]);
    expect(await page.locator('.auth-wrapper, .authorization__btn, .btn.authorize').count()).toBe(0);
    expect({ problems, foreign }).toEqual({ problems: [], foreign: [] });
  });

  it('returns data for every operation with the first press of Execute', async () => {
    const { page, problems } = await open('/docs');
    await page.waitForSelector('.opblock');
    const { paths } = await read('/openapi.json');
    const operations = Object.values<Methods>(paths).map(({ get }) => get);
    const results: Record<string, string> = {};
    for (const { operationId, tags } of operations) {
      const block = page.locator(`#operations-${tags[0]}-${operationId}`);
      await block.locator('.opblock-summary-control').click();
      await block.locator('button.execute').click();
      const response = block.locator('.live-responses-table tr.response').first();
      const status = await response.locator('.response-col_status').textContent();
      const body = await response.locator('.highlight-code, .microlight').first().textContent();
      const isEmpty = /^\s*(\[\s*\]|\{\s*\}|null)\s*$|"history": \[\]|: null\s*\}$/u.test(body ?? '');
      results[operationId] = isEmpty ? `${status} without data: ${body}` : `${status}`.trim();
      await block.locator('.opblock-summary-control').click();
    }
    expect(results).toEqual(Object.fromEntries(operations.map(({ operationId }) => [operationId, '200'])));
    expect(problems).toEqual([]);
  });

  it('has no critical accessibility violation', async () => {
    const { page } = await open('/docs');
    await page.waitForSelector('.opblock');
    await page.locator('#operations-markets-listMarkets .opblock-summary-control').click();
    await page.locator('#operations-markets-listMarkets button.execute').waitFor();
    expect(await accessibilityViolations(page, ['critical'])).toEqual([]);
  });
});
