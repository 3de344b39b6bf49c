import { describe, expect, it } from '@jest/globals';
import { cents, percent, signedPoints, usd } from '../../packages/market-page/src/format.ts';
import { accessibilityViolations, BOOK, drawnPixels, LINKS, overflow, pageTests, ROWS } from './support.ts';

const { open, read } = pageTests(60);

/** More pixels than the axes of an empty chart have. */
const A_CURVE = 1_500;

describe('a market', () => {
  it('opens with its history and order book, and closes with Escape', async () => {
    const { page, problems, foreign } = await open();
    const question = await page.locator(LINKS).first().textContent();
    await page.locator(LINKS).first().click();
    await page.waitForURL(/\/market\//);
    await page.waitForSelector('.detail .history canvas');
    await page.waitForSelector(BOOK);
    expect(await page.locator('.detail h2').textContent()).toBe(question);
    expect(await page.title()).toContain(String(question));
    expect(await drawnPixels(page, '.detail .history canvas')).toBeGreaterThan(A_CURVE);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.detail', { state: 'detached' });
    expect({ problems, foreign }).toEqual({ problems: [], foreign: [] });
  });

  it('has five intervals, and describes the point below the pointer', async () => {
    const { page } = await open('/', { width: 1280 });
    await page.locator(LINKS).first().click();
    await page.waitForSelector('.detail .history canvas');
    for (const [label, interval] of Object.entries({ '1 day': '1d', '1 month': '1m', '3 months': '3m', Max: 'max' })) {
      await page.locator('.detail .chip', { hasText: label }).click();
      await page.waitForSelector(`.detail .calls code:has-text("interval=${interval}")`);
      expect(await drawnPixels(page, '.detail .history canvas')).toBeGreaterThan(A_CURVE);
    }
    await page.locator('.detail .history .u-over').hover();
    await page.waitForSelector('.history .reading:has-text(": ")');
    expect(await page.locator('.history .reading').textContent()).toMatch(/^\w{3} \d+, \d{4}, \d\d:\d\d: [\d.]+ %$/);
  });

  it('shows the numbers of the API: both outcomes, changes, amounts, history and book', async () => {
    const [{ slug }] = await read('/api/markets?limit=1&sort=volume24h');
    const market = await read(`/api/markets/${slug}`);
    const { page } = await open(`/?market=${slug}`, { height: 2_000 });
    await page.waitForSelector(BOOK);
    await page.waitForSelector('.detail .history canvas');
    await page.waitForSelector('.detail .large small b');
    const calls = await page.locator('.detail .calls code').allTextContents();
    const [, history, book] = await Promise.all(
      calls.map(async (call) => (await fetch(call.split("'")[1] ?? '')).json()),
    );
    const [no] = market.outcomes.filter(({ tokenId }: { tokenId: string }) => tokenId !== market.clobTokenId);
    const facts = Object.fromEntries(
      await page
        .locator('.facts > div')
        .evaluateAll((all) => all.map((one) => [one.children[0]?.textContent, one.children[1]?.textContent])),
    );
    expect(await page.locator('.large .bar b').textContent()).toBe(percent(market.currentProbability));
    expect(await page.locator('.large small b').textContent()).toBe(percent(no.probability));
    expect(facts).toMatchObject({
      '1-day change': signedPoints(market.oneDayPriceChange),
      '7-day change': signedPoints(market.sevenDayPriceChange),
      '30-day change': signedPoints(market.thirtyDayPriceChange),
      Volume: usd(market.volume),
      'Volume in 24 h': usd(market.volume24h),
      Liquidity: usd(market.liquidity),
      Spread: cents(market.spread),
    });
    const prices: number[] = history.history.map(({ p }: { p: number }) => p * 100);
    expect(await page.locator('.history .reading').textContent()).toBe(
      `${percent(prices[0])} → ${percent(prices.at(-1))} · lowest ${percent(Math.min(...prices))}, highest ${percent(Math.max(...prices))}`,
    );
    const [bid, ask] = [Number(book.bids[0].price), Number(book.asks[0].price)];
    expect(ask).toBeGreaterThan(bid);
    expect(await page.locator('.quote').textContent()).toBe(
      `Midpoint ${cents((bid + ask) / 2)} · spread ${cents(ask - bid)}`,
    );
    for (const side of ['bids', 'asks'] as const) {
      const cells = await page.locator(`.ladder .${side} tbody tr:first-child td`).allTextContents();
      const { price, size } = book[side][0];
      expect([Number.parseFloat(cells[0] ?? ''), cells[1]]).toEqual([
        Number((price * 100).toFixed(2)),
        Math.round(size).toLocaleString('en'),
      ]);
    }
  });

  it('offers its ids and API calls to copy, and the calls work', async () => {
    const { page } = await open();
    await page.locator(LINKS).first().click();
    await page.waitForSelector(BOOK);
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
    await page.waitForSelector(BOOK);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('opens and closes with the keyboard, and returns the focus', async () => {
    const { page } = await open();
    await page.waitForSelector(ROWS);
    await page.locator(LINKS).nth(3).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.detail h2:focus');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('class')).toBe('plain');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.detail', { state: 'detached' });
    const link = page.locator(LINKS).nth(3);
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it.each(['/', '/?view=events', 'event', 'market'])(
    '%s fits a phone with text of 200 %, and can be pressed',
    async (path) => {
      const [market] = await read('/api/markets?limit=1&fields=all');
      const address = { event: `/?event=${market.eventSlug}`, market: `/?market=${market.slug}` }[path] ?? path;
      const { page } = await open(address, { width: 390, height: 800 });
      await page.waitForSelector(path === 'market' ? BOOK : path === '/?view=events' ? '.favourite' : ROWS);
      const small = await page
        .locator('button, select, input, .tab, .chip, a.small, .reference')
        .evaluateAll((all) =>
          all
            .filter(
              (one) => one.checkVisibility() && !one.closest('[inert]') && one.getBoundingClientRect().height < 40,
            )
            .map((one) => one.outerHTML),
        );
      expect(small).toEqual([]);
      const inputs = await page
        .locator('input, select')
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).fontSize));
      expect(inputs.filter((size) => Number.parseFloat(size) < 16)).toEqual([]);
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '32px';
      });
      expect(Math.max(...(await overflow(page)))).toBe(0);
    },
  );

  it.each([
    ['resolved', 'Resolved Nov 20, 2026: Up pays 100 ¢, Down pays 0 ¢.'],
    ['closed', 'Closed Nov 20, 2026, not resolved yet (proposed). The last price of “Up” was 93.0 %.'],
  ])('that is %s says how it ended, and has no order book', async (status, words) => {
    const [{ slug }] = await read('/api/markets?limit=1');
    const market = await read(`/api/markets/${slug}`);
    const payouts = ['Up', 'Down'].map((label, n) => ({ label, tokenId: String(n), payout: 1 - n }));
    const resolution = status === 'resolved' ? { status, payouts } : { status: 'proposed' };
    const ended = { currentProbability: 93, outcome: 'Up', closedAt: '2026-11-20T12:00:00Z', status, resolution };
    const { page, problems } = await open(`/?market=${slug}`, {
      before: (opened) =>
        opened.route(new RegExp(`/api/markets/${slug}`), (route) => route.fulfill({ json: { ...market, ...ended } })),
    });
    await page.waitForSelector('.detail .calls code:has-text("interval=max")');
    expect(await page.locator('.ended').textContent()).toBe(words);
    expect(await page.locator('.facts dt').last().textContent()).toBe('End date');
    expect(await page.locator('.book, .large').count()).toBe(0);
    expect(await page.title()).toBe(`${market.question} · Prediction markets`);
    expect(problems).toEqual([]);
  });

  it('follows a finger over its chart', async () => {
    const { page } = await open('/', { width: 390, height: 800 });
    await page.locator(LINKS).first().click();
    await page.waitForSelector('.detail .history canvas');
    const readings: (string | null)[] = [];
    for (const share of [0.2, 0.8]) {
      await page.locator('.history .u-over').evaluate((over, at) => {
        const { left, top, width } = over.getBoundingClientRect();
        const clientX = left + width * at;
        over.dispatchEvent(
          new PointerEvent('pointermove', { bubbles: true, pointerType: 'touch', clientX, clientY: top + 9 }),
        );
      }, share);
      await page.waitForFunction((before) => {
        const text = document.querySelector('.history .reading')?.textContent ?? '';
        return /\d\d:\d\d: /.test(text) && text !== before;
      }, readings.at(-1));
      readings.push(await page.locator('.history .reading').textContent());
    }
    expect(new Set(readings).size).toBe(2);
  });

  it('on a phone covers the list, also for the keyboard', async () => {
    const { page } = await open('/', { width: 390, height: 800 });
    await page.locator(LINKS).nth(2).click();
    await page.waitForSelector(BOOK);
    expect(await accessibilityViolations(page)).toEqual([]);
    const isInert = () => page.locator('section.list').evaluate((list) => (list as HTMLElement).inert);
    expect(await isInert()).toBe(true);
    await page.locator('.detail .close').click();
    await page.waitForSelector('.detail', { state: 'detached' });
    expect(await isInert()).toBe(false);
  });
});
