import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import { bookAround, catalogueMarkets } from './catalogue-markets.ts';
import { refreshRig } from './refresh-rig.ts';

// The sizes of a market are the shares at its best bid and at its best ask. A full run reads them
// from CLOB beside the prices. A price run keeps those of the full run before it.

/** Two markets, and their sizes in the newest snapshot: 100 shares at each best price. */
function rig() {
  const { world, writer, run, clock } = refreshRig();
  world.markets = catalogueMarkets(2);
  const sizes = () => writer.last?.markets.map(({ bidSize, askSize }) => [bidSize, askSize]);
  return { world, run, clock, sizes };
}
/** A market without sizes. */
const NONE = [undefined, undefined];

describe('the sizes of a full run', () => {
  it('are those of the markets that were listed when it began', async () => {
    const { run, clock, sizes } = rig();
    await run();
    expect(sizes()).toEqual([NONE, NONE]);
    await clock.advance(2 * MINUTE_MS);
    await run();
    expect(sizes()).toEqual([
      [100, 100],
      [100, 100],
    ]);
  });

  it('are absent where the best price of the book is not the one that was read', async () => {
    const { world, run, clock, sizes } = rig();
    await run();
    await clock.advance(2 * MINUTE_MS);
    const { bestLevels } = world;
    world.bestLevels = async (tokens, deadline) => {
      const levels = await bestLevels(tokens, deadline);
      return new Map(Array.from(levels, ([token, best]) => [token, { ...best, bestBid: 0.3 }]));
    };
    await run();
    expect(sizes()).toEqual([
      [undefined, 100],
      [undefined, 100],
    ]);
  });
});

it('sizes whose calls fail within 6 s cost nothing else', async () => {
  const { world, run, clock, sizes } = rig();
  await run();
  await clock.advance(2 * MINUTE_MS);
  const timeoutsMs: number[] = [];
  world.bestLevels = async (_tokens, deadline) => {
    timeoutsMs.push(deadline - clock.now());
    throw new Error('down');
  };
  expect(await run()).toMatchObject({ publications: [{ outcome: 'published' }] });
  expect(sizes()).toEqual([NONE, NONE]);
  expect(timeoutsMs).toEqual([6_000]);
});

describe('the sizes of a price run', () => {
  it('are those of the full run before it, without those of prices that moved', async () => {
    const { world, run, clock, sizes } = rig();
    await run();
    await clock.advance(2 * MINUTE_MS);
    await run();
    await clock.advance(MINUTE_MS);
    const [, moved] = world.markets;
    world.book = (token) => bookAround(token === moved?.clobTokenId ? 0.6 : 0.5);
    await run('prices');
    expect(sizes()).toEqual([[100, 100], NONE]);
  });

  it('are absent when the full run before it was 150 s ago', async () => {
    const { run, clock, sizes } = rig();
    await run();
    await clock.advance(2 * MINUTE_MS);
    await run();
    // 156 s: the service serves prices for 150 s.
    await clock.advance(2.6 * MINUTE_MS);
    await run('prices');
    expect(sizes()).toEqual([NONE, NONE]);
  });
});
