import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS as MINUTE } from '../../../../lambda/core/domain/time.ts';
import { delayed } from '../../../support/manual-clock.ts';
import { catalogueMarkets } from './catalogue-markets.ts';
import { RUN_MS, refreshRig, rigAfterRun, unreachable } from './refresh-rig.ts';

// A full run reads the catalogue of markets from Gamma and their prices from CLOB, and publishes
// both as a snapshot. A price run reads only prices. If one of them fails, a run publishes what it
// has.
//
// A rig lists 30 markets. Their price is 0.5 now, 0.45 in the catalogue, and was 0.4 in all
// histories. The clock moves only when a run or a test waits.

describe('a full run that cannot publish its catalogue', () => {
  it('keeps the snapshot that it has read when the table stops responding', async () => {
    const { world, writer, run } = await rigAfterRun(2 * MINUTE);
    const found = await writer.newest();
    let reads = 0;
    writer.newest = async () => {
      reads += 1;
      if (reads > 1) throw new Error('The table does not respond');
      return found;
    };
    // Fewer than half of 30.
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

  it('publishes its catalogue soon when it comes late and CLOB fails', async () => {
    const { clock, world, writer, run } = await rigAfterRun(2 * MINUTE);
    const started = clock.now();
    world.page = delayed(clock, world.page, 35_000);
    world.sides = unreachable;
    const { publications } = await run();
    expect(publications).toMatchObject([{ outcome: 'published' }]);
    // With its catalogue, the run tries CLOB for 10 s, and a little longer for the last attempt.
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

  it('publishes prices of all markets while the catalogue lacks more than half', async () => {
    const { clock, world, writer, run } = refreshRig();
    await run();
    // Fewer than half of 30.
    world.markets = world.markets.slice(0, 14);
    const kinds: string[] = [];
    for (const kind of ['full', 'prices', 'full', 'prices', 'full'] as const) {
      await clock.advance(MINUTE);
      kinds.push((await run(kind)).outcome.kind);
    }
    // The third full run believes the catalogue. Markets that CLOB still has stay for two crawls.
    expect(kinds).toEqual(['shrunk', 'prices', 'shrunk', 'prices', 'catalogue']);
    expect(writer.published.map(({ markets }) => markets.length)).toEqual(Array(6).fill(30));
  });

  it('publishes fewer markets when the stage lists fewer than before', async () => {
    const { writer, run, newContainer } = await rigAfterRun(2 * MINUTE);
    newContainer(10);
    await run();
    expect(writer.last?.markets).toHaveLength(10);
  });
});

describe('prices that fail', () => {
  it('let a full run publish the catalogue when the newest snapshot is 125 s old', async () => {
    const { clock, world, writer, run } = refreshRig();
    await run();
    const first = writer.last?.asOf ?? 0;
    // The run begins a minute after the time of the first snapshot.
    await clock.advance(first + MINUTE - clock.now());
    world.sides = unreachable;
    const started = clock.now();
    const { publications } = await run();
    const publishedAt = started + (publications[0]?.afterMs ?? 0);
    expect(publishedAt - first).toBeGreaterThanOrEqual(125_000);
    // Less than one more attempt later.
    expect(publishedAt - first).toBeLessThan(128_000);
    expect(writer.last).toMatchObject({ asOf: started, catalogueAsOf: started });
    expect(writer.last?.markets[0]).toMatchObject({
      midpoint: 0.45,
      priceSource: 'catalogue',
      bestBid: 0.44,
      // From 0.4 to 0.45.
      oneDayPriceChange: 5,
    });
  });

  it('let a full run publish the catalogue before it must end', async () => {
    const { world, writer, run } = await rigAfterRun(100);
    // The newest snapshot is 0.1 s old, so the run ends before that is 125 s old.
    world.sides = unreachable;
    const { publications } = await run();
    // A run waits for CLOB until 2.5 s before its end.
    expect(publications[0]?.afterMs).toBeGreaterThan(RUN_MS - 3_000);
    expect(writer.published).toHaveLength(2);
  });

  it('leave the time of their first failure in snapshots until they are back', async () => {
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
    { when: 'while it waits', ageMs: MINUTE, backAfterMs: 20_000 },
    // The newest snapshot is too old for readers.
    { when: 'within 10 s of an outage', ageMs: 10 * MINUTE, backAfterMs: 5_000 },
  ])('let a full run take the prices that come back $when', async ({ ageMs, backAfterMs }) => {
    const { clock, world, writer, run } = await rigAfterRun(ageMs);
    const read = world.sides;
    const backAt = clock.now() + backAfterMs;
    world.sides = async (...args) => (clock.now() < backAt ? unreachable() : await read(...args));
    const { publications } = await run();
    // The pause before the next attempt is 8 s at most.
    expect(publications[0]?.afterMs).toBeLessThan(backAfterMs + 10_000);
    expect(writer.last?.asOf).toBeGreaterThanOrEqual(backAt);
    expect(writer.last?.markets[0]).toMatchObject({ priceSource: 'book' });
  });

  /**
   * A stage of 300 markets, whose only snapshot and catalogue are ten minutes old. A run reads the
   * sides in two calls, of 250 tokens and of 50. A call of at least `minFailing` tokens fails.
   */
  async function rigAfterTenMinutes(minFailing: number) {
    const rig = refreshRig();
    const { clock, world, run } = rig;
    const { page, sides } = world;
    world.markets = catalogueMarkets(300);
    const madeAt = clock.now();
    world.page = async (...args) => ({ ...(await page(...args)), madeAt });
    await run();
    await clock.advance(10 * MINUTE);
    world.sides = async (tokens, deadline) =>
      tokens.length >= minFailing ? unreachable() : await sides(tokens, deadline);
    return { ...rig, madeAt };
  }

  it('of some markets let a run publish the others if the newest snapshot is too old', async () => {
    // The call of 250 tokens fails, and that of 50 succeeds.
    const { writer, run } = await rigAfterTenMinutes(250);
    await run();
    expect(writer.last?.markets).toHaveLength(50);
  });

  it.each([
    { kind: 'full', share: 'most', minFailing: 250 },
    { kind: 'full', share: 'all', minFailing: 50 },
    { kind: 'prices', share: 'most', minFailing: 250 },
  ] as const)(
    'fail a $kind run if $share of them would be older than ten minutes',
    async ({ kind, minFailing }) => {
      const { clock, writer, run, madeAt } = await rigAfterTenMinutes(minFailing);
      // The newest snapshot has prices of ten minutes ago.
      const { last } = writer;
      if (!last) throw new Error('The first run published nothing');
      const pricedAt = new Date(madeAt).toISOString();
      const markets = last.markets.map((market) => ({ ...market, pricedAt }));
      await writer.publish({ ...last, asOf: clock.now(), markets });
      await expect(run(kind)).rejects.toThrow(
        'The prices of most markets are older than ten minutes',
      );
      expect(writer.published).toHaveLength(2);
    },
  );
});
