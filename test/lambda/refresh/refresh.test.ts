import { describe, expect, it } from '@jest/globals';
import { sleep } from '../../../lambda/platform/clock.ts';
import { type RunKind, runRefresh } from '../../../lambda/refresh/refresh.ts';
import { RunReport } from '../../../lambda/refresh/run-report.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { catalogueMarket, catalogueMarkets, World, whileTimePasses } from './refresh-fakes.ts';

const MINUTE = 60_000;
const RUN_MS = 110_000;

function setup() {
  const clock = new ManualClock();
  const world = new World(clock);
  let container = world.container();
  const run = async (kind: RunKind = 'full') => {
    const report = new RunReport();
    await whileTimePasses(clock, runRefresh(kind, container, clock.now() + RUN_MS, report));
    return report;
  };
  const newContainer = (maxMarkets?: number) => {
    container = world.container(maxMarkets);
  };
  return { clock, world, writer: world.writer, run, newContainer };
}

/** A stage whose first run was this long ago. */
async function setupAfterRun(ms: number) {
  const all = setup();
  await all.run();
  await all.clock.advance(ms);
  return all;
}

/** The same call, which takes this long. */
function delayed<A extends unknown[], R>(clock: ManualClock, call: (...args: A) => Promise<R>, ms: number) {
  return async (...args: A): Promise<R> => {
    await sleep(clock, ms);
    return await call(...args);
  };
}

const unreachable = async () => {
  throw new Error('upstream is down');
};

describe('the first run', () => {
  it('lists all markets with their changes when upstream is fast', async () => {
    const { world, writer, run } = setup();
    const report = await run();
    expect(report.publications).toMatchObject([{ outcome: 'published', markets: 30, withOneDayChange: 30 }]);
    const changes = { oneDayPriceChange: 10, sevenDayPriceChange: 10, thirtyDayPriceChange: 10 };
    expect(writer.last?.markets[19]).toMatchObject({ currentProbability: 50, midpoint: 0.5, ...changes });
    expect(world.calls.filter((call) => call.startsWith('histories'))[0]).toBe('histories 20 of 36 h');
  });

  it.each([true, false])('publishes within 2 s of the prices when all histories fail (at once: %s)', async (atOnce) => {
    const { clock, world, writer, run } = setup();
    const started = clock.now();
    world.histories = async (_tokens, _span, deadline) => {
      if (!atOnce) await sleep(clock, deadline - clock.now());
      throw new Error('upstream is down');
    };
    let publishedAt = 0;
    const publish = writer.publish.bind(writer);
    writer.publish = async (snapshot) => {
      publishedAt = clock.now();
      return await publish(snapshot);
    };
    const running = run();
    await clock.advance(2_500);
    expect(publishedAt - started).toBeLessThanOrEqual(2_000);
    expect(writer.last?.markets).toHaveLength(30);
    expect(writer.last?.markets[0]?.oneDayPriceChange).toBeNull();
    await running;
  });

  it('stores the histories that arrive after the publication, and the next run shows their changes', async () => {
    const { clock, world, writer, run, newContainer } = setup();
    world.histories = delayed(clock, world.histories, 20_000);
    const report = await run();
    expect(report.publications[0]).toMatchObject({ withOneDayChange: 0, afterMs: 2_000 });
    world.histories = unreachable;
    newContainer();
    await run('prices');
    expect(writer.last?.markets[25]).toMatchObject({ oneDayPriceChange: 10, thirtyDayPriceChange: 10 });
  });

  it('stores what it has learnt when it publishes, while the other histories are still under way', async () => {
    const { clock, world, writer, run, newContainer } = setup();
    const read = world.histories;
    world.histories = async (tokens, span, deadline) => {
      if (span.fidelity !== 15) await sleep(clock, deadline - clock.now());
      return await read(tokens, span, deadline);
    };
    const running = run();
    await clock.advance(10_000);
    newContainer();
    const [{ publications }] = await Promise.all([run('prices'), running]);
    expect(publications).toMatchObject([{ withOneDayChange: 30 }]);
    expect(writer.published).toHaveLength(2);
  });

  it('publishes catalogue prices after 10 s when there are no midpoints, since readers have no data at all', async () => {
    const { world, writer, run } = setup();
    world.midpoints = unreachable;
    const report = await run();
    expect(report.publications[0]?.afterMs).toBeLessThanOrEqual(11_000);
    expect(writer.last?.markets[0]).toMatchObject({ currentProbability: 45, midpointSource: 'catalogue' });
    expect(writer.last?.counts.cataloguePriced).toBe(30);
  });

  it('fails when no market has a price', async () => {
    const { world, writer, run } = setup();
    const unpriced = { cataloguePrice: undefined, bestBid: undefined, bestAsk: undefined };
    world.markets = [catalogueMarket(1, unpriced)];
    world.midpoint = () => undefined;
    await expect(run()).rejects.toThrow('No market in the catalogue has a price');
    expect(writer.published).toEqual([]);
  });
});

describe('a full run', () => {
  it('lists at most the markets of the stage, and counts those without a price', async () => {
    const { world, writer, run, newContainer } = setup();
    world.markets = [...catalogueMarkets(5), catalogueMarket(5, { cataloguePrice: undefined, spread: undefined })].map(
      (market, n) => (n === 5 ? { ...market, bestBid: 0, bestAsk: 1 } : market),
    );
    world.midpoint = (token) => (token.endsWith('5') ? undefined : 0.5);
    newContainer(4);
    const report = await run();
    expect(writer.last?.markets.map(({ id }) => Number(id))).toEqual([1, 2, 3, 4]);
    expect(report.skippedByReason).toEqual({ price: 1 });
    expect(writer.last?.counts).toMatchObject({ skipped: 1, skippedByReason: { price: 1 } });
  });

  it('requests the 7- and 30-day histories of at most 400 more markets a run, after the publication', async () => {
    const { clock, world, writer, run } = setup();
    world.markets = catalogueMarkets(900);
    await run();
    expect(writer.last?.markets[40]).not.toHaveProperty('sevenDayPriceChange');
    const months = () => world.calls.filter((call) => !call.includes('36 h') && call.startsWith('histories'));
    expect(months()).toHaveLength(2 * (2 + 400 / 20));
    expect(world.calls.indexOf('midpoints 500')).toBeLessThan(world.calls.indexOf(months()[10] ?? ''));
    for (let n = 0; n < 2; n++) {
      await clock.advance(2 * MINUTE);
      await run();
    }
    await clock.advance(MINUTE);
    await run('prices');
    expect(writer.last?.markets.every(({ thirtyDayPriceChange }) => thirtyDayPriceChange === 10)).toBe(true);
    expect(months()).toHaveLength(2 * (900 / 20));
  });

  it('does not replace newer prices, nor a newer catalogue, and then stops', async () => {
    const { clock, world, writer, run } = await setupAfterRun(2 * MINUTE);
    const read = world.page;
    world.page = async (...args) => {
      const page = await read(...args);
      // Meanwhile a run of another container ends that began later.
      const [first] = writer.published;
      if (first) await writer.publish({ ...first, asOf: clock.now() - 1, catalogueAsOf: clock.now() + 1 });
      return page;
    };
    const report = await run();
    expect(report.publications).toMatchObject([{ outcome: 'superseded' }]);
    expect(writer.published).toHaveLength(2);
  });

  it('keeps a market that the catalogue does not confirm while it has an order book', async () => {
    const { world, writer, run } = await setupAfterRun(2 * MINUTE);
    const [gone, quiet] = world.markets;
    world.markets = world.markets.slice(2);
    world.find = unreachable;
    world.midpoint = (token) => (token === quiet?.clobTokenId ? undefined : 0.5);
    await run();
    const ids = writer.last?.markets.map(({ id }) => id);
    expect(ids).toContain(gone?.id);
    expect(ids).not.toContain(quiet?.id);
  });
});

describe('midpoints that fail', () => {
  it.each([
    ['of the catalogue that it then reads again, with the time of this reading', 0, 0.55, 0],
    ['of the second reading, also when it takes 5 s', 5_000, 0.55, 5_000],
    ['of the first reading with its time, if the second one fails', 10_001, 0.45, 65_000 + 10_000],
  ])('lets a full run that has waited publish the prices %s', async (_which, takesMs, midpoint, age) => {
    const { clock, world, writer, run } = setup();
    await run();
    await clock.advance((writer.last?.asOf ?? 0) + MINUTE - clock.now());
    world.midpoints = async () => new Map();
    const started = clock.now();
    const page = world.page;
    world.page = async (cursor, deadline, minVolume) => {
      if (clock.now() === started) return await page(cursor, deadline, minVolume);
      expect(deadline).toBe(clock.now() + 10_000);
      await sleep(clock, Math.min(takesMs, deadline - clock.now()));
      if (takesMs > 10_000) throw new Error('too late');
      world.markets = catalogueMarkets(30).map((market) => ({ ...market, bestBid: 0.54, bestAsk: 0.56 }));
      return await page(cursor, deadline, minVolume);
    };
    const { publications, pages, listable } = await run();
    const publishedAt = started + (publications[0]?.afterMs ?? 0);
    const oneDayPriceChange = midpoint === 0.55 ? 15 : 5;
    expect(writer.last?.markets[0]).toMatchObject({ midpoint, midpointSource: 'catalogue', oneDayPriceChange });
    expect(publishedAt - (writer.last?.asOf ?? 0)).toBeGreaterThanOrEqual(age - 3_000);
    expect(publishedAt - (writer.last?.asOf ?? 0)).toBeLessThanOrEqual(age);
    expect(publishedAt - (writer.published[0]?.asOf ?? 0)).toBeGreaterThan(120_000);
    expect(publishedAt - (writer.published[0]?.asOf ?? 0)).toBeLessThanOrEqual(135_000);
    expect([pages, listable, writer.last?.catalogueAsOf]).toEqual([1, 30, started]);
  });

  it('makes a full run fail that must end while readers have fresh data', async () => {
    const { world, writer, run } = await setupAfterRun(5_000);
    world.midpoints = async () => new Map();
    await expect(run()).rejects.toThrow('CLOB returned no midpoints');
    expect(writer.published).toHaveLength(1);
  });

  it.each([
    ['while it waits', MINUTE, 20_000],
    ['within 10 s when the newest snapshot is too old for readers', 10 * MINUTE, 5_000],
  ])('lets a full run take the midpoints that come back %s', async (_when, age, backAfter) => {
    const { clock, world, writer, run } = await setupAfterRun(age);
    const read = world.midpoints;
    const back = clock.now() + backAfter;
    world.midpoints = async (...args) => (clock.now() < back ? new Map() : await read(...args));
    const report = await run();
    expect(report.publications[0]?.afterMs).toBeLessThan(backAfter + 10_000);
    expect(writer.last?.asOf).toBeGreaterThanOrEqual(back);
    expect(writer.last?.markets[0]).not.toHaveProperty('midpointSource');
  });

  it('keeps the midpoints of one failed call of two while they are fresh, then takes those of the catalogue', async () => {
    const { clock, world, writer, run } = setup();
    world.markets = catalogueMarkets(600);
    await run();
    const first = writer.last?.asOf;
    const read = world.midpoints;
    world.midpoints = async (tokens, deadline) => (tokens.length === 100 ? new Map() : await read(tokens, deadline));
    world.midpoint = () => 0.6;
    await clock.advance(MINUTE);
    await run();
    expect(writer.last?.markets[0]).toMatchObject({ midpoint: 0.6, oneDayPriceChange: 20 });
    expect(writer.last?.markets[599]).toMatchObject({ midpoint: 0.5, midpointAsOf: first, oneDayPriceChange: 10 });
    await clock.advance(MINUTE);
    await run();
    expect(writer.last?.markets[599]).toMatchObject({ midpoint: 0.45, midpointSource: 'catalogue' });
    expect(writer.last?.counts.cataloguePriced).toBe(100);
  });

  it.each([
    ['a call fails', 50, 0, 1],
    ['more than a tenth of the markets lost their midpoint', 0, 106, 1],
    ['a tenth of the markets lost their midpoint', 0, 105, 2],
  ])('make no sample when %s', async (_when, failingBatch, lost, samples) => {
    const { clock, world, run } = setup();
    world.markets = catalogueMarkets(1_050);
    await run();
    await clock.advance(11 * MINUTE);
    const read = world.midpoints;
    const isLost = new Set(world.markets.slice(0, lost).map(({ clobTokenId }) => clobTokenId));
    world.midpoint = (token) => (isLost.has(token) ? undefined : 0.5);
    world.midpoints = async (tokens, deadline) =>
      tokens.length === failingBatch ? new Map() : await read(tokens, deadline);
    await run();
    expect(world.store.items.get('SAMPLE')).toHaveLength(samples);
  });
});

describe('a price run', () => {
  it('publishes new prices and changes with the facts of the newest snapshot', async () => {
    const { clock, world, writer, run } = setup();
    await run();
    const { catalogueAsOf, counts } = writer.last ?? {};
    await clock.advance(11 * MINUTE);
    world.midpoint = () => 0.7;
    world.calls.length = 0;
    await run('prices');
    expect(world.calls).toEqual(['midpoints 30']);
    expect(writer.last).toMatchObject({ asOf: clock.now() - 100, catalogueAsOf, counts });
    expect(writer.last?.markets[0]).toMatchObject({ currentProbability: 70, oneDayPriceChange: 30 });
    expect(writer.last?.markets[0]?.outcomes).toMatchObject([{ probability: 70 }, { probability: 30 }]);
    expect(world.store.items.get('SAMPLE')).toHaveLength(1);
  });

  it('keeps the probability of a market that has no price any more', async () => {
    const { clock, world, writer, run } = setup();
    const unpriced = catalogueMarket(0, { cataloguePrice: undefined, bestBid: undefined, bestAsk: undefined });
    world.markets = [unpriced, catalogueMarket(1)];
    world.midpoint = () => 0.7;
    await run();
    world.midpoint = (token) => (token === unpriced.clobTokenId ? undefined : 0.5);
    await clock.advance(3 * MINUTE);
    await run('prices');
    expect(writer.last?.markets[0]).toMatchObject({ currentProbability: 70, oneDayPriceChange: null });
  });

  it.each([
    ['there is no snapshot', 0],
    ['the catalogue of the snapshot is more than an hour old', 61 * MINUTE],
  ])('becomes a full run when %s', async (_when, age) => {
    const { clock, world, writer, run } = setup();
    if (age > 0) await run();
    await clock.advance(age);
    world.calls.length = 0;
    await run('prices');
    expect(world.calls).toContain('page');
    expect(writer.last?.catalogueAsOf).toBeGreaterThan(clock.now() - 5_000);
  });

  it('goes on for an hour while the catalogue fails', async () => {
    const { clock, world, writer, run } = setup();
    await run();
    world.page = unreachable;
    await clock.advance(59 * MINUTE);
    await run('prices');
    expect(writer.published).toHaveLength(2);
    await clock.advance(2 * MINUTE);
    await expect(run('prices')).rejects.toThrow('upstream is down');
  });
});

describe('a table that stops responding', () => {
  it('after the start of a run leaves it the snapshot that it has read', async () => {
    const { world, writer, run } = await setupAfterRun(2 * MINUTE);
    const newest = writer.newest.bind(writer);
    let reads = 0;
    writer.newest = async () => {
      if (reads++ > 0) throw new Error('The table does not respond');
      return await newest();
    };
    world.markets = world.markets.slice(0, 14);
    const report = await run();
    expect(report).toMatchObject({ shrunk: true, publications: [] });
    expect(writer.last?.markets).toHaveLength(30);
  });
});

describe('a full run that cannot publish its catalogue', () => {
  it('publishes new prices after 30 s, and again when the catalogue fails', async () => {
    const { clock, world, writer, run } = setup();
    await run();
    const first = writer.last;
    await clock.advance(2 * MINUTE);
    const started = clock.now();
    world.midpoint = () => 0.6;
    world.page = async (_cursor, deadline) => {
      await sleep(clock, deadline - clock.now());
      throw new Error('upstream is down');
    };
    await expect(run()).rejects.toThrow('upstream is down');
    const [, late, last] = writer.published;
    expect(late).toMatchObject({ asOf: started + 30_000, catalogueAsOf: first?.catalogueAsOf });
    expect(late?.markets[0]?.currentProbability).toBe(60);
    expect(last?.asOf).toBe(started + RUN_MS - 5_000);
  });

  it('publishes its catalogue when it comes late, after the prices', async () => {
    const { clock, world, writer, run } = await setupAfterRun(2 * MINUTE);
    const started = clock.now();
    world.page = delayed(clock, world.page, 40_000);
    const report = await run();
    expect(report.publications.map(({ asOf }) => asOf - started)).toEqual([30_000, 40_000]);
    expect(writer.last?.catalogueAsOf).toBe(started);
  });

  it('reports both errors when the prices fail as well', async () => {
    const { clock, world } = await setupAfterRun(2 * MINUTE);
    world.page = unreachable;
    world.midpoints = unreachable;
    const report = new RunReport();
    const running = runRefresh('full', world.container(), clock.now() + RUN_MS, report);
    await expect(whileTimePasses(clock, running)).rejects.toThrow('upstream is down');
    expect(report.pricesError).toMatchObject({ message: 'CLOB returned no midpoints' });
  });

  it('publishes prices of all markets instead of fewer than half of them, until the third run in a row', async () => {
    const { clock, world, writer, run } = setup();
    await run();
    world.markets = world.markets.slice(0, 14);
    const sizes: (number | undefined)[] = [];
    for (const kind of ['full', 'prices', 'full', 'prices', 'full'] as const) {
      await clock.advance(MINUTE);
      await run(kind);
      sizes.push(writer.last?.markets.length);
    }
    expect(sizes).toEqual([30, 30, 30, 30, 14]);
    expect(writer.published).toHaveLength(6);
  });

  it('begins to count again after a run with enough markets', async () => {
    const { clock, world, writer, run } = setup();
    const all = world.markets;
    const sizes: (number | undefined)[] = [];
    for (const count of [30, 14, 15, 7, 7]) {
      world.markets = all.slice(0, count);
      await run();
      await clock.advance(2 * MINUTE);
      sizes.push(writer.last?.markets.length);
    }
    expect(sizes).toEqual([30, 30, 15, 15, 15]);
  });
});

describe('the memory of a stage', () => {
  it('begins with its first sample', async () => {
    const { clock, world, writer, run, newContainer } = setup();
    const began = clock.now();
    await run();
    expect(writer.last).not.toHaveProperty('memorySince');
    await clock.advance(11 * MINUTE);
    newContainer();
    await run();
    expect(writer.last?.memorySince).toBe(began);
    // Samples expire after 32 days.
    world.store.items.delete('SAMPLE');
    newContainer();
    await clock.advance(MINUTE);
    await run('prices');
    expect(writer.last?.memorySince).toBe(began);
  });
});
