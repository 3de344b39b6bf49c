import { describe, expect, it } from '@jest/globals';
import { date, percent, usd } from '../../packages/market-page/src/format.ts';
import { drawnPixels, LINKS, pageTests, ROWS, showBook } from './support.ts';

const { open, read } = pageTests(300);

/** Requests for the histories of several outcomes, a month long. */
const MONTHS = /\/prices-histories\?.*interval=1m/;

/** The event of most volume whose outcomes exclude each other, with its markets. */
async function exclusiveEvent() {
  const events: { slug: string; markets: number }[] = await read('/api/events?limit=50');
  for (const { slug, markets } of events) {
    const rows = await read(`/api/markets?event=${slug}&fields=all&sort=probability`);
    if (markets > 5 && rows.every(({ negRisk }: { negRisk?: boolean }) => negRisk))
      return { slug, rows };
  }
  throw new Error('The simulator has no such event.');
}

describe('an event', () => {
  it('opens by its link: name, amounts, sum, outcomes by short name, and one chart of five from one request', async () => {
    const { slug, rows } = await exclusiveEvent();
    const { page, problems, requests } = await open(`/?event=${slug}`);
    await page.waitForSelector('.event canvas');
    const sum = (name: string) =>
      rows.reduce((all: number, row: Record<string, number>) => all + (row[name] ?? 0), 0);
    expect(await page.locator('.event h2').textContent()).toBe(rows[0].eventTitle);
    expect(await page.title()).toBe(`${rows[0].eventTitle} · Prediction markets`);
    const facts = (await page.locator('.event .facts').textContent()) ?? '';
    const last = rows
      .map(({ endDate }: { endDate: string }) => endDate)
      .sort()
      .at(-1);
    expect(facts).toContain(`${usd(sum('volume'))} volume`);
    expect(facts).toContain(`${usd(sum('volume24h'))} in 24 h`);
    expect(facts).toContain(date(last));
    expect(facts).toContain(
      `the ${rows.length} listed outcomes add up to ${percent(sum('currentProbability'))}`,
    );
    const names = rows.map((row: Record<string, string>) => row.groupItemTitle ?? row.question);
    expect(await page.locator(LINKS).allTextContents()).toEqual(names);
    // The head says the end that all rows have.
    expect(await page.locator('.markets .date').count()).toBe(0);
    // The prices of the rows below: the lines end with them.
    const chosen = rows
      .slice(0, 5)
      .map((row: Record<string, number>) => percent(row.currentProbability));
    expect(await page.locator('.legend [aria-pressed=true] span').allTextContents()).toEqual(
      names.slice(0, 5),
    );
    expect(await page.locator('.legend [aria-pressed=true] b').allTextContents()).toEqual(chosen);
    expect(await page.locator('.end-label span').allTextContents()).toEqual(names.slice(0, 5));
    expect(await page.locator('.end-label b').allTextContents()).toEqual(chosen);
    expect(await drawnPixels(page, '.event canvas')).toBeGreaterThan(1_500);
    expect(requests.filter((url) => MONTHS.test(url))).toHaveLength(1);
    await page.locator('.event .plain', { hasText: 'All events' }).click();
    await page.waitForSelector('.events .favourite');
    expect(problems).toEqual([]);
  });

  it.each([1440, 390])(
    'has labels that do not overlap and are not cut, at %d pixels',
    async (width) => {
      const { slug } = await exclusiveEvent();
      const { page } = await open(`/?event=${slug}`, { width });
      await page.waitForSelector('.event .end-label');
      await page.getByRole('button', { name: '0–100%' }).click();
      const boxes = async () =>
        page
          .locator('.end-label')
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      const [card] = await page
        .locator('.event')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      const labels: DOMRect[] = (await boxes()).sort((a: DOMRect, b: DOMRect) => a.top - b.top);
      expect(labels).toHaveLength(5);
      for (const [n, { right, top }] of labels.entries()) {
        expect(right).toBeLessThanOrEqual(card ?? 0);
        expect(top).toBeGreaterThanOrEqual((labels[n - 1]?.bottom ?? 0) - 0.5);
      }
    },
  );

  it('adds and removes lines by a click, and has the whole life of each', async () => {
    const { slug, rows } = await exclusiveEvent();
    const { page, requests } = await open(`/?event=${slug}`);
    await page.waitForSelector('.event .end-label');
    const names = () => page.locator('.end-label span').allTextContents();
    const name = (n: number) => rows[n].groupItemTitle ?? rows[n].question;
    await page.locator('.legend .chip').nth(5).click();
    await page.waitForFunction(() => document.querySelectorAll('.end-label').length === 6);
    await page.locator('.legend .chip').nth(0).click();
    await page.waitForFunction(() => document.querySelectorAll('.end-label').length === 5);
    expect(await names()).toEqual([1, 2, 3, 4, 5].map(name));
    expect(requests.filter((url) => MONTHS.test(url))).toHaveLength(3);
    const whole = page.waitForResponse((one) => one.url().includes('interval=max'));
    await page.getByRole('button', { name: 'Whole life' }).click();
    const { history } = await (await whole).json();
    await page.waitForSelector('.event .chart[aria-busy=false]');
    await page.locator('.event .u-over').hover({ position: { x: 1, y: 100 } });
    const first = new Date(history[0].t * 1_000).toLocaleString('en', {
      year: 'numeric',
      month: 'short',
    });
    expect(await page.locator('.tip time').textContent()).toContain(first.split(' ')[0]);
    // Not every line has begun there, because histories begin up to some hours apart.
    await page.locator('.event .u-over').hover();
    await page.waitForFunction(() => document.querySelectorAll('.tip p').length === 5);
  });

  it('is named in the panel of its markets, with their rank and their siblings', async () => {
    const { slug, rows } = await exclusiveEvent();
    const rank = rows.length - 1;
    const { page, requests } = await open(`/?market=${rows[rank].slug}`);
    await page.waitForSelector('.siblings .link');
    expect(await page.locator('.siblings h3').textContent()).toContain(
      `Rank ${rank + 1} of ${rows.length}`,
    );
    expect(await page.locator('.siblings .link').allTextContents()).toEqual(
      [...rows.slice(0, 5), rows[rank]].map(
        (row: Record<string, string>) => row.groupItemTitle ?? row.question,
      ),
    );
    expect(await page.locator('.siblings .rank').allTextContents()).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      `${rank + 1}`,
    ]);
    expect(await page.locator('.siblings [aria-current]').textContent()).toBe(
      rows[rank].groupItemTitle,
    );
    await page.locator('.detail .of .plain').click();
    await page.waitForURL(new RegExp(`event[=/]${slug}`));
    await page.waitForSelector('.event h2');
    // From here on the list has the outcomes.
    requests.length = 0;
    await page.locator(LINKS).nth(2).click();
    await page.waitForSelector('.siblings h3:has-text("Rank 3 of")');
    await showBook(page);
    expect(
      requests.filter((url) => url.includes('/api/markets?') && url.includes('event=')),
    ).toEqual([]);
  });
});

describe('the lines of the last seven days', () => {
  it.each([390, 1440])(
    'come for the rows in view, without moving anything, and are kept, at %d pixels',
    async (width) => {
      const { page, requests } = await open('/', {
        width,
        before: (opened) =>
          opened.addInitScript(() => {
            Object.assign(globalThis, { shift: 0 });
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
                Object.assign(globalThis, {
                  shift: (globalThis as unknown as { shift: number }).shift + entry.value,
                });
            }).observe({ type: 'layout-shift', buffered: true });
          }),
      });
      await page.waitForSelector('.today .spark', { state: 'attached' });
      await page.waitForSelector(ROWS);
      expect(
        await page.evaluate(() => (globalThis as unknown as { shift: number }).shift),
      ).toBeLessThan(0.01);
      for (const n of [25, 45]) {
        await page.locator(ROWS).nth(n).scrollIntoViewIfNeeded();
        await page.waitForSelector(`${ROWS}:nth-child(${n + 1}) .spark`, { state: 'attached' });
      }
      expect(await page.locator(`${ROWS}:nth-child(26) .spark`).count()).toBe(1);
      await page.locator('.tab', { hasText: 'Movers' }).click();
      await page.waitForSelector('.tab[aria-current]:has-text("Movers")');
      await page.goBack();
      await page.waitForSelector(`${ROWS}:nth-child(26) .spark`, { state: 'attached' });
      const histories = requests.filter((url) => url.includes('/prices-histories?'));
      const tokens = histories.flatMap(
        (url) => new URL(url).searchParams.get('token_id')?.split(',') ?? [],
      );
      expect(new Set(tokens).size).toBe(tokens.length);
    },
  );
});

describe('the limit of the service', () => {
  it('is enough for ten markets and two events in a minute', async () => {
    const { page, requests } = await open('/', { height: 2_000, clock: true });
    for (let n = 0; n < 10; n++) {
      await page.locator(LINKS).nth(n).click();
      await showBook(page);
      await page.clock.fastForward(5_000);
      await page.keyboard.press('Escape');
    }
    await page.locator('.tab', { hasText: 'Events' }).click();
    for (const n of [0, 1]) {
      await page.locator('.events .link').nth(n).click();
      await page.waitForSelector('.event canvas');
      await page.waitForSelector(ROWS);
      await page.clock.fastForward(5_000);
      await page.goBack();
    }
    const limited = requests.filter((url) => url.includes('/api/') && !url.includes('/api/status'));
    expect(limited.length).toBeLessThan(60);
  });
});
