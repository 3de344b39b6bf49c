import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { LINKS, loadTo, pageTests, ROWS, SETTLED } from './support.ts';

// What the page does with the longest list of a service, 2,000 markets: it renders little, and
// keeps the place of a reader. Its filters and the opened market are part of its address. The list
// shows 50 rows at first, and more during scrolling.

const { open, read, refresh } = pageTests({ markets: 2_000 });

const scrollOf = (page: Page) => page.evaluate(() => Math.round(scrollY));
const rowsOf = (page: Page) => page.locator(ROWS).count();
const waitForRows = (page: Page, count: number) =>
  page.waitForFunction(
    ({ rows, expected }) => document.querySelectorAll(rows).length === expected,
    { rows: ROWS, expected: count },
  );

/**
 * Starts to count the calls of the page's functions. On a busy machine their number is the same,
 * unlike their time.
 *
 * @returns a function that returns the number of calls since it was last called
 */
async function countCalls(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const calls = async () => {
    const { result } = await session.send('Profiler.takePreciseCoverage');
    const functions = result
      .filter(({ url }) => url.endsWith('.js'))
      .flatMap((script) => script.functions);
    return functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  };
  await calls();
  return calls;
}

declare global {
  interface Window {
    changes: number;
  }
}

/**
 * Runs in the page. Counts the changes of the rows, as `changes` of the window, except those of
 * their lines, which arrive some time after the rows come into view.
 */
function countChanges(): void {
  window.changes = 0;
  const rows = document.querySelector('.markets tbody') as Element;
  new MutationObserver((records) => {
    const isLine = ({ target }: MutationRecord) => (target as Element).closest('td.line') !== null;
    window.changes += records.filter((record) => !isLine(record)).length;
  }).observe(rows, { subtree: true, childList: true, attributes: true });
}

describe('a list of 2,000 markets', () => {
  it('calls less than a fifth of the functions of a full render in an idle minute', async () => {
    const { page } = await open('/?sort=volume24h', { clock: true });
    await page.waitForSelector(`${SETTLED} tbody tr:not(.placeholder)`);
    const total = ((await read('/api/markets?limit=10000&fields=id')) as unknown[]).length;
    await loadTo(page, total);
    const calls = await countCalls(page);
    // Another list and back: 50 rows and then all of them.
    await page.locator('thead button', { hasText: 'Ends' }).click();
    await waitForRows(page, 50);
    await page.goBack();
    await waitForRows(page, total);
    await page.clock.runFor(2_000);
    const callsOfRender = await calls();
    // The page compares its rows once or twice in a minute, and the first minute also reads charts.
    // So the quietest of three minutes counts.
    const callsOfMinutes: number[] = [];
    for (let minute = 0; minute < 3; minute++) {
      for (let second = 0; second < 60; second += 5) await page.clock.runFor(5_000);
      await page.waitForTimeout(500);
      callsOfMinutes.push(await calls());
    }
    expect(Math.min(...callsOfMinutes)).toBeLessThan(callsOfRender / 5);
  });

  it('renders nothing for scrolling', async () => {
    const { page } = await open('/?sort=volume24h', { clock: true });
    await page.waitForSelector(ROWS);
    await loadTo(page, 350);
    await page.evaluate(countChanges);
    await page.evaluate(() => scrollTo(0, 5_000));
    for (let n = 0; n < 5; n++) await page.mouse.wheel(0, 100);
    await page.waitForTimeout(200);
    expect(await page.evaluate(() => window.changes)).toBe(0);
  });

  it('begins at the top after a change, and Back restores its rows and its place', async () => {
    const { page } = await open('/?sort=volume24h');
    await page.waitForSelector(ROWS);
    await loadTo(page, 350);
    await page.evaluate(() => scrollTo(0, 9_000));
    const rows = await rowsOf(page);
    await page.locator('thead button', { hasText: 'Probability' }).click();
    await page.waitForSelector('th[aria-sort=descending]:has-text("Probability")');
    await waitForRows(page, 50);
    expect(await scrollOf(page)).toBe(0);
    await page.goBack();
    await page.waitForFunction(() => scrollY === 9_000);
    expect(await rowsOf(page)).toBe(rows);
  });

  it('keeps the row of a market in its place when the market opens and closes', async () => {
    const { page } = await open('/?sort=volume24h');
    await page.waitForSelector(ROWS);
    await loadTo(page, 350);
    await page.evaluate(() => scrollTo(0, 9_000));
    const link = page.locator(LINKS).nth(240);
    await link.scrollIntoViewIfNeeded();
    const place = () => link.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    const before = await place();
    await link.click();
    await page.waitForSelector('.detail');
    expect(Math.abs((await place()) - before)).toBeLessThan(3);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.detail', { state: 'detached' });
    expect(Math.abs((await place()) - before)).toBeLessThan(3);
    // Back does not open a closed market again.
    await page.locator('.tab', { hasText: 'Events' }).click();
    await page.waitForURL(/view=events/);
    await page.goBack();
    await page.waitForURL(/\/\?sort=volume24h$/);
    expect(await page.locator('.detail').count()).toBe(0);
  });

  it('closes several markets that were opened one after the other with one step back', async () => {
    const { page } = await open('/?sort=volume24h');
    for (const n of [0, 1, 2]) {
      await page.locator(LINKS).nth(n).click();
      await page.waitForSelector(`${ROWS}:nth-child(${n + 1}).open`);
    }
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/\?sort=volume24h$/);
    await page.goForward();
    await page.waitForSelector(`${ROWS}:first-child.open`);
  });

  it('comes back from a search with one step, although each letter changed the address', async () => {
    const { page } = await open('/?view=movers');
    await page.waitForSelector(ROWS);
    await page.locator('input[type=search]').focus();
    await page.keyboard.type('bit', { delay: 500 });
    await page.waitForURL(/q=bit$/);
    await page.goBack();
    await page.waitForURL(/\/\?view=movers$/);
  });

  it('of events comes back with all its cards', async () => {
    const { page } = await open('/?view=events');
    const cards = '.list > .events li:not(.waits)';
    await page.waitForSelector(cards);
    await loadTo(page, 300, cards);
    await page.evaluate(() => scrollTo(0, 5_000));
    const count = await page.locator(cards).count();
    await page.evaluate(() => {
      const links = [...document.querySelectorAll<HTMLElement>('.events .link')];
      links.find((link) => link.getBoundingClientRect().top > 200)?.click();
    });
    await page.waitForURL(/\/event\//);
    await page.waitForSelector('.event h2');
    expect(await scrollOf(page)).toBe(0);
    await page.goBack();
    await page.waitForFunction(() => scrollY === 5_000);
    expect(await page.locator(cards).count()).toBe(count);
  });
});

describe('the first screen', () => {
  it('is complete after six requests, on a slow machine after seven', async () => {
    const { page, problems, requests } = await open();
    await page.waitForSelector('.today .spark');
    await page.waitForSelector('.today .events .favourite');
    await page.waitForSelector(ROWS);
    await page.waitForTimeout(1_000);
    const calls = requests.filter((url) => url.includes('/api/'));
    const histories = calls.filter((url) => url.includes('/prices-histories'));
    expect(calls.length - histories.length).toBeLessThanOrEqual(5);
    // The lines of the rows need a second request if the rows arrive long after the largest moves.
    expect(histories.length).toBeLessThanOrEqual(2);
    expect(await page.locator('.today > section').count()).toBe(3);
    expect(await page.locator('.today ol li:not(.waits)').count()).toBe(10);
    const [event] = await read('/api/events?limit=1');
    const card = page.locator('.today .events li').first();
    expect(await card.locator('h3').textContent()).toBe(event.title);
    expect(await card.locator('.favourite').count()).toBe(Math.min(3, event.markets));
    await page.locator('.today ol .link').first().click();
    await page.waitForSelector('.detail h2');
    expect(problems).toEqual([]);
  });
});

interface EventRow {
  readonly id: string;
  readonly question: string;
  /** Undefined for a market that is its own event. */
  readonly eventSlug?: string;
}

function firstOfEachEvent(rows: readonly EventRow[]): readonly EventRow[] {
  const events = Map.groupBy(rows, ({ id, eventSlug = id }) => eventSlug);
  return [...events.values()].flatMap(([first]) => first ?? []);
}

describe('the largest moves and what closes next', () => {
  it('are the first of each event in the order of the API, in five snapshots', async () => {
    const { page } = await open();
    let repetitions = 0;
    for (let snapshot = 0; snapshot < 5; snapshot++) {
      await refresh();
      await page.reload();
      await page.waitForFunction(
        () => document.querySelectorAll('.today ol li:not(.waits)').length === 10,
      );
      const shown = await page
        .locator('.today ol .link')
        .evaluateAll((all) => all.map((one) => one.textContent));
      const expected: string[] = [];
      for (const order of ['sort=move1h', 'sort=endDate&endsAfter=0h']) {
        const fields = 'id,question,eventSlug';
        const rows = await read(`/api/markets?${order}&minVolume=10000&limit=40&fields=${fields}`);
        const firsts = firstOfEachEvent(rows);
        repetitions += rows.length - firsts.length;
        expected.push(...firsts.slice(0, 5).map(({ question }) => question));
      }
      expect(shown).toEqual(expected);
    }
    // Without rows of the same event, this test could not fail.
    expect(repetitions).toBeGreaterThan(10);
  });
});

describe('a filter', () => {
  it('is part of the address and of the request, and can be removed', async () => {
    const { page } = await open('/?sort=volume24h');
    await page.waitForSelector(ROWS);
    const filtered = page.waitForResponse(/minProbability=40&maxProbability=60/);
    await page.locator('select[aria-label=Probability]').selectOption('even');
    const rows: { currentProbability: number }[] = await (await filtered).json();
    expect(rows.every(({ currentProbability: value }) => value >= 40 && value <= 60)).toBe(true);
    await page.waitForURL(/chance=even/);
    await page.locator('.clear').click();
    await page.waitForURL(/\/\?sort=volume24h$/);
  });

  it('and the order decide the rows of the CSV, which are more than the page has read', async () => {
    const { page } = await open('/?sort=volume24h&volume=100k');
    await page.waitForSelector(ROWS);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.summary a', { hasText: 'CSV of these' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('markets.csv');
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    const all: { id: string }[] = await read(
      '/api/markets?sort=volume24h&minVolume=100000&limit=2000',
    );
    expect(all.length).toBeGreaterThan(await rowsOf(page));
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(all.map(({ id }) => id));
  });
});

describe('an address', () => {
  it('of the old form opens the same market, and gets its new form', async () => {
    const [market] = await read('/api/markets?limit=1');
    const { page } = await open(`/?market=${market.slug}`);
    await page.waitForSelector('.detail h2');
    await page.waitForURL(new RegExp(`/market/${market.slug}$`));
    expect(await page.locator('.detail h2').textContent()).toBe(market.question);
    await page.reload();
    await page.waitForSelector('.detail h2');
  });

  it('of no page leads back', async () => {
    const { page } = await open('/market/not%20a%20name');
    await page.locator('a', { hasText: 'Show all markets' }).click();
    await page.waitForSelector(ROWS);
  });
});
