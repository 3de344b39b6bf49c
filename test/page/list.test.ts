import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { ends, percent, signedPoints, usd } from '../../packages/market-page/src/format.ts';
import { listAfter, loadTo, pageTests, questions, ROWS } from './support.ts';

// The list of markets in a browser, compared with the API of the same service.

const { open, read, url } = pageTests({ markets: 150 });

/**
 * Replaces 7-day changes in the responses: four rows of the list have one, the second a doubtful
 * one. Of all 2,000 markets, 765 have one.
 */
async function withChanges(page: Page): Promise<void> {
  await page.route(/\/api\/markets\?/, async (route) => {
    const response = await route.fetch();
    const rows: Record<string, unknown>[] = await response.json();
    const changes = [-59.9, 47.2, 12, -3];
    const json = rows.map((row, n) => ({
      ...row,
      sevenDayPriceChange: changes[n],
      doubtfulChanges: n === 1 ? ['sevenDayPriceChange'] : undefined,
    }));
    await route.fulfill({ response, json });
  });
  await page.route(/\/api\/status/, async (route) => {
    const response = await route.fetch();
    const counts = { markets: 2_000, marketsWithSevenDayChange: 765 };
    await route.fulfill({ response, json: { ...(await response.json()), ...counts } });
  });
}

describe('the list', () => {
  it('shows the markets in the order of the API, each number with its unit', async () => {
    const opened = await open();
    const rows = await read('/api/markets?limit=50&fields=all');
    const expected = rows.map(({ question }: { question: string }) => question.trim());
    expect(await questions(opened)).toEqual(expected);
    const { page } = opened;
    const [first] = rows;
    // A column without any value is not shown.
    const changes = [
      'oneHourPriceChange',
      'oneDayPriceChange',
      'sevenDayPriceChange',
      'thirtyDayPriceChange',
    ].filter((name) => rows.some((row: Record<string, unknown>) => (row[name] ?? null) !== null));
    expect(await page.locator(`${ROWS}:first-child td`).allTextContents()).toEqual([
      '',
      percent(first.currentProbability),
      ...changes.map((name) => signedPoints(first[name])),
      usd(first.volume24h),
      usd(first.volume),
      usd(first.liquidity),
      ends(first.endDate, Date.now()),
    ]);
    await page.waitForSelector('[data-age]:has-text(" s old")');
    await page.waitForSelector('header .badge:has-text("simulated data")');
    expect(await page.locator('.summary').textContent()).toMatch(/^All [\d,]+ markets, by volume/);
    expect(opened.problems).toEqual([]);
  });

  it('loads page after page during scrolling, up to the last market', async () => {
    const opened = await open();
    const { page, requests } = opened;
    await questions(opened);
    const total = ((await read('/api/markets?limit=1000')) as unknown[]).length;
    requests.length = 0;
    await loadTo(page, total);
    expect(await page.locator(ROWS).count()).toBe(total);
    await page.waitForSelector('.more button', { state: 'detached' });
    // The first 50 rows are there. The page reads the others 300 at a time.
    expect(requests.filter((request) => request.includes('/api/markets?'))).toHaveLength(
      Math.ceil((total - 50) / 300),
    );
  });

  it('sorts by a column, and reverses the order with a second click', async () => {
    const opened = await open();
    const { page } = opened;
    await questions(opened);
    const header = page.locator('thead button', { hasText: 'Ends' });
    const known: { id: string; endDate: string }[] = await read('/api/markets?limit=150');
    const endOf = new Map(known.map(({ id, endDate }) => [id, Date.parse(endDate)]));
    const dates = async () => {
      const ids = await page
        .locator(ROWS)
        .evaluateAll((rows) => rows.map((row) => row.dataset.id ?? ''));
      return ids.map((id) => endOf.get(id) ?? 0);
    };
    await listAfter(page, /sort=endDate&order=asc/, () => header.click());
    expect(await page.locator('th[aria-sort=ascending]').textContent()).toBe('↑Ends');
    expect(await dates()).toEqual([...(await dates())].sort((a, b) => a - b));
    await listAfter(page, /sort=endDate&order=desc/, () => header.click());
    expect(await page.locator('th[aria-sort=descending]').textContent()).toBe('↓Ends');
    expect(await dates()).toEqual([...(await dates())].sort((a, b) => b - a));
  });

  it('sorts changes by size, then rises first, then falls first, and says its filter', async () => {
    const opened = await open('/', { before: withChanges });
    const { page } = opened;
    await questions(opened);
    await listAfter(page, /sort=move1h/, () => page.locator('.tab', { hasText: 'Movers' }).click());
    const header = page.locator('thead button', { hasText: '7 days' });
    const summary = page.locator('.summary');
    const clicks = [
      { request: /minVolume=10000&sort=move7d/, words: 'largest change over 7 days first' },
      { request: /sort=change7d&order=desc/, words: 'largest rise over 7 days first' },
      { request: /sort=change7d&order=asc/, words: 'largest fall over 7 days first' },
    ];
    for (const { request, words } of clicks) {
      await listAfter(page, request, () => header.click());
      expect(await summary.textContent()).toMatch(
        new RegExp(`over \\$10K, ${words}\\. Known so far for 765 of 2,000 markets; .*\\. ≈ marks`),
      );
    }
    expect(await page.locator('.tab[aria-current]').textContent()).toBe('Movers');
    expect(await page.locator(`${ROWS} td[data-label="7 days"]`).allTextContents()).toEqual(
      expect.arrayContaining(['−59.9 pt', '≈ +47.2 pt', '+12.0 pt']),
    );
    await listAfter(page, /markets\?(?!.*minVolume)/, () =>
      page.locator('select[aria-label=Volume]').selectOption(''),
    );
    expect(await summary.textContent()).not.toContain('with volume');
  });

  it('has views, categories and events that are links', async () => {
    const opened = await open();
    const { page, problems } = opened;
    await questions(opened);
    const views = { Movers: 'move1h', Closing: 'endDate' };
    for (const [label, sort] of Object.entries(views)) {
      const link = page.locator('.tab', { hasText: label });
      await listAfter(page, new RegExp(`sort=${sort}`), () => link.click());
      const shared = await open(String(await link.getAttribute('href')));
      await shared.page.waitForSelector(`.tab[aria-current]:has-text("${label}")`);
      expect(await questions(shared)).toEqual(await questions(opened));
      await shared.context.close();
    }
    await listAfter(page, /category=crypto/, () =>
      page.locator('a.chip', { hasText: 'crypto' }).click(),
    );
    await page.locator('a.chip', { hasText: 'All' }).click();
    await page.locator('.tab', { hasText: 'Events' }).click();
    await page.waitForSelector('.events li .favourite b:has-text("%")');
    expect(await page.locator('.summary').textContent()).toMatch(/^[\d,]+ events/);
    await page.locator('.events .link').first().click();
    await page.waitForSelector('.event h2');
    await page.goBack();
    await page.waitForSelector('.events .link');
    expect(problems).toEqual([]);
  });

  it('gives all found markets as one CSV, and says how Excel opens it', async () => {
    const opened = await open('/?q=will');
    const { page } = opened;
    await questions(opened);
    const total = Number(/^\d+/.exec((await page.locator('.summary h2').textContent()) ?? '')?.[0]);
    expect(total).toBeGreaterThan(50);
    const button = page.locator('.actions button', { hasText: `CSV of these ${total}` });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const rows = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(rows).toHaveLength(1 + total);
    expect(new Set(rows).size).toBe(1 + total);
    await page.waitForSelector('.hint:has-text("In Excel")');
    await page.goto(url());
    await questions(opened);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.actions a', { hasText: 'CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('markets.csv');
    await page.waitForSelector('.hint:has-text("In Excel")');
  });

  it('does not call the largest markets all markets', async () => {
    const status = await read('/api/status');
    const { page } = await open('/', {
      before: (opened) =>
        opened.route(/\/api\/status/, (route) =>
          route.fulfill({ json: { ...status, isCut: true } }),
        ),
    });
    await page.waitForSelector(`.summary h2:has-text("The ${status.markets} largest markets")`);
    expect(await page.locator('.summary').textContent()).not.toMatch(/\ball\b/i);
  });

  it('on a phone is sorted by a choice', async () => {
    const { page } = await open('/', { width: 390, height: 800 });
    await page.waitForSelector(ROWS);
    const sorted = page.waitForResponse(/sort=liquidity&order=desc/);
    await page.locator('.sort-choice').selectOption('liquidity');
    expect((await sorted).status()).toBe(200);
    expect(page.url()).toContain('sort=liquidity');
    // A narrow row has room for one change: the one that sorts, otherwise that of a day.
    const changes = { move7d: '7 days', move1h: '1 hour', probability: '1 day' };
    for (const [sort, change] of Object.entries(changes)) {
      await listAfter(page, new RegExp(`sort=${sort}`), () =>
        page.locator('.sort-choice').selectOption(sort),
      );
      const shown = page.locator(`${ROWS}:first-child .change`).filter({ visible: true });
      // The rows can be those of the order before, whose change is hidden a moment later.
      await shown.and(page.locator(`[data-label="${change}"]`)).waitFor();
      expect(await shown.count()).toBe(1);
    }
  });
});

describe('the first view', () => {
  it('is less than 90 KB with its data, and browsers keep the assets', async () => {
    const finished: Request[] = [];
    const { page } = await open('/', {
      before: async (opened) => opened.on('requestfinished', (request) => finished.push(request)),
    });
    await page.waitForSelector('.spark');
    let bytes = 0;
    for (const request of finished) {
      // The size is negative for a response without a body.
      const { responseBodySize } = await request.sizes();
      bytes += Math.max(0, responseBodySize);
    }
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(90_000);
    const assets = finished.filter((request) => request.url().includes('/assets/'));
    expect(assets.length).toBeGreaterThan(0);
    for (const asset of assets) {
      const response = await asset.response();
      const immutable = 'public, max-age=31536000, immutable';
      expect(await response?.headerValue('cache-control')).toBe(immutable);
    }
  });
});
