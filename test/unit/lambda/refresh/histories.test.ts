import { describe, expect, it } from '@jest/globals';
import { sleep } from '../../../../lambda/platform/clock.ts';
import type { PriceHistories } from '../../../../lambda/refresh/ports.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { HOUR_MS, historiesOf, OLD, tokensOf } from './histories-run.ts';

const TOP = 5;

describe('the past of a market', () => {
  const now = Date.parse('2026-11-21T12:00:00.999Z');
  const secondsAgo = (hours: number) => Math.floor(now / 1_000) - hours * 3_600;
  const ranges = {
    day: { start: secondsAgo(24 + 12), end: secondsAgo(0), fidelity: 15 },
    weeks: { start: secondsAgo(24 + 12 + 15 * 24 - 1), end: secondsAgo(24 + 12), fidelity: 60 },
    month: { start: secondsAgo(30 * 24 + 12), end: secondsAgo(24 + 12 + 15 * 24 - 1), fidelity: 120 },
  };

  it('is asked for in stretches that follow on each other, half a day further back than the window', async () => {
    const { histories, calls } = await historiesOf({ ...OLD, clock: new ManualClock(now) });
    histories.add(['a']);
    await histories.settle(['a'], 1);
    expect(calls.map(({ kind, range }) => [kind, range])).toEqual([
      ['day', ranges.day],
      ['month', ranges.weeks],
      ['month', ranges.month],
    ]);
  });

  it('is handed to the memory as one history, with the second up to which it was asked for', async () => {
    const { histories, learnt, report } = await historiesOf({ ...OLD, clock: new ManualClock(now) });
    histories.addLong(['a']);
    await histories.settle([], 0);
    const points = [ranges.weeks, ranges.month].map(({ start }) => ({ t: start, p: 0.4 }));
    expect(learnt).toEqual([['month', new Map([['a', points]]), secondsAgo(0)]]);
    expect(report).toMatchObject({ historyBatches: 2, historyBatchesFailed: 0, marketsAskedFor: 1 });
  });

  it('is not learnt where one of its stretches is missing, so that the next run asks again', async () => {
    const { histories, learnt, report } = await historiesOf({
      ...OLD,
      histories: async (tokens, { fidelity }) =>
        new Map(tokens.slice(fidelity === 60 ? 1 : 0).map((token) => [token, []])),
    });
    histories.addLong(['a', 'b']);
    await histories.settle([], 0);
    expect([...(learnt[0]?.[1].keys() ?? [])]).toEqual(['b']);
    expect(report).toMatchObject({ historyBatchesFailed: 0, marketsAskedFor: 1 });
  });

  it('is not learnt where a call fails, which is counted', async () => {
    const { histories, learnt, report } = await historiesOf({
      ...OLD,
      histories: async (tokens, { fidelity }) => {
        if (fidelity === 60) throw new Error('down');
        return new Map(tokens.map((token) => [token, []]));
      },
    });
    histories.addLong(['a']);
    await histories.settle([], 0);
    expect(learnt.map(([, { size }]) => size)).toEqual([0]);
    expect(report).toMatchObject({ historyBatches: 2, historyBatchesFailed: 1, marketsAskedFor: 0 });
  });

  it('is asked for once, however often a market comes', async () => {
    const { histories, asked, calls } = await historiesOf(OLD);
    histories.add(['a', 'b']);
    histories.add(['b', 'c']);
    histories.addLong(['a']);
    await histories.settle(['a', 'b', 'c'], 1);
    expect(asked).toEqual({ day: ['a', 'b', 'c'], month: ['a', 'b', 'c'] });
    expect(calls.map(({ kind, tokens }) => [kind, tokens])).toEqual([
      ['month', 1],
      ['month', 1],
      ['day', 3],
      ['month', 2],
      ['month', 2],
    ]);
  });

  it('is not asked for where the memory has it, or the market had no midpoint lately', async () => {
    const { histories, asked } = await historiesOf({
      ...OLD,
      unpriced: ['a'],
      known: { day: ['b'], month: ['c'] },
    });
    const tokens = ['a', 'b', 'c'];
    histories.add(tokens);
    await histories.settle(tokens, 2);
    expect(asked).toEqual({ day: ['c'], month: ['b'] });
  });

  it('is asked for by twenty tokens a call', async () => {
    const { histories, calls } = await historiesOf();
    histories.addLong(tokensOf(41));
    expect(calls.map(({ tokens }) => tokens)).toEqual([20, 20, 20, 20, 1, 1]);
  });
});

describe('the days of markets', () => {
  it('are asked for while the catalogue arrives where the memory is new, the rest at the end', async () => {
    const { histories, asked } = await historiesOf();
    histories.add(tokensOf(19));
    expect(asked.day).toEqual([]);
    histories.add(tokensOf(1, 19));
    expect(asked.day).toEqual(tokensOf(20));
    histories.add(tokensOf(49, 20));
    expect(asked.day).toEqual(tokensOf(60));
    await histories.settle([], 0);
    expect(asked.day).toEqual(tokensOf(69));
  });

  it('wait for the end where there is a memory', async () => {
    const { histories, asked } = await historiesOf(OLD);
    histories.add(tokensOf(40));
    expect(asked.day).toEqual([]);
  });

  it.each([
    ['of a few', 100, OLD, 20],
    ['of a few, on a route of one token a call', 100, { ...OLD, tokensPerCall: 1 }, 3],
    ['of a few, on a route of five', 100, { ...OLD, tokensPerCall: 5 }, 5],
    ['of many', 101, OLD, 101],
    ['of a few, the memory an hour old', 30, { memoryAge: HOUR_MS }, 20],
    ['of a few, the memory not an hour old', 30, { memoryAge: HOUR_MS - 1 }, 30],
  ] as const)('%s are asked for by one call or all at once', async (_, unknown, options, expected) => {
    const { histories, asked } = await historiesOf(options);
    histories.add(tokensOf(unknown));
    await histories.settle([], 0);
    expect(asked.day).toEqual(tokensOf(expected));
  });
});

describe('the months of markets', () => {
  it.each([
    ['of a few', 100, OLD, 20],
    ['of a few, on a route of one token a call', 100, { ...OLD, tokensPerCall: 1 }, 1],
    ['of many', 101, { ...OLD, tokensPerCall: 1 }, 101],
    ['of more than a run asks for', 450, OLD, 400],
    ['of a few, the memory not an hour old', 50, { memoryAge: HOUR_MS - 1 }, 50],
    ['of a few, the memory new', 50, {}, 50],
  ] as const)(
    '%s are asked for by one call or as far as a run goes',
    async (_, unknown, options, expected) => {
      const { histories, asked } = await historiesOf(options);
      await histories.settle(tokensOf(unknown), 0);
      expect(asked.month).toEqual(tokensOf(expected));
    },
  );

  it('come from the top of the list, past those that the memory has', async () => {
    const { histories, asked } = await historiesOf({ ...OLD, known: { month: tokensOf(30) } });
    await histories.settle(tokensOf(60), 0);
    expect(asked.month).toEqual(tokensOf(20, 30));
  });

  it.each([
    ['a hundred days have been asked for on the way', {}, 100, true],
    ['more days have', {}, 101, false],
    ['sixty days wait, of which one call is made', OLD, 60, true],
    ['more than a hundred days come at once', OLD, 101, false],
  ] as const)(
    'of all markets are asked for, or those of the top alone: %s',
    async (_, options, days, follow) => {
      const { histories, asked } = await historiesOf({ ...options, known: { day: tokensOf(10, 1_000) } });
      histories.add(tokensOf(days));
      await histories.settle(tokensOf(10, 1_000), TOP);
      expect(asked.month).toEqual(tokensOf(follow ? 10 : TOP, 1_000));
    },
  );
});

describe('a memory that is not open yet', () => {
  it('lets everything wait that was asked for before', async () => {
    let open = () => {};
    const opening = new Promise<void>((resolve) => {
      open = resolve;
    });
    const known = { day: [] as string[], month: [] as string[] };
    const { histories, asked } = await historiesOf({ ...OLD, opening, known });
    histories.addLong(['long', 'known']);
    histories.add(['day', 'known']);
    const settled = histories.settle([], 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual({ day: [], month: [] });
    for (const tokens of Object.values(known)) tokens.push('known');
    open();
    await settled;
    expect(asked).toEqual({ day: ['day'], month: ['long'] });
  });
});

describe('histories that are slow', () => {
  async function slow(takesMs: number, histories?: PriceHistories['histories']) {
    const clock = new ManualClock();
    const test = await historiesOf({
      ...OLD,
      clock,
      histories: async (tokens, ...rest) => {
        await sleep(clock, takesMs);
        return histories ? await histories(tokens, ...rest) : new Map(tokens.map((token) => [token, []]));
      },
    });
    test.histories.add(['a']);
    let settledAfter: number | undefined;
    const started = clock.now();
    const settled = test.histories.settle([], 0).then(() => {
      settledAfter = clock.now() - started;
    });
    await clock.advance(80_000);
    await settled;
    const rest = test.histories.rest();
    await clock.advance(80_000);
    return { settledAfter, rest: await rest };
  }

  it.each([
    [69_999, 69_999, false],
    [90_000, 70_000, true],
  ])(
    'and take %i ms are waited for %i ms; whether more came afterwards: %s',
    async (takes, settledAfter, rest) => {
      expect(await slow(takes)).toEqual({ settledAfter, rest });
    },
  );

  it('and fail in the end have brought nothing more', async () => {
    const { rest } = await slow(90_000, () => Promise.reject(new Error('down')));
    expect(rest).toBe(false);
  });
});
