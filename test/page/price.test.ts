import { describe, expect, it } from '@jest/globals';
import { overflow } from './measures.ts';
import { BOOK, fail, LINKS, pageTests, ROWS } from './support.ts';

// The price and the order book of an open market: the page says where each comes from and how old
// it is, above all when it could not be read.

const { open, read } = pageTests({ markets: 60 });

describe('the price of a market', () => {
  it('says its source and its age if it is not of this minute', async () => {
    const [{ slug }] = await read('/api/markets?limit=1');
    const { page } = await open(`/?market=${slug}`, {
      before: (opened) =>
        opened.route(new RegExp(`/api/markets/${slug}`), async (route) => {
          const response = await route.fetch();
          const asOf = Date.parse(response.headers()['last-modified'] ?? '');
          // The service could not read the price, so it published the earlier one again.
          const priced = {
            priceSource: 'carried',
            pricedAt: new Date(asOf - 240_000).toISOString(),
          };
          await route.fulfill({ response, json: { ...(await response.json()), ...priced } });
        }),
    });
    // At first the panel shows the market as the list has it, so this waits.
    await page.waitForSelector('.source:has-text("4 min before the list")');
    expect(await page.locator('.source').textContent()).toContain('could not be read');
  });

  it.each([
    { simulated: true, words: 'Simulated price', origin: 'Simulated prices' },
    { simulated: false, words: 'Price of Polymarket', origin: 'Prices of Polymarket' },
  ])(
    'on a phone says whose price it is, and how old: simulated $simulated',
    async ({ simulated, words, origin }) => {
      const [{ slug }] = await read('/api/markets?limit=1');
      const { page } = await open(`/market/${slug}`, {
        width: 390,
        before: (opened) =>
          opened.route(/\/api\/status/, async (route) => {
            const response = await route.fetch();
            await route.fulfill({ response, json: { ...(await response.json()), simulated } });
          }),
      });
      await page.waitForSelector(`.detail .source:has-text("${words}")`);
      expect(await page.locator('.source').textContent()).toMatch(
        new RegExp(`^${words}, \\d+ (s|min) old\\. *$`),
      );
      expect(await page.locator('.detail .origin').textContent()).toContain(origin);
      expect(await page.locator('.detail a:has-text("Polymarket ↗")').count()).toBe(
        simulated ? 0 : 1,
      );
    },
  );
});

describe('the order book of a market', () => {
  it('is read after a second, with one scale for both sides', async () => {
    const { page, requests } = await open('/', { height: 2_000, clock: true });
    const books = () => requests.filter((url) => url.includes('/order-book')).length;
    await page.waitForSelector(ROWS);
    // The test moves the stopped clock. Each market is open for 0.8 s, less than a second.
    await page.clock.pauseAt(Date.now() + 1_000);
    for (const n of [1, 2, 0]) {
      const question = String(await page.locator(LINKS).nth(n).textContent());
      await page.locator(LINKS).nth(n).click();
      await page.waitForSelector(`.detail h2:has-text(${JSON.stringify(question)})`);
      await page.clock.runFor(800);
    }
    expect(books()).toBe(0);
    await page.clock.resume();
    await page.waitForSelector(BOOK);
    expect(books()).toBe(1);
    // The bar of a level has this share of the width, in percent.
    const bars = await page.locator('.ladder tbody tr').evaluateAll((all) =>
      all.map((row) => ({
        share: Number.parseFloat((row as HTMLElement).style.getPropertyValue('--share')),
        size: Number(row.children[1]?.textContent?.replaceAll(',', '')),
      })),
    );
    const largest = Math.max(...bars.map(({ size }) => size));
    for (const { share, size } of bars)
      expect(Math.abs(share - (size / largest) * 100)).toBeLessThan(5);
  });

  it('is not called live if it cannot be read, and keeps its time', async () => {
    const { page } = await open('/', { clock: true, height: 1_600 });
    await page.locator('.markets .link').first().click();
    await page.waitForSelector('.book h3 small:has-text("live · read at")');
    await page.route(/\/api\/clob\//, fail(502, 'upstream_unavailable'));
    await page.clock.runFor(11_000);
    await page.waitForSelector(
      '.detail .status[data-kind=upstream]:has-text("cannot read the order book")',
    );
    const state = async () => (await page.locator('.book h3 small').textContent()) ?? '';
    const before = await state();
    expect(before).toMatch(/^not live · read at \d\d:\d\d:\d\d$/);
    const again = page.waitForResponse(/order-book/);
    await page.clock.runFor(11_000);
    await again;
    expect(await state()).toBe(before);
    expect(await page.locator('.ladder .bids td').first().textContent()).toMatch(/¢/);
  });

  it('that was never read has the shares at the best prices of the list', async () => {
    const [market] = await read('/api/markets?limit=1&fields=all');
    const best = { bestBid: 0.41, bidSize: 1_200.4, bestAsk: 0.425, askSize: 30 };
    const { page } = await open(`/market/${market.slug}`, {
      width: 320,
      before: async (opened) => {
        await opened.route(/\/order-book/, fail(502, 'upstream_unavailable'));
        await opened.route(`**/api/markets/${market.slug}`, (route) =>
          route.fulfill({ json: { ...market, ...best, status: 'active' } }),
        );
      },
    });
    await page.locator('.book').scrollIntoViewIfNeeded();
    await page.waitForSelector('.book .quote:has-text("could not be read yet")');
    expect(await page.locator('.book .cost').textContent()).toMatch(
      /^Best in the list: 1,200 shares at 41\s¢ bid · 30 shares at 42\.5\s¢ ask\.$/,
    );
    expect(Math.max(...(await overflow(page)))).toBe(0);
  });

  it('is said to be missing if there is none', async () => {
    const [market] = await read('/api/markets?limit=1');
    const { page } = await open('/', {
      height: 1_600,
      before: (opened) => opened.route(/\/api\/clob\//, fail(404, 'no_order_book')),
    });
    await page.locator('.markets .link').first().click();
    await page.waitForSelector(
      '.book .quote:has-text("Polymarket has no order book for this market.")',
    );
    expect(await page.locator('.detail h2').textContent()).toBe(market.question);
    expect(await page.locator('.waits').count()).toBe(0);
  });
});
