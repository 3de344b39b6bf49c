import { describe, expect, it } from '@jest/globals';
import type { HistorySpan } from '../../../../lambda/core/domain/history-plan.ts';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import { HistoryRequests } from '../../../../lambda/jobs/refresh/history-requests.ts';
import { ManualClock, whileTimePasses } from '../../../support/manual-clock.ts';
import { testMarket, testMarkets } from '../../../support/markets.ts';
import { RefreshWorld } from './refresh-rig.ts';

const DAY = 86_400;

/** A run that has a minute for its histories. A call has the histories of up to 20 tokens. */
async function setup() {
  const clock = new ManualClock();
  const world = new RefreshWorld(clock);
  const container = world.container();
  await container.startPrices.load(undefined, clock.now(), clock.now() + 60_000);
  const deadline = clock.now() + 60_000;
  const requests = new HistoryRequests(container, deadline, clock.now());
  return { clock, world, requests, startPrices: container.startPrices, deadline };
}

describe('the histories of a run', () => {
  it('before the publication are those of the first 40 markets, then the other days', async () => {
    const { world, requests } = await setup();
    await requests.beforePublication(testMarkets(50));
    // A month takes three calls, because one call has at most 15 days.
    const kinds = world.calls.map((call) => (call.endsWith('of 36 h') ? 'day' : 'month'));
    const months = Array(6).fill('month');
    expect(kinds).toEqual(['day', 'day', ...months, 'day']);
    expect(world.calls.at(-1)).toBe('histories 10 of 36 h');
  });

  it('after the publication are the other months', async () => {
    const { world, requests } = await setup();
    await requests.beforePublication(testMarkets(50));
    world.calls.length = 0;
    await requests.afterPublication(testMarkets(50));
    expect(world.calls).toHaveLength(3);
    for (const call of world.calls) expect(call).toMatch(/^histories 10 of (?!36 h)/);
  });

  it('begin 12 hours before each window, in spans of less than 15 days', async () => {
    const { clock, world, requests } = await setup();
    const spans: (HistorySpan & { kind: 'window' })[] = [];
    world.histories = async (_tokens, span) => {
      if (span.kind === 'window') spans.push(span);
      return new Map();
    };
    const now = Math.floor(clock.now() / 1_000);
    await requests.beforePublication(testMarkets(1));
    const [day, ...months] = spans;
    expect(day).toMatchObject({ start: now - 1.5 * DAY, end: now, fidelity: 10 });
    expect(months[0]).toMatchObject({ end: now, fidelity: 120 });
    expect(months.slice(1).map(({ end }) => end)).toEqual(
      months.slice(0, -1).map(({ start }) => start),
    );
    expect(months.at(-1)?.start).toBe(now - 30.5 * DAY);
    for (const { start, end } of spans) expect(end - start).toBeLessThan(15 * DAY);
  });

  it('that fail for one span leave the market to the next run', async () => {
    const { clock, world, requests, startPrices } = await setup();
    const read = world.histories;
    world.histories = async (tokens, span, deadline) => {
      if (span.kind === 'window' && span.end < clock.now() / 1_000) throw new Error('down');
      return await read(tokens, span, deadline);
    };
    await requests.beforePublication(testMarkets(1));
    expect(startPrices.needsHistory('month', testMarket(0), clock.now())).toBe(true);
    expect(requests.counts).toEqual({
      historyCalls: 4,
      historyCallsFailed: 2,
      historiesRecorded: 1,
    });
  });

  it('are incomplete for the tokens that are missing in a response', async () => {
    const { clock, world, requests, startPrices } = await setup();
    world.histories = async ([token = '']) =>
      new Map([[token, [{ t: clock.now() / 1_000 - DAY, p: 0.4 }]]]);
    await requests.beforePublication(testMarkets(2));
    const needed = testMarkets(2).map((market) =>
      startPrices.needsHistory('day', market, clock.now()),
    );
    expect(needed).toEqual([false, true]);
  });

  it('that are empty count as such for an hour', async () => {
    const { clock, world, requests, startPrices } = await setup();
    world.histories = async (tokens) => new Map(tokens.map((token) => [token, []]));
    await requests.beforePublication(testMarkets(1));
    const needed = [0, 59, 61].map((minutes) =>
      startPrices.needsHistory('month', testMarket(0), clock.now() + minutes * 60_000),
    );
    expect(needed).toEqual([false, false, true]);
  });

  it('go on after some calls have failed when others succeed', async () => {
    const { clock, world, requests } = await setup();
    const read = world.histories;
    world.histories = async (...args) => {
      if (world.calls.length % 4 !== 0) {
        world.calls.push('failed');
        await sleep(clock, 100);
        throw new Error('down');
      }
      return await read(...args);
    };
    await whileTimePasses(clock, requests.beforePublication(testMarkets(400)));
    const { historyCalls, historyCallsFailed, historiesRecorded } = requests.counts;
    expect(historyCalls).toBe(20 + 2 * 3);
    expect(historyCallsFailed).toBeGreaterThan(15);
    expect(historiesRecorded).toBe(120);
  });
});

describe('a run that waits for histories', () => {
  /** A run whose calls respond after this time, or fail then. */
  async function slowRun(ms: number, fails = false) {
    const rig = await setup();
    const { clock, world, deadline } = rig;
    const started = clock.now();
    const read = world.histories;
    const timeouts: number[] = [];
    world.histories = async (...call) => {
      const [, , until] = call;
      timeouts.push(until - clock.now());
      const found = await read(...call);
      await sleep(clock, ms);
      if (fails) throw new Error('down');
      return found;
    };
    const publish = async (before: number, after = 0) => {
      await whileTimePasses(clock, rig.requests.beforePublication(testMarkets(before)));
      await whileTimePasses(clock, rig.requests.afterPublication(testMarkets(after)));
    };
    return { ...rig, publish, timeouts, deadline, tookMs: () => clock.now() - started };
  }

  /**
   * Calls that begin together with 1,000 markets. Eight groups of 20 tokens are read at once. Two
   * of them are months, with three calls each.
   */
  const AT_ONCE = 12;

  it('makes no call after the deadline of a minute', async () => {
    const { publish, world, tookMs } = await slowRun(16_000);
    await publish(1_000);
    // Eight more groups begin after 16, 32 and 48 s. Their last calls end after 64 s.
    expect(world.calls).toHaveLength(AT_ONCE + 3 * 8);
    expect(tookMs()).toBeLessThanOrEqual(64_000);
  });

  it('lets each call take 20 s, but not beyond the deadline', async () => {
    const { publish, timeouts } = await slowRun(16_000);
    await publish(1_000);
    // The last calls begin 12 s before the deadline.
    expect(new Set(timeouts)).toEqual(new Set([20_000, 12_000]));
  });

  it('makes no call after it has ended', async () => {
    const { requests, clock, world, tookMs } = await slowRun(16_000);
    await whileTimePasses(clock, requests.beforePublication(testMarkets(1_000)));
    requests.stop();
    await whileTimePasses(clock, requests.afterPublication([]));
    expect(world.calls).toHaveLength(AT_ONCE);
    expect(tookMs()).toBeLessThanOrEqual(20_000);
  });

  it('makes no call after three have failed and none has succeeded', async () => {
    const { publish, world, tookMs } = await slowRun(16_000, true);
    await publish(1_000);
    // Each of the first two failures lets another call begin.
    expect(world.calls).toHaveLength(AT_ONCE + 2);
    expect(tookMs()).toBeLessThanOrEqual(40_000);
  });

  it('makes no call after the publication when those before it have failed', async () => {
    const { publish, world, tookMs } = await slowRun(0, true);
    await publish(60, 900);
    // Three calls for the days of 60 markets, and six for the months of the first 40.
    expect(world.calls).toHaveLength(3 + 6);
    expect(tookMs()).toBeLessThanOrEqual(2_100);
  });

  it('makes no call when none has responded for 20 s', async () => {
    const { publish, world, tookMs } = await slowRun(200_000);
    await publish(1_000);
    expect(world.calls).toHaveLength(AT_ONCE);
    expect(tookMs()).toBeLessThanOrEqual(22_100);
  });
});
