import { describe, expect, it } from '@jest/globals';
import { sleep } from '../../../../lambda/platform/clock.ts';
import type { HistoryRange, Published } from '../../../../lambda/refresh/ports.ts';
import { type RefreshDependencies, refresh } from '../../../../lambda/refresh/refresh.ts';
import { catalogueMarket, UNPRICED } from '../../../support/catalogue-market.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { fakePrices, fakePublisher, listable, pagedCatalogue } from './fake-upstreams.ts';

const RUN_MS = 100_000;

function pagesOf(markets: number, size = 100) {
  const records = Array.from({ length: markets }, (_, n) => listable(catalogueMarket(n)));
  return Array.from({ length: Math.ceil(markets / size) }, (_, n) => records.slice(n * size, (n + 1) * size));
}

function setup(overrides: Partial<RefreshDependencies> = {}, previous?: Published) {
  const clock = new ManualClock();
  const prices = fakePrices();
  const store = fakePublisher(previous);
  const dependencies: RefreshDependencies = {
    catalogue: pagedCatalogue(pagesOf(250)),
    prices,
    publisher: store.publisher,
    clock,
    random: () => 0.5,
    maxMarkets: 2_000,
    ...overrides,
  };
  const run = async () => await refresh(dependencies, clock.now() + RUN_MS);
  return { clock, prices, ...store, run };
}

const previousOf = (markets: number, shrunkRuns: number): Published => ({
  id: 'previous',
  asOf: 0,
  markets,
  counts: { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 },
  shrunkRuns,
});

describe('a refresh on the sunny path', () => {
  it('publishes every market with its 1-day change, the first twenty with all three', async () => {
    const { run, published } = setup();
    const result = await run();
    expect(result).toMatchObject({
      outcome: 'published',
      report: { markets: 250, withOneDayChange: 250, pages: 3 },
    });
    const markets = published[0]?.entries.map(({ market }) => market) ?? [];
    expect(markets).toHaveLength(250);
    expect(markets[19]).toMatchObject({
      currentProbability: 50,
      oneDayPriceChange: 10,
      sevenDayPriceChange: 10,
      thirtyDayPriceChange: 10,
    });
    // Twenty more stand by, for those that turn out to have no price.
    expect(markets[40]).toMatchObject({ oneDayPriceChange: 10 });
    expect(markets[40]).not.toHaveProperty('sevenDayPriceChange');
    expect(markets[40]).not.toHaveProperty('thirtyDayPriceChange');
  });

  it('gives all three to twenty markets also where some above them have no price', async () => {
    const all = Array.from({ length: 60 }, (_, n) => catalogueMarket(n, n < 5 ? UNPRICED : {}));
    const unpriced = new Set(all.slice(0, 5).map(({ yesTokenId }) => yesTokenId));
    const { run, published } = setup({
      catalogue: pagedCatalogue([all.map((market) => listable(market))]),
      prices: fakePrices({
        midpoints: async (tokens) =>
          new Map(tokens.filter((token) => !unpriced.has(token)).map((token) => [token, 0.5])),
      }),
    });
    expect((await run()).report.skipped).toEqual({ price: 5 });
    const top = (published[0]?.entries ?? []).slice(0, 20).map(({ market }) => market);
    expect(top).toHaveLength(20);
    for (const market of top) {
      expect(market).toMatchObject({ sevenDayPriceChange: 10, thirtyDayPriceChange: 10 });
    }
  });

  it('asks for twenty tokens a history call and five hundred a midpoint call, prices last', async () => {
    const { run, prices } = setup({ catalogue: pagedCatalogue(pagesOf(610)) });
    await run();
    const histories = prices.log.filter((call) => call.startsWith('histories'));
    expect(histories).toHaveLength(Math.ceil(610 / 20) + 4);
    expect(prices.log.slice(-2)).toEqual(['midpoints 500', 'midpoints 110']);
  });

  it('asks for less than 15 days in any call, and for all that lies between now and thirty days ago', async () => {
    const ranges: HistoryRange[] = [];
    const prices = fakePrices({
      histories: async (tokens, range) => {
        ranges.push(range);
        return new Map(tokens.map((token) => [token, [{ t: range.start, p: 0.4 }]]));
      },
    });
    const { clock, run } = setup({ prices, catalogue: pagedCatalogue(pagesOf(20)) });
    const now = clock.now() / 1_000;
    await run();
    const [newest, ...older] = ranges.toSorted((a, b) => b.end - a.end);
    expect(newest?.end).toBe(now);
    for (const { start, end } of ranges) expect(end - start).toBeLessThan(15 * 86_400);
    expect(older.map(({ end }) => end)).toEqual([newest?.start, older[0]?.start]);
    expect(older.at(-1)?.start).toBeLessThanOrEqual(now - 30 * 86_400);
  });

  it('stops at the most markets that are wanted', async () => {
    const { run, published } = setup({ maxMarkets: 150 });
    const { report } = await run();
    expect(published[0]?.entries).toHaveLength(150);
    expect(report.pages).toBe(2);
  });

  it('lets no market without any price take the place of one that has a price', async () => {
    const records = Array.from({ length: 130 }, (_, n) =>
      listable(catalogueMarket(n, n % 10 === 3 ? UNPRICED : {})),
    );
    const prices = fakePrices({
      midpoints: async (tokens) =>
        new Map(tokens.filter((token) => token.endsWith('13')).map((token) => [token, 0.7])),
    });
    const { run, published } = setup({ prices, maxMarkets: 100, catalogue: pagedCatalogue([records]) });
    await run();
    expect(published[0]?.entries).toHaveLength(100);
    expect(published[0]?.entries[12]?.market.currentProbability).toBe(70); // one that the order book has a price for
  });

  it('ends the crawl as usual where the catalogue gives no outcome prices', async () => {
    const records = pagesOf(300).map((page) =>
      page.map((record) => {
        if (record.kind !== 'listable') return record;
        const { outcomePrice: _outcome, lastTradePrice: _last, ...unpriced } = record.market;
        return listable(unpriced);
      }),
    );
    const { run, published } = setup({ maxMarkets: 200, catalogue: pagedCatalogue(records) });
    const { report } = await run();
    expect(report.pages).toBe(2);
    expect(published[0]?.entries).toHaveLength(200);
  });

  it('takes as its time the moment at which the prices were read', async () => {
    const clock = new ManualClock();
    const catalogue = pagedCatalogue(pagesOf(200), () => sleep(clock, 1_100));
    const { run, published } = setup({ clock, catalogue });
    const started = clock.now();
    const result = run();
    await clock.advance(2_200);
    await result;
    expect(published[0]?.asOf).toBe(started + 2_200);
  });

  it('lists by volume, ties by id, whatever order the catalogue came in', async () => {
    const [a, b, c] = [1, 2, 3].map((n) => catalogueMarket(n, { volume: n === 1 ? 5 : 9 }));
    if (!a || !b || !c) throw new Error('unreachable');
    const { run, published } = setup({ catalogue: pagedCatalogue([[c, a, b].map(listable)]) });
    await run();
    expect(published[0]?.entries.map(({ market }) => market.id)).toEqual([b.id, c.id, a.id]);
  });

  it('fetches histories while the catalogue is arriving', async () => {
    const clock = new ManualClock();
    const pages = 20;
    const catalogue = pagedCatalogue(pagesOf(pages * 100), () => sleep(clock, 1_100));
    const prices = fakePrices({}, () => sleep(clock, 500));
    const { run } = setup({ clock, catalogue, prices });
    const result = run();
    await clock.advance(RUN_MS);
    // A simulated clock: the sum of the waits that could not overlap.
    expect((await result).durationMs).toBeLessThan(1.2 * pages * 1_100);
  });
});

describe('a catalogue that is not what it should be', () => {
  it('is read once although markets come twice', async () => {
    const [first = [], second = []] = pagesOf(200);
    const { run, published } = setup({
      catalogue: pagedCatalogue([first, [...first.slice(90), ...second], second]),
    });
    const { report } = await run();
    expect(published[0]?.entries).toHaveLength(200);
    expect(report.duplicates).toBe(110);
  });

  it('ends where the cursor loops', async () => {
    const [first = []] = pagesOf(100);
    let pages = 0;
    const page = async () => ({ records: first, nextCursor: String(pages++) });
    const { run, published } = setup({ catalogue: { page, find: async () => [] } });
    await run();
    expect(pages).toBe(2);
    expect(published[0]?.entries).toHaveLength(100);
  });

  it('goes on behind a page of which nothing can be read, but not for ever', async () => {
    const [first = []] = pagesOf(100);
    const nonsense = Array.from(
      { length: 100 },
      () => ({ kind: 'skipped', reason: 'not_an_object' }) as const,
    );
    const { run, published } = setup({ catalogue: pagedCatalogue([nonsense, first]) });
    const { report } = await run();
    expect(report.skipped).toEqual({ not_an_object: 100 });
    expect(published[0]?.entries).toHaveLength(100);
    const page = async () => ({ records: nonsense, nextCursor: 'same' });
    const looping = setup({ catalogue: { page, find: async () => [] } });
    await expect(looping.run()).rejects.toThrow('no market that can be listed');
  });

  it('fails the run when it fails, and publishes nothing', async () => {
    const page = async () => {
      throw new Error('down');
    };
    const { run, published } = setup({ catalogue: { page, find: async () => [] } });
    await expect(run()).rejects.toThrow('down');
    expect(published).toEqual([]);
  });
});

describe('prices and histories that fail', () => {
  it('leave nulls where one batch failed', async () => {
    let calls = 0;
    const good = fakePrices();
    const prices = fakePrices({
      histories: async (tokens, range, deadline) => {
        calls += 1;
        if (calls === 4) throw new Error('failed');
        return await good.histories(tokens, range, deadline);
      },
    });
    const { run, published } = setup({ prices });
    const { report } = await run();
    expect(report.historyBatchesFailed).toBe(1);
    const nulls = published[0]?.entries.filter(({ market }) => market.oneDayPriceChange === null);
    expect(nulls).toHaveLength(20);
  });

  it('fall back to the catalogue for the prices', async () => {
    const prices = fakePrices({
      midpoints: async () => {
        throw new Error('failed');
      },
    });
    const { clock, run, published } = setup({ prices });
    const running = run();
    await clock.advance(RUN_MS);
    const { report } = await running;
    expect(report).toMatchObject({ midpointBatchesFailed: 1, cataloguePriced: 250 });
    expect(published[0]?.entries[0]?.market.currentProbability).toBe(45);
    expect(published[0]?.counts.midpointCallsFailed).toBe(1);
  });

  it('skip a market that nobody has a price for', async () => {
    const market = catalogueMarket(3, UNPRICED);
    const prices = fakePrices({ midpoints: async () => new Map() });
    const { run, published } = setup({
      prices,
      catalogue: pagedCatalogue([[listable(catalogueMarket(1)), listable(market)]]),
    });
    const { report } = await run();
    expect(report.skipped).toEqual({ price: 1 });
    expect(published[0]?.entries).toHaveLength(1);
  });
});

describe('a catalogue that shrinks below half', () => {
  it.each([
    [0, 'shrunk'],
    [1, 'shrunk'],
    [2, 'published'],
  ] as const)('after %i such runs is %s', async (shrunkRuns, outcome) => {
    const previous = previousOf(501, shrunkRuns);
    const { run, published, shrunk } = setup({}, previous);
    expect(await run()).toMatchObject({ outcome });
    expect(published).toHaveLength(outcome === 'published' ? 1 : 0);
    expect(shrunk).toEqual(outcome === 'shrunk' ? [previous] : []);
  });

  it('is none where the stage asks for fewer markets than before', async () => {
    const { run } = setup({ maxMarkets: 100 }, previousOf(500, 0));
    expect(await run()).toMatchObject({ outcome: 'published', report: { markets: 100 } });
  });

  it('is believed at exactly half', async () => {
    const { run } = setup({}, previousOf(500, 0));
    expect(await run()).toMatchObject({ outcome: 'published' });
  });
});
