import { describe, expect, it } from '@jest/globals';
import { sleep } from '../../../../lambda/platform/clock.ts';
import { DynamoDbMemoryStore } from '../../../../lambda/price-memory/memory-store.ts';
import { StoredPriceMemory } from '../../../../lambda/price-memory/stored-price-memory.ts';
import type { Prices } from '../../../../lambda/refresh/ports.ts';
import { refresh } from '../../../../lambda/refresh/refresh.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { fakePrices, fakePublisher, listable, pagedCatalogue } from './fake-upstreams.ts';

const RUN_MS = 117_000;
const PATIENCE_MS = 70_000;
const MARKETS = 40;

/** Runs in new containers, which know what is stored, over one upstream. */
function containers(prices: Prices) {
  const clock = new ManualClock();
  const { client, table } = new MemoryTable();
  const store = fakePublisher();
  const run = async () => {
    const memory = new StoredPriceMemory({
      store: new DynamoDbMemoryStore({ client, table, now: clock.now }),
      random: () => 0.5,
    });
    const catalogue = pagedCatalogue([
      Array.from({ length: MARKETS }, (_, n) => listable(catalogueMarket(n))),
    ]);
    const shared = { catalogue, prices, publisher: store.publisher, clock, random: () => 0.5 };
    const running = refresh({ ...shared, memory, maxMarkets: MARKETS }, clock.now() + RUN_MS);
    await clock.advance(RUN_MS);
    return await running;
  };
  return { clock, run, published: store.published };
}

describe('histories that take longer than the prices wait', () => {
  it('are not lost: the run goes on after it has published, and the next one need not ask again', async () => {
    const prices = fakePrices({
      histories: async (tokens, { start }) => {
        await sleep(clock, 90_000);
        return new Map(tokens.map((token) => [token, [{ t: start, p: 0.4 }]]));
      },
    });
    const { clock, run, published } = containers(prices);
    const started = clock.now();
    const first = await run();
    expect(published[0]?.asOf).toBe(started + PATIENCE_MS);
    expect(first.report).toMatchObject({ withOneDayChange: 0, memoryKept: true });
    expect(first.durationMs).toBe(PATIENCE_MS);
    const next = await run();
    expect(next.report).toMatchObject({ withOneDayChange: MARKETS, historyBatches: 0 });
  });
});

describe('histories of a route that takes one token a call', () => {
  it('that are missing after the first run all come with the next', async () => {
    let share = 0.5;
    const histories: Prices['histories'] = async (tokens, { start }) => {
      const some = tokens.slice(0, Math.ceil(tokens.length * share));
      return new Map(some.map((token) => [token, [{ t: start, p: 0.4 }]]));
    };
    const { run } = containers({ ...fakePrices({ histories }), tokensPerCall: 1 });
    expect((await run()).report.withOneDayChange).toBe(MARKETS / 2);
    share = 1;
    expect((await run()).report.withOneDayChange).toBe(MARKETS);
  });
});
