import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Watched } from './support/browser.ts';
import { pageService, ROWS, SETTLED } from './support/page-service.ts';

const { open, service } = pageService({ upstream: { markets: 150 } });

async function questions({ page }: Watched): Promise<string[]> {
  await page.waitForSelector(`${SETTLED} ${ROWS.replace('.markets ', '')}`);
  return await page.locator('.markets tbody .question .link').allTextContents();
}

/** Does something that has the list read anew, and waits until it shows what came. */
async function listAfter(page: Page, url: RegExp, act: () => Promise<unknown>): Promise<number> {
  const arrived = page.waitForResponse((response) => url.test(response.url()) && response.ok());
  await act();
  const { length } = await (await arrived).json();
  await page.waitForFunction(
    ([rows, settled, count]) =>
      document.querySelectorAll(rows).length === count && document.querySelector(settled) !== null,
    [ROWS, SETTLED, length] as const,
  );
  return length;
}

describe('the list', () => {
  it('shows the biggest markets first, each number with its unit, and complains of nothing', async () => {
    const watched = await open();
    const { page } = watched;
    const shown = await questions(watched);
    const { json } = await service().call('/api/markets?limit=50');
    expect(shown).toEqual(json.map(({ question }: { question: string }) => question.trim()));
    const cells = await page
      .locator(`${ROWS} td`)
      .evaluateAll((found) => found.map((cell) => cell.textContent?.trim() ?? ''));
    const unitless = cells.filter(
      (text) => !/^–$|^\d[\d.]* %$|pt$|^\$|^in \d+ (min|h|days)$|^[A-Z][a-z]{2} \d{4}$|^overdue$/.test(text),
    );
    expect(unitless).toEqual([]);
    await page.waitForSelector('[data-age]:has-text(" s old")');
    await page.waitForSelector('header .badge:has-text("simulated data")');
    expect(await page.locator('.summary').textContent()).toMatch(/^[\d,]+ markets, by volume/);
    expect(watched.complaints).toEqual([]);
    expect(watched.foreign).toEqual([]);
  });

  it('reads on while one goes down, to the very end', async () => {
    const watched = await open();
    const { page } = watched;
    const total = Number((await service().call('/api/markets?limit=1')).headers.get('x-total-count'));
    await questions(watched);
    for (
      let count = await page.locator(ROWS).count();
      count < total;
      count = await page.locator(ROWS).count()
    ) {
      await page.locator('.more').scrollIntoViewIfNeeded();
      await page.waitForFunction(([rows, before]) => document.querySelectorAll(rows).length > before, [
        ROWS,
        count,
      ] as const);
    }
    expect(await page.locator(ROWS).count()).toBe(total);
    expect(new Set(await questions(watched)).size).toBeGreaterThan(total / 2);
  });

  it('sorts by a column, and the other way round at the second click', async () => {
    const watched = await open();
    await questions(watched);
    const { page } = watched;
    const ends = page.locator('thead button', { hasText: 'Ends' });
    const dates = async () =>
      (
        await page
          .locator(`${ROWS} td[data-label=Ends]`)
          .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title')))
      ).map((date) => Date.parse(String(date)));
    await listAfter(page, /sort=endDate&order=asc/, () => ends.click());
    expect(await page.locator('th[aria-sort=ascending]').textContent()).toBe('Ends');
    const first = await dates();
    expect(first).toEqual([...first].sort((a, b) => a - b));
    await listAfter(page, /sort=endDate&order=desc/, () => ends.click());
    expect(await page.locator('th[aria-sort=descending]').textContent()).toBe('Ends');
    const last = await dates();
    expect(last).toEqual([...last].sort((a, b) => b - a));
  });

  it('searches while one types, gives up what a newer search overtakes, and its address can be shared', async () => {
    const watched = await open();
    const { page } = watched;
    await questions(watched);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.keyboard.press('/');
    await listAfter(page, /q=bitcoin/, () => page.keyboard.type('bitcoin', { delay: 20 }));
    // Debounced: seven keys are not seven requests.
    expect(requests.filter((url) => url.includes('/search')).length).toBeLessThan(4);
    expect(page.url()).toContain('q=bitcoin');
    const shown = await questions(watched);
    expect(await questions(await open(new URL(page.url()).search))).toEqual(shown);

    const overtaken = page.waitForEvent('requestfailed', (request) => request.url().includes('q=ethereum'));
    await page.route(/q=ethereum/, () => undefined); // never responds
    await page.locator('input[type=search]').fill('ethereum');
    await page.waitForRequest(/q=ethereum/);
    await listAfter(page, /q=bitcoin/, () => page.locator('input[type=search]').fill('bitcoin'));
    expect((await overtaken).failure()?.errorText).toBe('net::ERR_ABORTED');
    expect(await questions(watched)).toEqual(shown);
  });

  it('has ready views, categories and events, each a true link', async () => {
    const watched = await open();
    const { page } = watched;
    await questions(watched);
    const views = {
      Movers: /sort=move1d/,
      'Most traded': /sort=volume24h/,
      'Closing soon': /sort=endDate/,
      Newest: /sort=newest/,
    };
    for (const [label, request] of Object.entries(views)) {
      const link = page.locator('.tab', { hasText: label });
      const count = await listAfter(page, request, () => link.click());
      const shared = await open(String(await link.getAttribute('href')));
      if (count > 0) await shared.page.waitForSelector(`.tab[aria-current]:has-text("${label}")`);
      expect(await questions(shared)).toEqual(await questions(watched));
      await shared.context.close();
    }
    await listAfter(page, /category=crypto/, () => page.locator('.chip', { hasText: 'crypto' }).click());
    await page.locator('.chip', { hasText: 'All' }).click();
    await page.locator('.tab', { hasText: 'Events' }).click();
    await page.waitForSelector('.events li .favourite b:has-text(" %")');
    expect(await page.locator('.summary').textContent()).toMatch(/^[\d,]+ events/);
    await listAfter(page, /event=/, () => page.locator('.events .link').first().click());
    await page.goBack();
    await page.waitForSelector('.events .link');
    expect(watched.complaints).toEqual([]);
  });

  it('says that nothing fits', async () => {
    const { page } = await open('/?q=zzzzqqqqxx');
    await page.waitForSelector('.empty:has-text("No market fits")');
  });

  it('gives the call behind it as curl', async () => {
    const { page } = await open('/?view=newest');
    await page.waitForSelector(ROWS);
    await page.locator('.summary button').click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const [, url] = /^curl -s '(http[^']+)'$/.exec(copied) ?? [];
    const listed = (await (await fetch(String(url))).json()) as { question: string }[];
    const first = await page.locator('.markets tbody .question .link').first().textContent();
    expect(listed[0]?.question.trim()).toBe(first);
  });

  it.each([360, 768, 1280, 1920])(
    'fits %d pixels without scrolling sideways, with a market open too',
    async (width) => {
      const { page } = await open('/', { width, height: 800 });
      await page.waitForSelector(ROWS);
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(await overflow()).toBeLessThanOrEqual(0);
      await page.locator('.markets tbody .link').first().click();
      await page.waitForSelector('.detail .depth canvas');
      expect(await overflow()).toBeLessThanOrEqual(0);
      const inside = await page.locator('.detail').evaluate((panel) => panel.scrollWidth - panel.clientWidth);
      expect(inside).toBeLessThanOrEqual(0);
    },
  );
});
