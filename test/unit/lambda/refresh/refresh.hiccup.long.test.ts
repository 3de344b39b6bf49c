import { describe, expect, it } from '@jest/globals';
import { type RefreshDependencies, refresh } from '../../../../lambda/refresh/refresh.ts';
import { scheduledRun } from '../../../../lambda/refresh/scheduled-run.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { fakePublisher } from './fake-upstreams.ts';
import { type Blip, timedUpstream, USUAL } from './timed-upstream.ts';

const PAGES = 4;
const RUN_MS = 50_000;
const MOMENTS = 10;
const LENGTHS_MS = [100, 400, 2_000] as const;
/** Of the midpoints alone: what is passing, and what looks as if it were for good. */
const OUTAGES = [
  [400, 403],
  [600, 404],
  [10_000, 503],
  [45_000, 403],
] as const;

async function run(blip?: (started: number) => Blip) {
  const clock = new ManualClock();
  const upstream = timedUpstream(clock, USUAL, PAGES, blip?.(clock.now()));
  const { publisher, published } = fakePublisher();
  const options = { ...upstream, publisher, clock, random: () => 0, maxMarkets: 2_000 };
  const running = refresh(options, clock.now() + RUN_MS);
  await clock.advance(RUN_MS);
  const { durationMs, report } = await running;
  return { durationMs, report, markets: published[0]?.entries.map(({ market }) => market) ?? [] };
}

describe('a hiccup of the upstreams', () => {
  it.each(LENGTHS_MS)(
    'of %i ms costs nothing, whenever it comes',
    async (ms) => {
      const healthy = await run();
      for (let n = 0; n < MOMENTS; n++) {
        const after = (healthy.durationMs * n) / MOMENTS;
        const kind = n % 2 === 0 ? 'status' : 'network';
        const { markets, report } = await run((started) => ({
          from: started + after,
          until: started + after + ms,
          kind,
        }));
        expect([n, markets.length]).toEqual([n, PAGES * 100]);
        expect([n, report.cataloguePriced, report.withOneDayChange]).toEqual([n, 0, PAGES * 100]);
        expect(markets.slice(0, 20).every((market) => market.thirtyDayPriceChange !== undefined)).toBe(true);
      }
    },
    60_000,
  );
});

/** Full runs and price runs by turns, a minute apart, of which each has all the time that it has on AWS. */
async function runsUnder(blip: (started: number) => Blip) {
  const clock = new ManualClock();
  const { client, table } = new MemoryTable();
  const publisher = new SnapshotWriter({ client, table, now: clock.now, clock, keptSeconds: 3_600 });
  const upstream = timedUpstream(clock, USUAL, PAGES, blip(clock.now()));
  const options: RefreshDependencies = {
    ...upstream,
    publisher,
    clock,
    random: () => 0.5,
    maxMarkets: PAGES * 100,
  };
  const begin = (kind: 'full' | 'prices') => scheduledRun(kind, options, clock.now() + 117_000);
  const newest = async () => {
    const { published, entries = [] } = (await publisher.newest()) ?? {};
    return {
      ageMs: clock.now() - (published?.asOf ?? 0),
      oneDay: entries.filter(({ market }) => market.oneDayPriceChange !== null).length,
      probability: entries[0]?.market.currentProbability,
    };
  };
  return { clock, begin, newest };
}

describe('an outage of the midpoints', () => {
  const MINUTE_MS = 60_000;
  const WHOLE = { oneDay: PAGES * 100, probability: 50 };
  /** When a run asks for them. */
  const ASKED_MS = 4_400;

  it.each(OUTAGES)('of %i ms that says %i costs nothing', async (ms, status) => {
    const { clock, begin, newest } = await runsUnder((started) => ({
      from: started + 2 * MINUTE_MS,
      until: started + 2 * MINUTE_MS + ASKED_MS + ms,
      kind: 'status',
      status,
      route: 'midpoints',
    }));
    void begin('full');
    await clock.advance(MINUTE_MS);
    void begin('prices');
    await clock.advance(MINUTE_MS);
    void begin('full');
    await clock.advance(MINUTE_MS);
    const { ageMs, ...rest } = await newest();
    expect([rest, ageMs < MINUTE_MS]).toEqual([WHOLE, true]);
  });

  it('of minutes leaves readers with data that is fresh, and the first good run with everything', async () => {
    const { clock, begin, newest } = await runsUnder((started) => ({
      from: started + 2 * MINUTE_MS,
      until: started + 7.5 * MINUTE_MS,
      kind: 'network',
      route: 'midpoints',
    }));
    const ages: number[] = [];
    const seen: unknown[] = [];
    for (let minute = 0; minute < 9; minute++) {
      void begin(minute % 2 === 0 ? 'full' : 'prices');
      for (let second = 0; second < 60; second++) {
        await clock.advance(1_000);
        const { ageMs, ...rest } = await newest();
        if (minute > 0) ages.push(ageMs);
        if (second === 59) seen.push(rest);
      }
    }
    expect(Math.max(...ages)).toBeLessThan(140_000);
    const without = { oneDay: 0, probability: 5.4 };
    expect(seen).toEqual([WHOLE, WHOLE, without, without, without, without, without, WHOLE, WHOLE]);
  });
});
