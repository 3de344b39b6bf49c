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
  it('are the days and months of the first 40 markets, then the other days, before the publication', async () => {
    const { world, requests } = await setup();
    await requests.beforePublication(testMarkets(50));
    const days = world.calls.flatMap((call, n) => (call.endsWith('of 36 h') ? [n] : []));
    // A month takes three calls, because one call has at most 15 days. So the calls are: two of
    // days, six of months, and one of the days of the last ten markets.
    expect(days).toEqual([0, 1, 2 + 2 * 3]);
    expect(world.calls.at(-1)).toBe('histories 10 of 36 h');
    expect(world.calls).toHaveLength(3 + 2 * 3);
    await requests.afterPublication(testMarkets(50));
    expect(world.calls).toHaveLength(3 + 3 * 3);
  });

  it('cover the time from 12 hours before each window until now, in spans of less than 15 days', async () => {
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

  it.each([
    // Eight groups of 20 tokens are read at once. Two of the first eight groups are months, with
    // three calls each, so 12 calls begin together.
    ['after the deadline', 'deadline', 12 + 8 * 3, 64_000],
    ['after the run has ended', 'stop', 12, 20_000],
    ['after three of them have failed, when none has succeeded', 'failure', 12 + 2, 40_000],
    ['after the publication when those before it have failed', 'fast failure', 9, 2_100],
    ['when none has arrived for 20 s', 'hang', 12, 22_100],
  ])('make no call %s', async (_when, how, calls, withinMs) => {
    const { clock, world, requests, deadline } = await setup();
    const read = world.histories;
    const started = clock.now();
    const allowed: number[] = [];
    world.histories = async (tokens, span, until) => {
      allowed.push(until - Math.min(deadline, clock.now() + 20_000));
      const found = await read(tokens, span, until);
      if (how !== 'fast failure') await sleep(clock, how === 'hang' ? 200_000 : 16_000);
      if (how.endsWith('failure')) throw new Error('down');
      return found;
    };
    await whileTimePasses(
      clock,
      requests.beforePublication(testMarkets(how === 'fast failure' ? 60 : 1_000)),
    );
    if (how === 'stop') requests.stop();
    await whileTimePasses(
      clock,
      requests.afterPublication(how === 'fast failure' ? testMarkets(900) : []),
    );
    expect(world.calls).toHaveLength(calls);
    expect(new Set(allowed)).toEqual(new Set([0]));
    expect(clock.now() - started).toBeLessThanOrEqual(withinMs);
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
