import { describe, expect, it } from '@jest/globals';
import type { HistorySpan } from '../../../../lambda/core/domain/history-plan.ts';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import { HistoryRequests } from '../../../../lambda/jobs/refresh/history-requests.ts';
import { TIMEOUTS } from '../../../../lambda/jobs/refresh/timeouts.ts';
import { ManualClock, whileTimePasses } from '../../../support/manual-clock.ts';
import { testMarket, testMarkets } from '../../../support/markets.ts';
import { RefreshWorld } from './refresh-rig.ts';

// For its price changes, a market needs two price histories: a "day" of 36 hours for the changes over
// an hour and a day, and a "month" of 30.5 days for the longer ones. A run of the refresher requests
// those that it lacks, for 20 tokens in a call. A month takes three calls, because a call has at most
// 15 days. The run publishes a snapshot meanwhile.

const DAY = 86_400;
/** How the rig names a call for the histories of a day. */
const DAY_CALL = / of 36 h$/;
/** `whileTimePasses` moves the clock in these steps, so a wait ends up to one step late. */
const CLOCK_STEP_MS = 100;

/** A run that has a minute for its histories. */
async function setup() {
  const clock = new ManualClock();
  const world = new RefreshWorld(clock);
  const container = world.container();
  await container.startPrices.load(undefined, clock.now(), clock.now() + 60_000);
  const deadline = clock.now() + 60_000;
  const requests = new HistoryRequests(container, deadline, clock.now());
  return { clock, world, requests, startPrices: container.startPrices };
}

describe('a run that reads histories', () => {
  it('reads those of the first 40 markets before it publishes, then the other days', async () => {
    const { world, requests } = await setup();
    await requests.beforePublication(testMarkets(50));
    const kinds = world.calls.map((call) => (DAY_CALL.test(call) ? 'day' : 'month'));
    const months = Array(2 * 3).fill('month');
    expect(kinds).toEqual(['day', 'day', ...months, 'day']);
    expect(world.calls.at(-1)).toBe('histories 10 of 36 h');
  });

  it('reads the other months after it has published', async () => {
    const { world, requests } = await setup();
    await requests.beforePublication(testMarkets(50));
    world.calls.length = 0;
    await requests.afterPublication(testMarkets(50));
    expect(world.calls).toHaveLength(3);
    for (const call of world.calls) {
      expect(call).toMatch(/^histories 10 /);
      expect(call).not.toMatch(DAY_CALL);
    }
  });

  it('reads from 12 hours before each window, in spans of less than 15 days', async () => {
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

  it('leaves a market to the next run if one span of its month fails', async () => {
    const { clock, world, requests, startPrices } = await setup();
    const read = world.histories;
    world.histories = async (tokens, span, deadline) => {
      const isNewest = span.kind === 'window' && span.end === clock.now() / 1_000;
      if (!isNewest) throw new Error('down');
      return await read(tokens, span, deadline);
    };
    await requests.beforePublication(testMarkets(1));
    expect(startPrices.needsHistory('month', testMarket(0), clock.now())).toBe(true);
    // The day succeeds with one call. Two of the three calls for the month fail.
    expect(requests.counts).toEqual({
      historyCalls: 4,
      historyCallsFailed: 2,
      historiesRecorded: 1,
    });
  });

  it('leaves the tokens that are missing in a response to the next run', async () => {
    const { clock, world, requests, startPrices } = await setup();
    world.histories = async ([token = '']) =>
      new Map([[token, [{ t: clock.now() / 1_000 - DAY, p: 0.4 }]]]);
    await requests.beforePublication(testMarkets(2));
    const needed = testMarkets(2).map((market) =>
      startPrices.needsHistory('day', market, clock.now()),
    );
    expect(needed).toEqual([false, true]);
  });

  it('does not need an empty history again for an hour', async () => {
    const { clock, world, requests, startPrices } = await setup();
    world.histories = async (tokens) => new Map(tokens.map((token) => [token, []]));
    await requests.beforePublication(testMarkets(1));
    const needed = [0, 59, 61].map((minutes) =>
      startPrices.needsHistory('month', testMarket(0), clock.now() + minutes * 60_000),
    );
    expect(needed).toEqual([false, false, true]);
  });

  it('goes on after failed calls if others succeed', async () => {
    const { clock, world, requests } = await setup();
    const read = world.histories;
    // The first call and every fourth after it succeed.
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
    // The days of 400 markets are 20 groups, and the months of the first 40 are two groups.
    expect(historyCalls).toBe(20 + 2 * 3);
    // Of the seven calls that succeed, six are days of 20 markets. One is a third of a month.
    expect(historyCallsFailed).toBe(26 - 7);
    expect(historiesRecorded).toBe(6 * 20);
  });
});

describe('a run that waits for histories', () => {
  /**
   * A run whose calls respond after this time, or fail then. `timeouts` has the time that each call
   * may take. `publish` gets the numbers of markets before and after the publication.
   */
  async function slowRun(ms: number, { fails = false } = {}) {
    const rig = await setup();
    const { clock, world } = rig;
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
    return { ...rig, publish, timeouts, tookMs: () => clock.now() - started };
  }

  /**
   * Calls that begin together with 1,000 markets. Eight groups of 20 tokens are read at once: six
   * days, and the months of the first 40 markets, two groups of three calls each.
   */
  const AT_ONCE = 6 + 2 * 3;

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
    // The last calls begin after 48 s.
    expect(new Set(timeouts)).toEqual(new Set([TIMEOUTS.historyStalledMs, 60_000 - 48_000]));
  });

  it('makes no call after it has ended', async () => {
    const { requests, clock, world, tookMs } = await slowRun(16_000);
    await whileTimePasses(clock, requests.beforePublication(testMarkets(1_000)));
    requests.stop();
    await whileTimePasses(clock, requests.afterPublication([]));
    expect(world.calls).toHaveLength(AT_ONCE);
    // The calls under way end after 16 s.
    expect(tookMs()).toBeLessThanOrEqual(16_000 + CLOCK_STEP_MS);
  });

  it('makes no call after three have failed and none has succeeded', async () => {
    const { publish, world, tookMs } = await slowRun(16_000, { fails: true });
    await publish(1_000);
    // Each of the first two failures lets another call begin, which fails after 16 s more.
    expect(world.calls).toHaveLength(AT_ONCE + 2);
    expect(tookMs()).toBeLessThanOrEqual(2 * 16_000 + CLOCK_STEP_MS);
  });

  it('makes no call after the publication when those before it have failed', async () => {
    const { publish, world, tookMs } = await slowRun(0, { fails: true });
    await publish(60, 900);
    // Three calls for the days of 60 markets, and six for the months of the first 40.
    expect(world.calls).toHaveLength(3 + 6);
    expect(tookMs()).toBeLessThanOrEqual(TIMEOUTS.historyPatienceMs + CLOCK_STEP_MS);
  });

  it('makes no call when none has responded for 20 s', async () => {
    const { publish, world, tookMs } = await slowRun(200_000);
    await publish(1_000);
    expect(world.calls).toHaveLength(AT_ONCE);
    const waits = TIMEOUTS.historyPatienceMs + TIMEOUTS.historyStalledMs;
    expect(tookMs()).toBeLessThanOrEqual(waits + CLOCK_STEP_MS);
  });
});
