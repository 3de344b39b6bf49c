import { describe, expect, it } from '@jest/globals';
import type { HistorySpan } from '../../../lambda/domain/history-plan.ts';
import { sleep } from '../../../lambda/platform/clock.ts';
import { HistoryRequests } from '../../../lambda/refresh/history-requests.ts';
import { RunReport } from '../../../lambda/refresh/run-report.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { catalogueMarkets, World, whileTimePasses } from './refresh-fakes.ts';

const DAY = 86_400;

function setup(loaded = Promise.resolve()) {
  const clock = new ManualClock();
  const world = new World(clock);
  const report = new RunReport();
  const container = world.container();
  const deadline = clock.now() + 60_000;
  const requests = new HistoryRequests({ ...container, loaded, deadline, report });
  return { clock, world, report, requests, startPrices: container.startPrices, deadline };
}

describe('the histories of a run', () => {
  it('begin while the catalogue is arriving, in full batches, once for each market', async () => {
    const { clock, world, requests } = setup();
    const markets = catalogueMarkets(50);
    requests.add(markets.slice(0, 30));
    await clock.advance(0);
    expect(world.calls).toEqual(['histories 20 of 36 h']);
    requests.add(markets.slice(20));
    await clock.advance(0);
    expect(world.calls).toHaveLength(2);
    await requests.beforePrices(markets);
    expect(world.calls[2]).toBe('histories 10 of 36 h');
  });

  it('begin when the stored prices are known, and not before', async () => {
    let known = () => {};
    const loaded = new Promise<void>((resolve) => {
      known = resolve;
    });
    const { clock, world, requests } = setup(loaded);
    requests.add(catalogueMarkets(20));
    await clock.advance(1_000);
    expect(world.calls).toEqual([]);
    known();
    await clock.advance(0);
    expect(world.calls).toHaveLength(1);
  });

  it('cover the time from 12 hours before each window, in spans of less than 15 days', async () => {
    const { clock, world, requests } = setup();
    const spans: (HistorySpan & { kind: 'window' })[] = [];
    world.histories = async (_tokens, span) => {
      if (span.kind === 'window') spans.push(span);
      return new Map();
    };
    const now = Math.floor(clock.now() / 1_000);
    requests.add(catalogueMarkets(20));
    await requests.beforePrices(catalogueMarkets(20));
    const [day, ...months] = spans;
    expect(day).toMatchObject({ start: now - 1.5 * DAY, end: now, fidelity: 15 });
    const [newer, older] = months;
    expect(newer).toMatchObject({ end: day?.start, fidelity: 60 });
    expect(older).toMatchObject({ end: newer?.start, start: now - 30.5 * DAY, fidelity: 120 });
    for (const { start, end } of spans) expect(end - start).toBeLessThan(15 * DAY);
  });

  it('that fail for one span leave the market to the next run', async () => {
    const { clock, world, report, requests, startPrices } = setup();
    const read = world.histories;
    world.histories = async (tokens, span, deadline) => {
      if (span.kind === 'window' && span.fidelity === 120) throw new Error('down');
      return await read(tokens, span, deadline);
    };
    const [market] = catalogueMarkets(1);
    await requests.beforePrices(market ? [market] : []);
    expect(startPrices.needsHistory('month', market?.id ?? '', clock.now())).toBe(true);
    expect(report).toMatchObject({ historyCalls: 2, historyCallsFailed: 1, historiesRecorded: 0 });
  });

  it('are incomplete for the tokens that are missing in a response', async () => {
    const { clock, world, requests, startPrices } = setup();
    const markets = catalogueMarkets(2);
    world.histories = async ([token = '']) => new Map([[token, [{ t: clock.now() / 1_000 - DAY, p: 0.4 }]]]);
    requests.add(markets);
    await requests.beforePrices(markets);
    const needed = markets.map(({ id }) => startPrices.needsHistory('day', id, clock.now()));
    expect(needed).toEqual([false, true]);
  });

  it.each([
    ['after the deadline', 'deadline', 8 * 4, 64_000],
    ['after the run has ended', 'stop', 8, 20_000],
    ['after three of them have failed, when none has succeeded', 'failure', 8 + 2, 40_000],
    ['of the month when those of the day have failed', 'fast failure', 3, 100],
    ['when none has arrived for 20 s', 'hang', 8, 20_100],
  ])('make no call %s', async (_when, how, calls, withinMs) => {
    const { clock, world, requests, deadline } = setup();
    const read = world.histories;
    const started = clock.now();
    world.histories = async (tokens, span, until) => {
      expect(until).toBe(Math.min(deadline, clock.now() + 20_000));
      const found = await read(tokens, span, until);
      if (how !== 'fast failure') await sleep(clock, how === 'hang' ? 200_000 : 16_000);
      if (how.endsWith('failure')) throw new Error('down');
      return found;
    };
    requests.add(catalogueMarkets(how === 'fast failure' ? 60 : 1_000));
    await clock.advance(0);
    if (how === 'stop') requests.stop();
    await whileTimePasses(clock, requests.afterPublication(how === 'fast failure' ? catalogueMarkets(900) : []));
    expect(world.calls).toHaveLength(calls);
    expect(clock.now() - started).toBeLessThanOrEqual(withinMs);
  });

  it('go on after some calls have failed when others succeed', async () => {
    const { clock, world, requests, report } = setup();
    const read = world.histories;
    world.histories = async (...args) => {
      if (world.calls.length % 4 !== 0) {
        world.calls.push('failed');
        await sleep(clock, 100);
        throw new Error('down');
      }
      return await read(...args);
    };
    requests.add(catalogueMarkets(400));
    await whileTimePasses(clock, requests.afterPublication([]));
    expect(report).toMatchObject({ historyCalls: 20, historyCallsFailed: 15, historiesRecorded: 100 });
  });
});
