import { describe, expect, it } from '@jest/globals';
import { date, percent, usd } from '../../packages/market-page/src/format.ts';
import { drawnPixels, MIN_LINE_PIXELS, recordLayoutShift } from './measures.ts';
import { LINKS, pageTests, ROWS, showBook } from './support.ts';

// The page of an event, which has several markets as its outcomes: "Who wins?" has one for each
// name. The last two tests show that the page reads histories sparingly: the small lines in the
// rows of a list, and everything that a reader opens in a minute.

const { open, read } = pageTests({ markets: 300 });

/** A market of `/api/markets?fields=all`, with the fields that the page shows for an event. */
interface Row {
  readonly slug: string;
  readonly question: string;
  /** The short name of a market in its event. */
  readonly groupItemTitle?: string;
  readonly eventTitle: string;
  readonly endDate: string;
  readonly currentProbability: number;
  readonly volume: number;
  readonly volume24h?: number;
  /** Whether the outcomes of the event exclude each other. */
  readonly negRisk?: boolean;
}

/**
 * The event of most volume that has more than five markets and whose outcomes exclude each other.
 * Its rows are in the order of the page: by probability.
 */
async function exclusiveEvent(): Promise<{ slug: string; rows: readonly [Row, ...Row[]] }> {
  const events: { slug: string; markets: number }[] = await read('/api/events?limit=50');
  for (const { slug, markets } of events) {
    const rows: Row[] = await read(`/api/markets?event=${slug}&fields=all&sort=probability`);
    const [first, ...others] = rows;
    const isExclusive = rows.every(({ negRisk }) => negRisk);
    if (first && markets > 5 && isExclusive) return { slug, rows: [first, ...others] };
  }
  throw new Error('The simulator has no such event.');
}

const shortName = ({ groupItemTitle, question }: Row) => groupItemTitle ?? question;

/** Requests for a month of the histories of several outcomes. */
function monthRequests(requests: readonly string[]): readonly string[] {
  return requests.filter((url) => /\/prices-histories\?.*interval=1m/.test(url));
}

describe('an event', () => {
  it('opens by its link, with its title, amounts and end', async () => {
    const { slug, rows } = await exclusiveEvent();
    const { page, problems } = await open(`/?event=${slug}`);
    await page.waitForSelector('.event canvas');
    const [{ eventTitle }] = rows;
    expect(await page.locator('.event h2').textContent()).toBe(eventTitle);
    expect(await page.title()).toBe(`${eventTitle} · Prediction markets`);
    const sum = (amountOf: (row: Row) => number) =>
      rows.reduce((partial, row) => partial + amountOf(row), 0);
    const lastEnd = rows.map(({ endDate }) => endDate).reduce((a, b) => (a > b ? a : b));
    const total = percent(sum((row) => row.currentProbability));
    const details = await page.locator('.event .facts').textContent();
    expect(details).toContain(`${usd(sum((row) => row.volume))} volume`);
    expect(details).toContain(`${usd(sum((row) => row.volume24h ?? 0))} in 24 h`);
    expect(details).toContain(date(lastEnd));
    expect(details).toContain(`the ${rows.length} listed outcomes add up to ${total}`);
    // The rows do not repeat the end, because all of them have it.
    expect(await page.locator('.markets .date').count()).toBe(0);
    await page.locator('.event .plain', { hasText: 'All events' }).click();
    await page.waitForSelector('.events .favourite');
    expect(problems).toEqual([]);
  });

  it('has the short names of its outcomes, and one chart of the first five', async () => {
    const { slug, rows } = await exclusiveEvent();
    const { page, requests } = await open(`/?event=${slug}`);
    await page.waitForSelector('.event canvas');
    const names = rows.map(shortName);
    expect(await page.locator(LINKS).allTextContents()).toEqual(names);
    // The legend and the ends of the lines have the prices of the rows.
    const prices = rows.map(({ currentProbability }) => percent(currentProbability));
    for (const line of ['.legend [aria-pressed=true]', '.end-label']) {
      expect(await page.locator(`${line} span`).allTextContents()).toEqual(names.slice(0, 5));
      expect(await page.locator(`${line} b`).allTextContents()).toEqual(prices.slice(0, 5));
    }
    expect(await drawnPixels(page, '.event canvas')).toBeGreaterThan(MIN_LINE_PIXELS);
    expect(monthRequests(requests)).toHaveLength(1);
  });

  it.each([1440, 390])(
    'has labels that do not overlap and are not cut, at %d pixels',
    async (width) => {
      const { slug } = await exclusiveEvent();
      const { page } = await open(`/?event=${slug}`, { width });
      await page.waitForSelector('.event .end-label');
      await page.getByRole('button', { name: '0–100%' }).click();
      const boxesOf = (selector: string): Promise<DOMRect[]> =>
        page
          .locator(selector)
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      const [card] = await boxesOf('.event');
      const labels = (await boxesOf('.end-label')).sort((a, b) => a.top - b.top);
      expect(labels).toHaveLength(5);
      let bottomOfLabelAbove = 0;
      for (const { right, top, bottom } of labels) {
        expect(right).toBeLessThanOrEqual(card?.right ?? 0);
        // Positions are rounded, so half a pixel is no overlap.
        expect(top).toBeGreaterThanOrEqual(bottomOfLabelAbove - 0.5);
        bottomOfLabelAbove = bottom;
      }
    },
  );

  it('adds and removes lines by a click', async () => {
    const { slug, rows } = await exclusiveEvent();
    const { page, requests } = await open(`/?event=${slug}`);
    await page.waitForSelector('.event .end-label');
    const chips = page.locator('.legend .chip');
    // The sixth chip adds a line, and the first removes one.
    await chips.nth(5).click();
    await page.waitForFunction(() => document.querySelectorAll('.end-label').length === 6);
    await chips.nth(0).click();
    await page.waitForFunction(() => document.querySelectorAll('.end-label').length === 5);
    const names = rows.slice(1, 6).map(shortName);
    expect(await page.locator('.end-label span').allTextContents()).toEqual(names);
    // One request for the first chart, and one for each click.
    expect(monthRequests(requests)).toHaveLength(3);
  });

  it('shows the whole life of each line', async () => {
    const { slug } = await exclusiveEvent();
    const { page } = await open(`/?event=${slug}`);
    await page.waitForSelector('.event .end-label');
    const response = page.waitForResponse((one) => one.url().includes('interval=max'));
    await page.getByRole('button', { name: 'Whole life' }).click();
    const { history } = await (await response).json();
    await page.waitForSelector('.event .chart[aria-busy=false]');
    const plot = page.locator('.event .u-over');
    await plot.hover({ position: { x: 1, y: 100 } });
    const firstTime = new Date(history[0].t * 1_000);
    const firstMonth = firstTime.toLocaleString('en', { month: 'short' });
    expect(await page.locator('.tip time').textContent()).toContain(firstMonth);
    // In the middle all five have a price. Their histories begin up to some hours apart.
    await plot.hover();
    await page.waitForFunction(() => document.querySelectorAll('.tip p').length === 5);
  });

  it('is named in the panel of its markets, with their rank and their siblings', async () => {
    const { slug, rows } = await exclusiveEvent();
    const last = rows.at(-1) ?? rows[0];
    const { page, requests } = await open(`/?market=${last.slug}`);
    const siblings = page.locator('.siblings');
    await page.waitForSelector('.siblings .link');
    const rank = `Rank ${rows.length} of ${rows.length}`;
    expect(await siblings.locator('h3').textContent()).toContain(rank);
    const names = [...rows.slice(0, 5), last].map(shortName);
    expect(await siblings.locator('.link').allTextContents()).toEqual(names);
    const ranks = ['1', '2', '3', '4', '5', `${rows.length}`];
    expect(await siblings.locator('.rank').allTextContents()).toEqual(ranks);
    expect(await siblings.locator('[aria-current]').textContent()).toBe(last.groupItemTitle);
    await page.locator('.detail .of .plain').click();
    await page.waitForURL(new RegExp(`event[=/]${slug}`));
    await page.waitForSelector('.event h2');
    // The list now has the outcomes, so their panels do not request them again.
    requests.length = 0;
    await page.locator(LINKS).nth(2).click();
    await page.waitForSelector('.siblings h3:has-text("Rank 3 of")');
    await showBook(page);
    const eventRequests = requests.filter((url) => /\/api\/markets\?.*event=/.test(url));
    expect(eventRequests).toEqual([]);
  });

  it('that is unknown leads to all events', async () => {
    const { page } = await open('/event/not-an-event');
    await page.waitForSelector('.empty:has-text("There is no open event “not an event”")');
    await page.locator('.empty .small', { hasText: 'All events' }).click();
    await page.waitForSelector('.events .link');
  });
});

describe('the small lines of the last seven days in the rows of a list', () => {
  it.each([390, 1440])(
    'are read for the rows in view, without moving anything, and are kept, at %d pixels',
    async (width) => {
      const { page, requests } = await open('/', { width, before: recordLayoutShift });
      await page.waitForSelector('.today .spark', { state: 'attached' });
      await page.waitForSelector(ROWS);
      expect(await page.evaluate(() => window.layoutShift)).toBeLessThan(0.01);
      for (const n of [25, 45]) {
        await page.locator(ROWS).nth(n).scrollIntoViewIfNeeded();
        await page.waitForSelector(`${ROWS}:nth-child(${n + 1}) .spark`, { state: 'attached' });
      }
      const sparkOfRow26 = `${ROWS}:nth-child(26) .spark`;
      expect(await page.locator(sparkOfRow26).count()).toBe(1);
      await page.locator('.tab', { hasText: 'Movers' }).click();
      await page.waitForSelector('.tab[aria-current]:has-text("Movers")');
      await page.goBack();
      await page.waitForSelector(sparkOfRow26, { state: 'attached' });
      const histories = requests.filter((url) => url.includes('/prices-histories?'));
      // Each line is requested once.
      const tokens = histories.flatMap(
        (url) => new URL(url).searchParams.get('token_id')?.split(',') ?? [],
      );
      expect(new Set(tokens).size).toBe(tokens.length);
    },
  );
});

describe('the limit of 60 requests a minute', () => {
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
    const limited = requests.filter((url) => /\/api\/(?!status)/.test(url));
    expect(limited.length).toBeLessThan(60);
  });
});
