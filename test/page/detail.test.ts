import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  cents,
  dateTime,
  dollars,
  percent,
  signedPoints,
  usd,
} from '../../packages/market-page/src/format.ts';
import { tradeOf } from '../../packages/market-page/src/state/trade.ts';
import { accessibilityViolations } from './measures.ts';
import { LINKS, pageTests, ROWS, showBook } from './support.ts';

// The page shows an open market in a panel: its price, history, order book and rules. The tests
// compare them with the API of the same service.

const { open, read } = pageTests({ markets: 60 });

/** The addresses of the API calls that an open market offers: of it, its history and its book. */
async function callsOf(page: Page): Promise<string[]> {
  const texts = await page.locator('.detail .developers code').allTextContents();
  return texts.flatMap((text) => /'(http[^']+)'/.exec(text)?.[1] ?? []);
}

/** Opens the market of highest volume in 24 hours, with its order book in view. */
async function openMostTraded() {
  const [{ slug }] = await read('/api/markets?limit=1&sort=volume24h');
  const market = await read(`/api/markets/${slug}`);
  const opened = await open(`/?market=${slug}`, { height: 2_000 });
  await showBook(opened.page);
  return { ...opened, market };
}

describe('a market', () => {
  it('has the rules of Polymarket', async () => {
    const [{ id, slug }] = await read('/api/markets?limit=1');
    const { description } = await read(`/api/markets/${id}/rules`);
    const { page } = await open(`/market/${slug}`, { height: 2_000 });
    const rules = page.locator('.rules p').first();
    await page.locator('.rules button', { hasText: 'Show the rules' }).click();
    await page.waitForSelector('.rules h3:has-text("read")');
    expect(await rules.textContent()).toBe(description);
  });

  it('shows no HTML of the rules, links only to their source, and folds them', async () => {
    const source = 'https://example.com/a?b=1';
    const rulesWithHtml = {
      question: 'Q',
      resolutionSource: source,
      readAt: '2026-11-23T12:00:00Z',
      description: `<b>Yes</b> if (${source}).\n${'more\n'.repeat(8)}javascript:alert(1)`,
    };
    const [{ id, slug }] = await read('/api/markets?limit=1');
    const { page } = await open(`/market/${slug}`, {
      height: 2_000,
      before: (opened) =>
        opened.route(/\/rules$/, (route) => route.fulfill({ json: { id, ...rulesWithHtml } })),
    });
    const rules = page.locator('.rules p').first();
    await page.locator('.rules button', { hasText: 'Show the rules' }).click();
    await page.waitForSelector('.rules button:has-text("All rules")');
    const height = async () => (await rules.boundingBox())?.height ?? 0;
    const folded = await height();
    await page.locator('.rules button').click();
    expect(await height()).toBeGreaterThan(1.5 * folded);
    expect(await page.locator('.rules b').count()).toBe(0);
    const links = await page
      .locator('.rules a')
      .evaluateAll((all) =>
        all.map((one) => ({ href: one.getAttribute('href'), rel: one.getAttribute('rel') })),
      );
    const link = { href: source, rel: 'noopener nofollow' };
    // The text has the link once, and the line after it names the source again.
    expect(links).toEqual([link, link]);
  });

  it('shows the probabilities of both outcomes, which add up to 100 %', async () => {
    const { page, market } = await openMostTraded();
    await page.waitForSelector('.detail .other b');
    const isNo = ({ tokenId }: { tokenId: string }) => tokenId !== market.clobTokenId;
    const no = market.outcomes.find(isNo);
    const large = page.locator('.large > :first-child');
    expect(await large.locator('b').textContent()).toBe(percent(market.currentProbability));
    expect(await large.textContent()).toContain(
      `${signedPoints(market.oneDayPriceChange)} in 24 h`,
    );
    const first = Number.parseFloat((await large.locator('b').textContent()) ?? '');
    const other = Number.parseFloat((await page.locator('.other b').textContent()) ?? '');
    expect(first + other).toBeCloseTo(100, 6);
    // The page rounds to one decimal: by at most 0.05.
    expect(Math.abs(other - no.probability)).toBeLessThan(0.051);
    // The line ends with the price above it, which is newer than the history.
    await page.waitForSelector('.detail .history canvas');
    expect(await page.locator('.end-label').textContent()).toBe(percent(market.currentProbability));
  });

  it('shows the changes and amounts of the API', async () => {
    const { page, market, problems } = await openMostTraded();
    const facts = await page
      .locator('.facts > div')
      .evaluateAll((all) =>
        all.map((one) => [one.children[0]?.textContent, one.children[1]?.textContent]),
      );
    expect(Object.fromEntries(facts)).toMatchObject({
      '1-hour change': signedPoints(market.oneHourPriceChange),
      '7-day change': signedPoints(market.sevenDayPriceChange),
      '30-day change': signedPoints(market.thirtyDayPriceChange),
      Volume: usd(market.volume),
      'Volume in 24 h': usd(market.volume24h),
      Liquidity: usd(market.liquidity),
      Spread: cents(market.spread),
    });
    expect(problems).toEqual([]);
  });

  it('shows the best prices of its book, and what a trade of 1,000 shares costs', async () => {
    const { page, market } = await openMostTraded();
    const [, , bookAddress = ''] = await callsOf(page);
    const book = await (await fetch(bookAddress)).json();
    const [bid, ask] = [Number(book.bids[0].price), Number(book.asks[0].price)];
    expect(ask).toBeGreaterThan(bid);
    expect(await page.locator('.quote').textContent()).toBe(
      `Midpoint ${cents((bid + ask) / 2)} · spread ${cents(ask - bid)}`,
    );
    const [cost, proceeds] = [tradeOf(book.asks, 1_000), tradeOf(book.bids, 1_000)];
    const shares = `1,000 shares of ${market.outcome ?? 'Yes'}`;
    expect(await page.locator('.cost span').allTextContents()).toEqual([
      `Buying ${shares} costs ${dollars(cost.usd)} before fees, ${cents(cost.usd / 1_000)} each.`,
      `Selling ${shares} brings ${dollars(proceeds.usd)} before fees, ` +
        `${cents(proceeds.usd / 1_000)} each.`,
    ]);
  });

  it('offers its ids and API calls to copy, and the calls work', async () => {
    const { page } = await open();
    await page.locator(LINKS).first().click();
    await showBook(page);
    expect(await page.locator('.developers dl').last().isVisible()).toBe(false);
    await page.locator('.detail .developers summary').click();
    /** What a button copies: 0 and 1 the ids, 2 to 4 the calls. */
    const copiedBy = async (button: number) => {
      await page.locator('.detail .developers button').nth(button).click();
      return await page.evaluate(() => navigator.clipboard.readText());
    };
    const [market] = await read('/api/markets?limit=1');
    expect(await copiedBy(0)).toEqual(market.id);
    expect(await copiedBy(1)).toEqual(market.clobTokenId);
    const calls = await callsOf(page);
    const addresses = calls.map((call) => new URL(call));
    expect(addresses.map(({ pathname }) => pathname)).toEqual([
      expect.stringMatching(/^\/api\/markets\/./),
      '/api/clob/prices-history',
      '/api/clob/order-book',
    ]);
    expect(await copiedBy(3)).toBe(`curl -s '${calls[1]}'`);
    for (const address of addresses) expect((await fetch(address)).status).toBe(200);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('opens and closes with the keyboard, and gives the focus back to its row', async () => {
    const { page } = await open();
    await page.waitForSelector(ROWS);
    await page.locator(LINKS).nth(3).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.detail h2:focus');
    // The heading is followed by the link to the market's event.
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('class')).toBe('plain');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.detail', { state: 'detached' });
    const link = page.locator(LINKS).nth(3);
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it.each([
    {
      status: 'resolved',
      resolution: {
        status: 'resolved',
        payouts: [
          { label: 'Up', tokenId: '0', payout: 1 },
          { label: 'Down', tokenId: '1', payout: 0 },
        ],
      },
      words: 'Resolved Nov 20, 2026: Up pays 100\u00a0¢, Down pays 0\u00a0¢.',
    },
    {
      status: 'closed',
      resolution: { status: 'proposed' },
      words: `Closed Nov 20, 2026, not resolved yet (proposed). The last price of “Up” was ${percent(93)}.`,
    },
  ])(
    'that is $status says how it ended, and has no order book',
    async ({ status, resolution, words }) => {
      const [{ slug }] = await read('/api/markets?limit=1');
      const market = await read(`/api/markets/${slug}`);
      const ended = {
        currentProbability: 93,
        outcome: 'Up',
        closedAt: '2026-11-20T12:00:00Z',
        status,
        resolution,
      };
      const { page, problems } = await open(`/?market=${slug}`, {
        before: (opened) =>
          opened.route(new RegExp(`/api/markets/${slug}`), (route) =>
            route.fulfill({ json: { ...market, ...ended } }),
          ),
      });
      await page.waitForSelector('.detail .chart[aria-busy=false]');
      const [, historyAddress = ''] = await callsOf(page);
      const created = Date.parse(market.createdAt) / 1_000;
      expect(new URL(historyAddress).searchParams.get('startTs')).toBe(String(created));
      expect(await page.locator('.detail .mark').textContent()).toBe(
        `Closed ${dateTime('2026-11-20T12:00:00Z')}`,
      );
      expect(await page.locator('.ended').textContent()).toBe(words);
      expect(await page.locator('.facts dt').last().textContent()).toBe('End date');
      expect(await page.locator('.book, .large').count()).toBe(0);
      expect(await page.title()).toBe(`${market.question} · Prediction markets`);
      expect(problems).toEqual([]);
    },
  );

  it('on a phone covers the list, also for the keyboard', async () => {
    const { page } = await open('/', { width: 390, height: 800 });
    await page.locator(LINKS).nth(2).click();
    await page.waitForSelector('.detail');
    const isInert = () =>
      page.locator('section.list').evaluate((list) => (list as HTMLElement).inert);
    expect(await isInert()).toBe(true);
    await page.locator('.detail .close').click();
    await page.waitForSelector('.detail', { state: 'detached' });
    expect(await isInert()).toBe(false);
  });

  it('that opens by its link on a phone reads the first screen only after it is closed', async () => {
    const [{ slug }] = await read('/api/markets?limit=1');
    const { page, requests } = await open(`/market/${slug}`, { width: 390, height: 800 });
    const events = () => requests.filter((url) => url.includes('/api/events?')).length;
    await page.waitForSelector('.detail .history canvas');
    await page.waitForSelector('.detail .siblings .link, .detail .book');
    expect(events()).toBe(0);
    await page.locator('.detail .close').click();
    await page.waitForSelector('.today .events .link');
    expect(events()).toBe(1);
  });
});
