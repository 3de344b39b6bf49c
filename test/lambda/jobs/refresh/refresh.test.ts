import { describe, expect, it } from '@jest/globals';
import type { CatalogueRecord } from '../../../../lambda/core/domain/market.ts';
import { MINUTE_MS as MINUTE } from '../../../../lambda/core/domain/time.ts';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import type { SnapshotDraft } from '../../../../lambda/io/snapshots/snapshot-writer.ts';
import { delayed } from '../../../support/manual-clock.ts';
import { bookAround, catalogueMarket, catalogueMarkets } from './catalogue-markets.ts';
import { RUN_MS, refreshRig, rigAfterRun, unreachable } from './refresh-rig.ts';

// A rig lists 30 markets. Their price is 0.5 now, 0.45 in the catalogue, and was 0.4 in all
// histories, so each change is 10 points. The clock moves only when a run or a test waits.
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

  it('stores the histories that arrive after the publication, and the next run shows their changes', async () => {
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

  it('stores what it has learnt when it publishes, while the other histories are still under way', async () => {
    const { clock, world, writer, run, newContainer } = refreshRig();
    const read = world.histories;
    world.histories = async (tokens, span, deadline) => {
      // The histories of a month have another fidelity.
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
    world.markets = [catalogueMarket(1, { catalogue: { outcome: 0.4 } })];
    world.book = () => ({});
    world.lastTrades = async () => new Map([[catalogueMarket(1).clobTokenId, {}]]);
    await expect(run()).rejects.toThrow('No market in the catalogue has a price');
    expect(writer.published).toEqual([]);
  });
});

describe('a full run', () => {
  it('lists at most the markets of the stage, and counts those without a price [sentences 1, 22]', async () => {
    const { clock, world, writer, run, newContainer } = refreshRig();
    world.markets = catalogueMarkets(6);
    world.book = (token) => (token.endsWith('5') ? {} : bookAround(0.5));
    newContainer(4);
    const result = await run();
    expect(result).toMatchObject({ outcome: { catalogue: { skippedByReason: { price: 1 } } } });
    expect(writer.last).toMatchObject({ counts: { skippedByReason: { price: 1 } }, isCut: true });
    expect(writer.last?.markets).toHaveLength(4);
    await clock.advance(MINUTE);
    newContainer(5);
    await run();
    expect(writer.last?.markets).toHaveLength(5);
    expect(writer.last?.isCut).toBe(false);
  });

  it('requests the 7- and 30-day histories of at most 400 more markets a run, after the publication', async () => {
    const { clock, world, writer, run } = refreshRig();
    world.markets = catalogueMarkets(900);
    await run();
    expect(writer.last?.markets[40]).not.toHaveProperty('sevenDayPriceChange');
    const months = () =>
      world.calls.filter((call) => !call.includes('36 h') && call.startsWith('histories'));
    // A month takes three calls for each 20 tokens. Those of the first 40 markets come first.
    expect(months()).toHaveLength(3 * (2 + 400 / 20));
    for (let n = 0; n < 2; n++) {
      await clock.advance(2 * MINUTE);
      await run();
    }
    await clock.advance(MINUTE);
    await run('prices');
    expect(
      writer.last?.markets.every(({ thirtyDayPriceChange }) => thirtyDayPriceChange === 10),
    ).toBe(true);
    expect(months()).toHaveLength(3 * (900 / 20));
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

describe('a full run that cannot publish its catalogue', () => {
  it('keeps the snapshot that it has read when the table stops responding', async () => {
    const { world, writer, run } = await rigAfterRun(2 * MINUTE);
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

  it('publishes its catalogue when it comes late, after the prices', async () => {
    const { clock, world, writer, run } = await rigAfterRun(2 * MINUTE);
    const started = clock.now();
    // A run waits 30 s for its catalogue. Then it publishes prices of the markets that it knows.
    world.page = delayed(clock, world.page, 40_000);
    const { publications } = await run();
    expect(publications.map(({ asOf }) => asOf - started)).toEqual([30_000, 40_000]);
    expect(writer.last?.catalogueAsOf).toBe(started);
  });

  it('does not wait for the prices when its catalogue comes late and CLOB fails', async () => {
    const { clock, world, writer, run } = await rigAfterRun(2 * MINUTE);
    const started = clock.now();
    world.page = delayed(clock, world.page, 35_000);
    world.sides = unreachable;
    const { publications } = await run();
    expect(publications).toMatchObject([{ outcome: 'published' }]);
    expect(publications[0]?.afterMs).toBeLessThan(35_000 + 13_000);
    expect(writer.last?.asOf).toBe(started);
  });

  it('reports both errors when the prices fail as well', async () => {
    const { world, writer, tryRun } = await rigAfterRun(2 * MINUTE);
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
    const { clock, world, writer, run } = refreshRig();
    await run();
    // Fewer than half of 30.
    world.markets = world.markets.slice(0, 14);
    const kinds: string[] = [];
    for (const kind of ['full', 'prices', 'full', 'prices', 'full'] as const) {
      await clock.advance(MINUTE);
      kinds.push((await run(kind)).outcome.kind);
      // Markets that CLOB still has stay for two crawls.
      expect(writer.last?.markets).toHaveLength(30);
    }
    expect(kinds).toEqual(['shrunk', 'prices', 'shrunk', 'prices', 'catalogue']);
    expect(writer.published).toHaveLength(6);
  });

  it('publishes fewer markets when the stage lists fewer than before', async () => {
    const { writer, run, newContainer } = await rigAfterRun(2 * MINUTE);
    newContainer(10);
    await run();
    expect(writer.last?.markets).toHaveLength(10);
  });
});

describe('a catalogue that hides markets', () => {
  it('makes lists that keep them for two crawls while CLOB has their prices', async () => {
    const { clock, world, writer, run } = await rigAfterRun(MINUTE);
    world.markets = world.markets.slice(10);
    const sizes: (number | undefined)[] = [];
    for (let crawl = 1; crawl <= 3; crawl++) {
      await run();
      sizes.push(writer.last?.markets.length);
      await clock.advance(2 * MINUTE);
    }
    expect(sizes).toEqual([30, 30, 20]);
  });

  /** Six minutes later no run keeps the hidden markets any more. */
  async function rigWithout(hidden: number) {
    const rig = await rigAfterRun(MINUTE);
    const all = rig.world.markets;
    rig.world.markets = all.slice(hidden);
    const runs = async () => {
      for (const kind of ['full', 'prices', 'full', 'prices', 'full', 'prices'] as const) {
        await rig.run(kind);
        await rig.clock.advance(MINUTE);
      }
    };
    await runs();
    return { ...rig, all, runs, missing: () => rig.writer.last?.missing };
  }

  it('makes a list that names them, in every container, until it has them again', async () => {
    const { writer, world, all, run, runs, newContainer, missing } = await rigWithout(10);
    expect(writer.last?.markets).toHaveLength(20);
    expect(missing()).toMatchObject({ expected: 30 });
    const first = writer.published.find((snapshot) => snapshot.missing);
    expect(missing()?.since).toBe(first?.asOf);
    newContainer();
    await runs();
    expect(missing()).toEqual(first?.missing);
    world.markets = all;
    const { publications } = await run();
    expect(missing()).toBeUndefined();
    expect(publications[0]?.missing).toBeUndefined();
  });

  it('makes a complete list when CLOB has closed them', async () => {
    const rig = await rigAfterRun(MINUTE);
    const closed = rig.world.markets.slice(0, 10).map(({ clobTokenId }) => clobTokenId);
    rig.world.markets = rig.world.markets.slice(10);
    rig.world.book = (token) => (closed.includes(token) ? {} : bookAround(0.5));
    await rig.run();
    expect(rig.writer.last?.markets).toHaveLength(20);
    expect(rig.writer.last?.missing).toBeUndefined();
  });

  /** The first ten records of each page. */
  const replaced =
    (by: (id: string) => CatalogueRecord) =>
    (records: readonly CatalogueRecord[]): CatalogueRecord[] =>
      records.map((record, n) => (n < 10 && record.id ? by(record.id) : record));

  it.each<[string, CatalogueRecord, number | undefined]>([
    ['lacks them when their records are unreadable', { kind: 'skipped', reason: 'question' }, 10],
    ['is complete when they are closed', { kind: 'inactive' }, undefined],
    [
      'is complete when they cannot be traded',
      { kind: 'skipped', reason: 'no_order_book' },
      undefined,
    ],
  ])('makes a list that %s', async (_what, record, missing) => {
    const { world, run, writer } = await rigAfterRun(MINUTE);
    world.shown = replaced((id) => ({ ...record, id }));
    await run();
    expect(writer.last?.markets).toHaveLength(20);
    expect(writer.last?.missing?.markets.length).toBe(missing);
  });

  it('is not compared with the list of another upstream, or of a version that named none', async () => {
    for (const upstream of ['other.test', undefined]) {
      const { world, run, writer } = await rigAfterRun(MINUTE);
      const published = writer.published.pop();
      if (published) writer.published.push({ ...published, upstream } as SnapshotDraft);
      world.shown = replaced((id) => ({ kind: 'skipped', reason: 'question', id }));
      await run();
      expect(writer.last?.missing).toBeUndefined();
      expect(writer.last?.upstream).toBe('gamma.test');
    }
  });
});

describe('a full run after which another one has published a newer snapshot', () => {
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
    const months = (await superseded()).calls.filter(
      (call) => call.startsWith('histories') && !call.includes('36 h'),
    );
    // Two calls of 20 tokens for each of three windows.
    expect(months).toHaveLength(3 * 2);
  });
});

describe('prices that fail', () => {
  it('let a full run wait until the newest snapshot is 125 s old, and then publish the catalogue', async () => {
    const { clock, world, writer, run } = refreshRig();
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
    const prices = {
      midpoint: 0.45,
      priceSource: 'catalogue',
      bestBid: 0.44,
      oneDayPriceChange: 5,
    };
    expect(writer.last?.markets[0]).toMatchObject(prices);
  });

  it('let a full run that must end earlier publish the catalogue then, so that readers always have data', async () => {
    const { world, writer, run } = await rigAfterRun(100);
    world.sides = unreachable;
    const { publications } = await run();
    expect(publications[0]?.afterMs).toBeGreaterThan(RUN_MS - 3_000);
    expect(writer.published).toHaveLength(2);
  });

  it('make snapshots that name the time of the first of them, until the prices are back', async () => {
    const { clock, world, writer, run } = await rigAfterRun(MINUTE);
    const { sides } = world;
    world.sides = unreachable;
    await run();
    const first = writer.last?.asOf;
    await clock.advance(MINUTE);
    await run();
    expect(writer.last?.asOf).toBeGreaterThan(first ?? 0);
    expect(writer.last?.fallbackSince).toBe(first);
    world.sides = sides;
    await clock.advance(MINUTE);
    await run();
    expect(writer.last).not.toHaveProperty('fallbackSince');
  });

  it.each([
    ['while it waits', MINUTE, 20_000],
    ['within 10 s when the newest snapshot is too old for readers', 10 * MINUTE, 5_000],
  ])('let a full run take the prices that come back %s', async (_when, age, backAfter) => {
    const { clock, world, writer, run } = await rigAfterRun(age);
    const read = world.sides;
    const back = clock.now() + backAfter;
    world.sides = async (...args) => (clock.now() < back ? unreachable() : await read(...args));
    const { publications } = await run();
    expect(publications[0]?.afterMs).toBeLessThan(backAfter + 10_000);
    expect(writer.last?.asOf).toBeGreaterThanOrEqual(back);
    expect(writer.last?.markets[0]).toMatchObject({ priceSource: 'book' });
  });

  it.each([
    ['full', 'most', 250],
    ['full', 'all', 50],
    ['prices', 'most', 250],
  ] as const)(
    'fail a %s run if %s of them would be older than ten minutes',
    async (kind, _share, minFailing) => {
      const { clock, world, writer, run } = refreshRig();
      world.markets = catalogueMarkets(300);
      const [{ page, sides }, madeAt] = [world, clock.now()];
      world.page = async (...args) => ({ ...(await page(...args)), madeAt });
      await run();
      await clock.advance(10 * MINUTE);
      const pricedAt = new Date(madeAt).toISOString();
      const { last } = writer;
      if (last) {
        const markets = last.markets.map((market) => ({ ...market, pricedAt }));
        await writer.publish({ ...last, asOf: clock.now(), markets });
      }
      world.sides = async (tokens, deadline) =>
        tokens.length >= minFailing ? unreachable() : await sides(tokens, deadline);
      await expect(run(kind)).rejects.toThrow(
        'The prices of most markets are older than ten minutes',
      );
      expect(writer.published).toHaveLength(2);
    },
  );
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
