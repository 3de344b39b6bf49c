import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS as MINUTE } from '../../../../lambda/core/domain/time.ts';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import { delayed } from '../../../support/manual-clock.ts';
import { bookAround, catalogueMarket, catalogueMarkets } from './catalogue-markets.ts';
import { refreshRig, rigAfterRun, unreachable } from './refresh-rig.ts';

// The refresher publishes snapshots: lists of markets with their prices. A full run reads the
// catalogue of markets from Gamma, and their prices from CLOB. A price run, between two full ones,
// reads only prices. Changes compare them with histories, which a run reads once for each market.
//
// A rig lists 30 markets. Their price is 0.5 now, 0.45 in the catalogue, and was 0.4 in all
// histories, so each change is 10 points. The clock moves only when a run or a test waits.

/** Whether a call reads a part of a month, such as `histories 20 of 244 h`. A day has 36 h. */
const isMonthCall = (call: string) => call.startsWith('histories') && !call.endsWith(' of 36 h');

describe('the first run', () => {
  it('lists all markets with their changes when upstream is fast [sentence 2]', async () => {
    const { world, writer, run } = refreshRig();
    const report = await run();
    expect(report.publications).toMatchObject([
      { outcome: 'published', markets: 30, withOneDayChange: 30 },
    ]);
    const changes = { oneDayPriceChange: 10, sevenDayPriceChange: 10, thirtyDayPriceChange: 10 };
    expect(writer.last?.markets[19]).toMatchObject({
      currentProbability: 50,
      midpoint: 0.5,
      ...changes,
    });
    expect(world.calls.find((call) => call.startsWith('histories'))).toBe('histories 20 of 36 h');
  });

  it('stores histories that come late, so that the next run shows their changes', async () => {
    const { clock, world, writer, run, newContainer } = refreshRig();
    // A publication waits 2 s for histories.
    world.histories = delayed(clock, world.histories, 20_000);
    const report = await run();
    expect(report.publications[0]).toMatchObject({ withOneDayChange: 0, afterMs: 2_000 });
    world.histories = unreachable;
    newContainer();
    await run('prices');
    expect(writer.last?.markets[25]).toMatchObject({
      oneDayPriceChange: 10,
      thirtyDayPriceChange: 10,
    });
  });

  it('stores the histories of a day while those of a month are on their way', async () => {
    const { clock, world, writer, run, newContainer } = refreshRig();
    const read = world.histories;
    world.histories = async (tokens, span, deadline) => {
      // The points of a day are 10 minutes apart, those of a month more.
      const isMonth = span.fidelity > 10;
      if (isMonth) await sleep(clock, deadline - clock.now());
      return await read(tokens, span, deadline);
    };
    const running = run();
    await clock.advance(10_000);
    newContainer();
    const [{ publications }] = await Promise.all([run('prices'), running]);
    expect(publications).toMatchObject([{ withOneDayChange: 30 }]);
    expect(writer.published).toHaveLength(2);
  });

  it('publishes catalogue prices after 10 s when CLOB fails', async () => {
    const { world, writer, run } = refreshRig();
    world.sides = unreachable;
    const { publications } = await run();
    expect(publications[0]?.afterMs).toBeLessThanOrEqual(13_000);
    expect(writer.last?.markets[0]).toMatchObject({
      currentProbability: 45,
      priceSource: 'catalogue',
    });
    expect(writer.last?.counts.bySource.catalogue).toBe(30);
  });

  it('fails when no market has a price', async () => {
    const { world, writer, run } = refreshRig();
    // The catalogue's outcome price counts only without a volume or with a book (`priceOf`).
    world.markets = [catalogueMarket(1, { catalogue: { outcome: 0.4 } })];
    world.book = () => ({});
    world.lastTrades = async () => new Map([[catalogueMarket(1).clobTokenId, {}]]);
    await expect(run()).rejects.toThrow('No market in the catalogue has a price');
    expect(writer.published).toEqual([]);
  });
});

describe('a full run', () => {
  it.each([
    { maxMarkets: 4, isCut: true },
    { maxMarkets: 6, isCut: false },
  ])('lists at most the $maxMarkets markets of the stage [sentences 1, 22]', async (row) => {
    const { world, writer, run, newContainer } = refreshRig();
    world.markets = catalogueMarkets(6);
    newContainer(row.maxMarkets);
    await run();
    const markets = { length: row.maxMarkets };
    // A list is cut if the catalogue has more markets.
    expect(writer.last).toMatchObject({ markets, isCut: row.isCut });
  });

  it('counts the markets without a price', async () => {
    const { world, writer, run } = refreshRig();
    world.book = (token) => (token === world.markets[5]?.clobTokenId ? {} : bookAround(0.5));
    const skippedByReason = { price: 1 };
    expect(await run()).toMatchObject({ outcome: { catalogue: { skippedByReason } } });
    expect(writer.last?.counts).toMatchObject({ skippedByReason });
  });

  it('requests the months of at most 400 more markets after the publication', async () => {
    const { clock, world, writer, run } = refreshRig();
    world.markets = catalogueMarkets(900);
    await run();
    expect(writer.last?.markets[40]).not.toHaveProperty('sevenDayPriceChange');
    // A month takes three calls for each 20 tokens. The first 40 markets have theirs before the
    // publication.
    expect(world.calls.filter(isMonthCall)).toHaveLength(3 * ((40 + 400) / 20));
    for (let n = 0; n < 2; n++) {
      await clock.advance(2 * MINUTE);
      await run();
    }
    await clock.advance(MINUTE);
    await run('prices');
    const changes = writer.last?.markets.map(({ thirtyDayPriceChange }) => thirtyDayPriceChange);
    expect(changes).toEqual(Array(900).fill(10));
    expect(world.calls.filter(isMonthCall)).toHaveLength(3 * (900 / 20));
  });
});

describe('a price run', () => {
  it('becomes a full run when CLOB does not respond for 5 s', async () => {
    const { clock, world, writer, run } = await rigAfterRun(MINUTE);
    world.sides = unreachable;
    const started = clock.now();
    await run('prices');
    expect(writer.last?.catalogueAsOf).toBe(started + 5_000);
  });

  it('becomes a full run without a snapshot', async () => {
    const { writer, run } = refreshRig();
    await run('prices');
    expect(writer.published).toHaveLength(1);
  });

  it('keeps a catalogue of the last hour while Gamma is down [sentence 35]', async () => {
    const { world, writer, run } = await rigAfterRun(59 * MINUTE);
    world.page = unreachable;
    await run('prices');
    expect(writer.published).toHaveLength(2);
  });

  it('becomes a full run when the catalogue is older than an hour [sentence 35]', async () => {
    const { world, run } = await rigAfterRun(61 * MINUTE);
    world.page = unreachable;
    await expect(run('prices')).rejects.toThrow('upstream is down');
  });
});

describe('a full run whose snapshot is older than the newest', () => {
  /** Runs while another run has published a newer snapshot. */
  const superseded = async () => {
    const { world, writer, run } = refreshRig();
    world.markets = catalogueMarkets(100);
    writer.publish = async () => ({ outcome: 'superseded', bytes: 0 });
    await run();
    return world;
  };

  it('stores no sample', async () => {
    expect((await superseded()).store.items.has('SAMPLE')).toBe(false);
  });

  it('requests the months of the first 40 markets only', async () => {
    const { calls } = await superseded();
    expect(calls.filter(isMonthCall)).toHaveLength(3 * (40 / 20));
  });
});

it('the memory of a stage begins with its first sample', async () => {
  const { clock, world, writer, run, newContainer } = refreshRig();
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
