import { describe, expect, it } from '@jest/globals';
import { CallCounter } from '../../../../lambda/http-client/call-counter.ts';
import type { ServiceMetrics } from '../../../../lambda/platform/telemetry.ts';
import type { Published, SnapshotPublisher } from '../../../../lambda/refresh/ports.ts';
import { reportedRefresh } from '../../../../lambda/refresh/reported-refresh.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { fakePrices, fakePublisher, listable, pagedCatalogue } from './fake-upstreams.ts';

const RUN_MS = 100_000;
const AGE_SECONDS = 130;

function setup(
  overrides: Partial<SnapshotPublisher> = {},
  previousAge = AGE_SECONDS,
  { maxMarkets = 100, changed = 10 } = {},
) {
  const clock = new ManualClock();
  const previous: Published = {
    id: 'previous',
    asOf: clock.now() - previousAge * 1_000,
    markets: 10,
    counts: { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 },
    shrunkRuns: 0,
  };
  const logged: string[] = [];
  const metrics = new Map<string, number>();
  const log = (message: string) => logged.push(message);
  const counters = {
    gamma: new CallCounter(() => undefined),
    clob: new CallCounter(() => undefined),
    data: new CallCounter(() => undefined),
  };
  const run = reportedRefresh({
    catalogue: pagedCatalogue([Array.from({ length: 10 }, (_, n) => listable(catalogueMarket(n)))]),
    prices: fakePrices({
      histories: async (tokens, { start }) =>
        new Map(tokens.slice(0, changed).map((token) => [token, [{ t: start, p: 0.4 }]])),
    }),
    publisher: { ...fakePublisher(previous).publisher, ...overrides },
    clock,
    random: () => 0.5,
    maxMarkets,
    logger: { info: log, warn: log, error: log },
    metrics: {
      add: (name: string, value: number) => metrics.set(name, value),
      addUpstream: () => undefined,
      flush: () => undefined,
    } as unknown as ServiceMetrics,
    counters,
  });
  return { clock, counters, logged, metrics, run: () => run(RUN_MS) };
}

const failing = async (): Promise<never> => {
  throw new Error('DynamoDB is not there');
};

describe('the age of the newest snapshot at the end of a run', () => {
  it('is that of its own snapshot when it has published', async () => {
    const { run, metrics } = setup();
    await run();
    expect(metrics.get('SnapshotAge')).toBe(0);
  });

  it.each(['superseded', 'failed'] as const)('is that of the pointer when it was %s', async (end) => {
    const superseded = async () => ({ outcome: 'superseded', bytes: 1, chunks: 1 }) as const;
    const { run, metrics } = setup({ publish: end === 'failed' ? failing : superseded });
    await run().catch(() => undefined);
    expect(metrics.get('SnapshotAge')).toBe(AGE_SECONDS);
    expect(metrics.get(end === 'failed' ? 'RefreshFailed' : 'RefreshSuperseded')).toBe(1);
  });

  it('is missing when the pointer cannot be read, and the run still fails for its own reason', async () => {
    const { run, metrics, logged } = setup({ latest: failing });
    await expect(run()).rejects.toThrow('DynamoDB is not there');
    expect(metrics.has('SnapshotAge')).toBe(false);
    expect(logged).toEqual(['Refresh failed', 'The age of the newest snapshot cannot be read']);
  });

  it.each([
    ['there is none', { latest: async () => undefined, publish: failing }, 0],
    ['its time lies in the far future', { publish: failing }, -3_600],
  ])('is missing when %s', async (_, overrides, age) => {
    const { run, metrics } = setup(overrides, age);
    await run().catch(() => undefined);
    expect(metrics.has('SnapshotAge')).toBe(false);
  });
});

describe('a full run of ten markets', () => {
  it.each([
    [12, undefined], // four fifths are 9
    [13, undefined],
    [14, 1],
  ])('where a snapshot holds %i counts as one with few markets: %s', async (maxMarkets, counted) => {
    const { run, metrics } = setup({}, AGE_SECONDS, { maxMarkets });
    await run();
    expect(metrics.get('MarketsListed')).toBe(10);
    expect(metrics.get('RunsWithFewMarkets')).toBe(counted);
  });

  it.each([
    [10, undefined],
    [5, undefined],
    [4, 1],
    [0, 1],
  ])('of which %i have a 1-day change counts as one with few changes: %s', async (changed, counted) => {
    const { run, metrics } = setup({}, AGE_SECONDS, { changed });
    await run();
    expect(metrics.get('OneDayChangeCoverage')).toBe(10 * changed);
    expect(metrics.get('RunsWithFewChanges')).toBe(counted);
  });
});

describe('the clock of a run', () => {
  it.each([
    [5_000, []],
    [5_001, ['The clock differs from the upstream clock']],
    [-60_000, ['The clock differs from the upstream clock']],
  ])(
    'that differs from the upstream by %i ms is measured, and beyond 5 s reported',
    async (skewMs, warnings) => {
      const { clock, counters, run, metrics, logged } = setup();
      const date = new Date(clock.now()).toUTCString();
      counters.clob.responded(new Headers({ date }), clock.now() + skewMs);
      await run();
      expect(metrics.get('ClockSkew')).toBe(skewMs / 1_000);
      expect(logged).toEqual(['Snapshot published', ...warnings]);
    },
  );

  it('is not measured when no response told the time', async () => {
    const { run, metrics } = setup();
    await run();
    expect(metrics.has('ClockSkew')).toBe(false);
  });
});
