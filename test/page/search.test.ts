import { describe, expect, it } from '@jest/globals';
import { percent } from '../../packages/market-page/src/format.ts';
import { listAfter, pageTests, questions, ROWS, SETTLED } from './support.ts';

// The search field above the list. Its results take the place of the list during typing, without
// Enter, and the address of the page has the search as `q`.

const { open, read, url } = pageTests({ markets: 150 });

describe('a search', () => {
  it('runs during typing, aborts an older one, and has an address that shows the same', async () => {
    const opened = await open();
    const { page, requests } = opened;
    await questions(opened);
    await page.locator('input[type=search]').focus();
    await listAfter(page, /q=will/, () => page.keyboard.type('will', { delay: 20 }));
    // Fewer requests than letters.
    expect(requests.filter((request) => request.includes('/search')).length).toBeLessThan(4);
    const shown = await questions(opened);
    expect(await questions(await open(new URL(page.url()).search))).toEqual(shown);

    const aborted = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('q=ethereum'),
    );
    await page.route(/q=ethereum/, () => undefined); // never responds
    await page.locator('input[type=search]').fill('ethereum');
    await page.waitForRequest(/q=ethereum/);
    await listAfter(page, /q=will/, () => page.locator('input[type=search]').fill('will'));
    expect((await aborted).failure()?.errorText).toBe('net::ERR_ABORTED');
    expect(await questions(opened)).toEqual(shown);
  });

  it('has its events above its rows, with the same filters', async () => {
    const search = 'q=will&category=election';
    const found = await read(`/api/events?${search}&limit=4`);
    // An event of one market is only a row.
    const expected = found.filter(({ markets }: { markets: number }) => markets > 1);
    const titles = expected.map(({ title }: { title: string }) => title);
    expect(titles.length).toBeGreaterThan(0);
    const { page, requests } = await open(`/?${search}`);
    const cards = page.locator('.found .events .link');
    await cards.first().waitFor();
    expect(await cards.allTextContents()).toEqual(titles);
    const favourite = percent(expected[0].topMarkets[0].currentProbability);
    expect(await page.locator('.found .favourite').first().textContent()).toContain(favourite);
    const [request = ''] = requests.filter((address) => address.includes('/api/events?'));
    expect(new URL(request).searchParams.get('category')).toBe('election');
    await cards.first().click();
    await page.waitForSelector(`.event h2:has-text(${JSON.stringify(titles[0])})`);
  });

  it('keeps a place for its events, so that its rows stay where they are', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { page } = await open('/?q=election', {
      before: (opened) =>
        opened.route(/api\/events\?/, async (route) => {
          await released;
          await route.continue();
        }),
    });
    const top = async () => Math.round((await page.locator(ROWS).first().boundingBox())?.y ?? 0);
    await page.waitForSelector(`${SETTLED} tbody tr:not(.placeholder)`);
    await page.waitForSelector('.found .waits');
    const before = await top();
    release();
    await page.locator('.found .events .link').first().waitFor();
    expect(await top()).toBe(before);
  });

  it('says when no market matches', async () => {
    const { page } = await open('/?q=zzzzqqqqxx');
    await page.waitForSelector('.empty:has-text("No market matches “zzzzqqqqxx”")');
    await page.goto(`${url()}/?q=zzzzqqqqxx&category=crypto`);
    await page.waitForSelector('.empty:has-text("in the category “crypto”")');
    const withoutCategory = page.waitForRequest(
      (request) => /search/.test(request.url()) && !/category/.test(request.url()),
    );
    await page.locator('.empty .small', { hasText: 'all categories' }).click();
    await withoutCategory;
  });

  it('says so if the service found only markets with some of its words', async () => {
    const { page } = await open('/?q=will', {
      before: (opened) =>
        opened.route(/search/, async (route) => {
          const response = await route.fetch();
          return route.fulfill({
            response,
            headers: { ...response.headers(), 'x-search-match': 'any' },
          });
        }),
    });
    await page.waitForSelector('.summary:has-text("with some words of “will”, none has all")');
  });
});
