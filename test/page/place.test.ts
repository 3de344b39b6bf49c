import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { LINKS, loadTo, pageTests, ROWS, SETTLED } from './support.ts';

const { open, read, refresh } = pageTests(2_000);

const scrollOf = (page: Page) => page.evaluate(() => Math.round(scrollY));
const rowsOf = (page: Page) => page.locator(ROWS).count();

/**
 * Starts to count the calls of the page's functions.
 *
 * Calls are the same on a busy machine, and times are not.
 *
 * @returns a function that says how many calls there were since it was last asked
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

describe('a list of 2,000 markets', () => {
  it('calls less than a fifth of the functions of a full render in an idle minute', async () => {
    const { page } = await open('/?sort=volume24h', { clock: true });
    await page.waitForSelector(`${SETTLED} tbody tr:not(.placeholder)`);
    const total = ((await read('/api/markets?limit=10000&fields=id')) as unknown[]).length;
    await loadTo(page, total);
    const calls = await countCalls(page);
    // Another list and back: 50 rows and then all of them.
    await page.locator('thead button', { hasText: 'Ends' }).click();
    await page.waitForFunction((rows) => document.querySelectorAll(rows).length === 50, ROWS);
    await page.goBack();
    await page.waitForFunction(
      ([rows, count]) => document.querySelectorAll(rows).length === count,
      [ROWS, total] as const,
    );
    await page.clock.runFor(2_000);
    const render = await calls();
    // A minute compares the rows once or twice, as its clock ticks; the first also reads charts.
    const minutes: number[] = [];
    for (let minute = 0; minute < 3; minute++) {
      for (let second = 0; second < 60; second += 5) await page.clock.runFor(5_000);
      await page.waitForTimeout(500);
      minutes.push(await calls());
    }
    expect(Math.min(...minutes)).toBeLessThan(render / 5);
  });

  it('renders nothing for scrolling', async () => {
    const { page } = await open('/?sort=volume24h', { clock: true });
    await page.waitForSelector(ROWS);
    await loadTo(page, 350);
    await page.evaluate(() => {
      Object.assign(globalThis, { changes: 0 });
      const counted = globalThis as unknown as { changes: number };
      new MutationObserver((records) => {
        counted.changes += records.length;
      }).observe(document.querySelector('.markets tbody') as Element, {
        subtree: true,
        childList: true,
        attributes: true,
      });
    });
    await page.evaluate(() => scrollTo(0, 5_000));
    for (let n = 0; n < 5; n++) await page.mouse.wheel(0, 100);
    await page.waitForTimeout(200);
    expect(await page.evaluate(() => (globalThis as unknown as { changes: number }).changes)).toBe(
      0,
    );
  });

  it('begins at the top after a change, and Back restores its rows and its place', async () => {
    const { page } = await open('/?sort=volume24h');
    await page.waitForSelector(ROWS);
    await loadTo(page, 350);
    await page.evaluate(() => scrollTo(0, 9_000));
    const rows = await rowsOf(page);
    await page.locator('thead button', { hasText: 'Probability' }).click();
    await page.waitForSelector('th[aria-sort=descending]:has-text("Probability")');
    await page.waitForFunction(
      (selector) => document.querySelectorAll(selector).length === 50,
      ROWS,
    );
    expect(await scrollOf(page)).toBe(0);
    await page.goBack();
    await page.waitForFunction(() => scrollY === 9_000);
    expect(await rowsOf(page)).toBe(rows);
  });

  it('keeps the row of a market in its place when it opens and closes, and Back never opens it again', async () => {
    const { page } = await open('/?sort=volume24h');
    await page.waitForSelector(ROWS);
    await loadTo(page, 350);
    await page.evaluate(() => scrollTo(0, 9_000));
    const link = page.locator(LINKS).nth(240);
    await link.scrollIntoViewIfNeeded();
    const topOf = () => link.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    const top = await topOf();
    const close = async () => {
      await page.keyboard.press('Escape');
      await page.waitForSelector('.detail', { state: 'detached' });
    };
    await link.click();
    await page.waitForSelector('.detail');
    expect(Math.abs((await topOf()) - top)).toBeLessThan(3);
    await close();
    expect(Math.abs((await topOf()) - top)).toBeLessThan(3);
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

  it('comes back after a search: its letters are one step', async () => {
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
  it('is complete after six requests', async () => {
    const { page, problems, requests } = await open();
    await page.waitForSelector('.today .spark');
    await page.waitForSelector('.today .events .favourite');
    await page.waitForSelector(ROWS);
    await page.waitForTimeout(1_000);
    expect(requests.filter((url) => url.includes('/api/')).length).toBeLessThanOrEqual(6);
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

describe('the largest moves and what closes next', () => {
  it('are the first of each event in the order of the API, in ten snapshots', async () => {
    const { page } = await open();
    let repetitions = 0;
    for (let snapshot = 0; snapshot < 10; snapshot++) {
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
        const rows: { id: string; question: string; eventSlug?: string }[] = await read(
          `/api/markets?${order}&minVolume=10000&limit=40&fields=id,question,eventSlug`,
        );
        const events: string[] = [];
        for (const { id, question, eventSlug = id } of rows) {
          if (events.includes(eventSlug)) repetitions++;
          else if (events.length < 5) expected.push(question);
          if (!events.includes(eventSlug)) events.push(eventSlug);
        }
      }
      expect(shown).toEqual(expected);
    }
    // Otherwise this test could not fail.
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

  it('and the order shape the table that the reader takes away', async () => {
    const { page } = await open('/?sort=volume24h&volume=100k');
    await page.waitForSelector(ROWS);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.summary a', { hasText: 'CSV of these' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('markets.csv');
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trim().split('\r\n');
    const all: { id: string }[] = await read(
      '/api/markets?sort=volume24h&minVolume=100000&limit=2000',
    );
    // More than the page has read.
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
