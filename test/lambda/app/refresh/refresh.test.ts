import { describe, expect, it } from '@jest/globals';
import { type RunKind, runRefresh } from '../../../../lambda/app/refresh/refresh.ts';
import type { RunResult } from '../../../../lambda/app/refresh/run-result.ts';
import type { BookSides } from '../../../../lambda/core/domain/price.ts';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { bookAround, catalogueMarket, catalogueMarkets, World, whileTimePasses } from './refresh-fakes.ts';

const MINUTE = 60_000;
const RUN_MS = 110_000;

function setup() {
  const clock = new ManualClock();
  const world = new World(clock);
  let container = world.container();
  const tryRun = (kind: RunKind = 'full'): Promise<RunResult> =>
    whileTimePasses(clock, runRefresh(kind, container, clock.now() + RUN_MS));
  const run = async (kind: RunKind = 'full'): Promise<RunResult> => {
    const result = await tryRun(kind);
    if (result.outcome.kind === 'failed') throw result.outcome.error;
    return result;
  };
  const newContainer = (maxMarkets?: number) => {
    container = world.container(maxMarkets);
  };
  return { clock, world, writer: world.writer, run, tryRun, newContainer };
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
    expect(world.calls.find((call) => call.startsWith('histories'))).toBe('histories 20 of 36 h');
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
      if (span.fidelity !== 10) await sleep(clock, deadline - clock.now());
      return await read(tokens, span, deadline);
    };
    const running = run();
    await clock.advance(10_000);
    newContainer();
    const [{ publications }] = await Promise.all([run('prices'), running]);
    expect(publications).toMatchObject([{ withOneDayChange: 30 }]);
    expect(writer.published).toHaveLength(2);
  });

  it('publishes catalogue prices after 10 s when CLOB fails, since readers have no data at all', async () => {
    const { world, writer, run } = setup();
    world.sides = unreachable;
    const { publications } = await run();
    expect(publications[0]?.afterMs).toBeLessThanOrEqual(13_000);
    expect(writer.last?.markets[0]).toMatchObject({ currentProbability: 45, priceSource: 'catalogue' });
    expect(writer.last?.counts.bySource.catalogue).toBe(30);
  });

  it('fails when no market has a price', async () => {
    const { world, writer, run } = setup();
    world.markets = [catalogueMarket(1, { catalogue: {} })];
    world.book = () => ({});
    await expect(run()).rejects.toThrow('No market in the catalogue has a price');
    expect(writer.published).toEqual([]);
  });
});

describe('a full run', () => {
  it('lists at most the markets of the stage, and counts those without a price', async () => {
    const { world, writer, run, newContainer } = setup();
    world.markets = catalogueMarkets(6);
    world.book = (token) => (token.endsWith('5') ? {} : bookAround(0.5));
    newContainer(4);
    const result = await run();
    expect(result).toMatchObject({ outcome: { catalogue: { skippedByReason: { price: 1 } } } });
    expect(writer.last?.counts).toMatchObject({ skipped: 1, skippedByReason: { price: 1 } });
  });

  it('requests the 7- and 30-day histories of at most 400 more markets a run, after the publication', async () => {
    const { clock, world, writer, run } = setup();
    world.markets = catalogueMarkets(900);
    await run();
    expect(writer.last?.markets[40]).not.toHaveProperty('sevenDayPriceChange');
    const months = () => world.calls.filter((call) => !call.includes('36 h') && call.startsWith('histories'));
    expect(months()).toHaveLength(3 * (2 + 400 / 20));
    for (let n = 0; n < 2; n++) {
      await clock.advance(2 * MINUTE);
      await run();
    }
    await clock.advance(MINUTE);
    await run('prices');
    expect(writer.last?.markets.every(({ thirtyDayPriceChange }) => thirtyDayPriceChange === 10)).toBe(true);
    expect(months()).toHaveLength(3 * (900 / 20));
  });

  it('keeps a market that the catalogue does not confirm while it has an order book', async () => {
    const { world, writer, run } = await setupAfterRun(2 * MINUTE);
    const [gone, quiet] = world.markets;
    world.markets = world.markets.slice(2);
    world.recordsByIds = unreachable;
    world.book = (token) => (token === quiet?.clobTokenId ? {} : bookAround(0.5));
    await run();
    const ids = writer.last?.markets.map(({ id }) => id);
    expect(ids).toContain(gone?.id);
    expect(ids).not.toContain(quiet?.id);
  });
});

describe('prices that fail', () => {
  it('let a full run wait until the newest snapshot is 125 s old, and then publish the catalogue', async () => {
    const { clock, world, writer, run } = setup();
    await run();
    const first = writer.last?.asOf ?? 0;
    await clock.advance(first + MINUTE - clock.now());
    world.sides = async () => unreachable();
    const started = clock.now();
    const { publications } = await run();
    const publishedAt = started + (publications[0]?.afterMs ?? 0);
    expect(publishedAt - first).toBeGreaterThanOrEqual(125_000);
    expect(publishedAt - first).toBeLessThan(128_000);
    expect(writer.last).toMatchObject({ asOf: started, catalogueAsOf: started });
    const prices = { midpoint: 0.45, priceSource: 'catalogue', bestBid: 0.44, oneDayPriceChange: 5 };
    expect(writer.last?.markets[0]).toMatchObject(prices);
  });

  it('let a full run that must end earlier publish the catalogue then, so that readers always have data', async () => {
    const { world, writer, run } = await setupAfterRun(100);
    world.sides = unreachable;
    const { publications } = await run();
    expect(publications[0]?.afterMs).toBeGreaterThan(RUN_MS - 3_000);
    expect(writer.published).toHaveLength(2);
  });

  it.each([
    ['while it waits', MINUTE, 20_000],
    ['within 10 s when the newest snapshot is too old for readers', 10 * MINUTE, 5_000],
  ])('let a full run take the prices that come back %s', async (_when, age, backAfter) => {
    const { clock, world, writer, run } = await setupAfterRun(age);
    const read = world.sides;
    const back = clock.now() + backAfter;
    world.sides = async (...args) => (clock.now() < back ? unreachable() : await read(...args));
    const { publications } = await run();
    expect(publications[0]?.afterMs).toBeLessThan(backAfter + 10_000);
    expect(writer.last?.asOf).toBeGreaterThanOrEqual(back);
    expect(writer.last?.markets[0]).toMatchObject({ priceSource: 'book' });
  });

  it('in one call of two keep those of the snapshot before, until the catalogue has newer ones', async () => {
    const { clock, world, writer, run } = setup();
    world.markets = catalogueMarkets(300);
    await run();
    const read = world.sides;
    world.sides = async (tokens, deadline) => (tokens.length === 50 ? unreachable() : await read(tokens, deadline));
    world.book = () => bookAround(0.6);
    await clock.advance(MINUTE);
    await run('prices');
    expect(writer.last?.markets[0]).toMatchObject({ midpoint: 0.6, oneDayPriceChange: 20 });
    expect(writer.last?.markets[299]).toMatchObject({ midpoint: 0.5, priceSource: 'carried', oneDayPriceChange: 10 });
    const pricedAt = new Date(writer.published[0]?.asOf ?? 0).toISOString();
    expect(writer.last?.markets[299]).toMatchObject({ pricedAt });
    await clock.advance(MINUTE);
    await run('full');
    expect(writer.last?.markets[299]).toMatchObject({ midpoint: 0.45, priceSource: 'catalogue' });
    expect(writer.last?.counts.bySource).toMatchObject({ book: 250, catalogue: 50 });
  });

  it.each([
    ['one of five calls fails', 50, 0, 2],
    ['four of five calls fail', 250, 0, 1],
    ['more than a tenth of the markets lost their midpoint', 0, 106, 1],
    ['a tenth of the markets lost their midpoint', 0, 105, 2],
  ])('make a sample only of what was read: %s', async (_when, failingBatch, lost, samples) => {
    const { clock, world, run } = setup();
    world.markets = catalogueMarkets(1_050);
    await run();
    await clock.advance(11 * MINUTE);
    const read = world.sides;
    const isLost = new Set(world.markets.slice(0, lost).map(({ clobTokenId }) => clobTokenId));
    world.book = (token) => (isLost.has(token) ? { bid: 0.1, ask: 0.9 } : bookAround(0.5));
    world.lastTrade = () => 0.5;
    world.sides = async (tokens, deadline) =>
      tokens.length === failingBatch ? unreachable() : await read(tokens, deadline);
    await run();
    expect(world.store.items.get('SAMPLE')).toHaveLength(samples);
  });
});

describe('the price of a market', () => {
  /** The probability and the 1-day change of the first market, run after run, each a minute later. */
  async function follow(books: readonly (readonly [BookSides, number?])[]) {
    const { clock, world, writer, run } = setup();
    const victim = catalogueMarket(0);
    world.markets = [victim, ...catalogueMarkets(30).slice(1)];
    const shown: unknown[] = [];
    for (const [n, [book, lastTrade]] of books.entries()) {
      world.book = (token) => (token === victim.clobTokenId ? book : bookAround(0.5));
      world.lastTrade = (token) => (token === victim.clobTokenId ? lastTrade : undefined);
      await run(n % 2 === 0 ? 'full' : 'prices');
      const market = writer.last?.markets.find(({ id }) => id === victim.id);
      shown.push(market && [market.currentProbability, market.oneDayPriceChange]);
      await clock.advance(MINUTE);
    }
    return { shown, writer };
  }
  const tight = bookAround;

  it('does not go back when a game ends and its book is gone', async () => {
    const { shown } = await follow([
      [tight(0.56)],
      [tight(0.95)],
      [tight(0.98)],
      [{}],
      [{}],
      [{}],
      [{}, 0.99],
      [{}, 0.99],
    ]);
    // The catalogue still has 45 %.
    expect(shown).toEqual([[56, 16], [95, 55], [98, 58], [98, null], undefined, undefined, [99, null], [99, null]]);
  });

  it('is the last trade of an emptied or a wide book, without a change; the next day the change is right', async () => {
    const { clock, world, writer, run } = setup();
    const start = clock.now();
    const victim = world.markets[0]?.clobTokenId;
    world.history = (_token, { start }) => [{ t: start, p: 0.94 }];
    world.lastTrade = () => 0.94;
    const shown: unknown[] = [];
    for (const [minute, book] of [
      [0, tight(0.94)],
      [11, {}],
      [22, { bid: 0.01, ask: 0.99 }],
      [24 * 60 + 1, tight(0.94)],
      [24 * 60 + 12, tight(0.94)],
      [24 * 60 + 23, tight(0.94)],
    ] as const) {
      await clock.advance(start + minute * MINUTE - clock.now());
      world.book = (token) => (token === victim ? book : tight(0.94));
      await run();
      shown.push([writer.last?.markets[0]?.currentProbability, writer.last?.markets[0]?.oneDayPriceChange]);
    }
    expect(shown).toEqual([
      [94, 0],
      [94, null],
      [94, null],
      [94, 0],
      [94, null],
      [94, null],
    ]);
  });
});

describe('a price run', () => {
  it('publishes new prices and changes with the details of the newest snapshot', async () => {
    const { clock, world, writer, run } = setup();
    await run();
    const { catalogueAsOf, counts } = writer.last ?? {};
    await clock.advance(11 * MINUTE);
    world.book = () => bookAround(0.7);
    world.calls.length = 0;
    await run('prices');
    expect(world.calls).toEqual(['sides 30']);
    expect(writer.last).toMatchObject({ asOf: clock.now() - 100, catalogueAsOf, counts });
    expect(writer.last?.markets[0]).toMatchObject({ currentProbability: 70, oneDayPriceChange: 30 });
    expect(writer.last?.markets[0]?.outcomes).toMatchObject([{ probability: 70 }, { probability: 30 }]);
    expect(world.store.items.get('SAMPLE')).toHaveLength(1);
  });

  it('becomes a full run when CLOB does not respond for 5 s', async () => {
    const { clock, world, writer, run } = await setupAfterRun(MINUTE);
    world.sides = unreachable;
    const started = clock.now();
    await run('prices');
    expect(writer.last?.catalogueAsOf).toBe(started + 5_000);
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
    expect(await run()).toMatchObject({ outcome: { kind: 'shrunk' }, publications: [] });
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
    world.book = () => bookAround(0.6);
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
    const { publications } = await run();
    expect(publications.map(({ asOf }) => asOf - started)).toEqual([30_000, 40_000]);
    expect(writer.last?.catalogueAsOf).toBe(started);
  });

  it('does not wait for the prices when its catalogue comes late and CLOB fails', async () => {
    const { clock, world, writer, run } = await setupAfterRun(2 * MINUTE);
    const started = clock.now();
    world.page = delayed(clock, world.page, 35_000);
    world.sides = unreachable;
    const { publications } = await run();
    expect(publications).toMatchObject([{ outcome: 'published' }]);
    expect(publications[0]?.afterMs).toBeLessThan(35_000 + 13_000);
    expect(writer.last?.asOf).toBe(started);
  });

  it('reports both errors when the prices fail as well', async () => {
    const { world, writer, tryRun } = await setupAfterRun(2 * MINUTE);
    world.page = unreachable;
    writer.publish = async () => {
      throw new Error('the table');
    };
    expect(await tryRun()).toMatchObject({
      outcome: { kind: 'failed', error: { message: 'upstream is down' } },
      pricesError: { message: 'the table' },
    });
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
    // Markets that CLOB still has stay for two crawls.
    expect(sizes).toEqual([30, 30, 30, 30, 30]);
    expect(writer.published).toHaveLength(6);
  });

  it('does not count markets that the catalogue has not confirmed', async () => {
    const { world, writer, run } = await setupAfterRun(2 * MINUTE);
    world.markets = world.markets.slice(0, 14);
    world.recordsByIds = unreachable;
    expect(await run()).toMatchObject({ outcome: { kind: 'shrunk' } });
    expect(writer.last?.markets).toHaveLength(30);
  });

  it('publishes fewer markets when the stage lists fewer than before', async () => {
    const { writer, run, newContainer } = await setupAfterRun(2 * MINUTE);
    newContainer(10);
    await run();
    expect(writer.last?.markets).toHaveLength(10);
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
