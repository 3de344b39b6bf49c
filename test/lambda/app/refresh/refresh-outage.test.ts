import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS as MINUTE } from '../../../../lambda/core/domain/time.ts';
import { catalogueMarkets, RUN_MS, refreshRig, rigAfterRun, unreachable } from './refresh-fakes.ts';

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
    const prices = { midpoint: 0.45, priceSource: 'catalogue', bestBid: 0.44, oneDayPriceChange: 5 };
    expect(writer.last?.markets[0]).toMatchObject(prices);
  });

  it('let a full run that must end earlier publish the catalogue then, so that readers always have data', async () => {
    const { world, writer, run } = await rigAfterRun(100);
    world.sides = unreachable;
    const { publications } = await run();
    expect(publications[0]?.afterMs).toBeGreaterThan(RUN_MS - 3_000);
    expect(writer.published).toHaveLength(2);
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
  ] as const)('fail a %s run if %s of them would be older than ten minutes', async (kind, _share, minFailing) => {
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
    await expect(run(kind)).rejects.toThrow('The prices of most markets are older than ten minutes');
    expect(writer.published).toHaveLength(2);
  });
});
