import { describe, expect, it } from '@jest/globals';
import type { CatalogueMarket } from '../../../../lambda/domain/market.ts';
import { BandPlan, BandsIgnoredError, crawlBands } from '../../../../lambda/refresh/bands.ts';
import type { Catalogue } from '../../../../lambda/refresh/ports.ts';
import { refresh } from '../../../../lambda/refresh/refresh.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { Dice } from '../../../support/dice.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { listable } from './fake-upstreams.ts';
import { timedUpstream, USUAL } from './timed-upstream.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const PAGE = 40;
const PLAN_MARKETS = 320;
const MARKET = catalogueMarket(0);
const ID = Array.from({ length: 1.25 * PLAN_MARKETS }, (_, n) => catalogueMarket(n).id);

describe('the plan of the bands', () => {
  const volumes = Array.from({ length: 2_000 }, (_, n) => 1e9 / (n + 1));

  it('covers everything from below the last market of the previous snapshot', () => {
    const bands = new BandPlan().bands(volumes, 2_000, NOW) ?? [];
    expect(bands).toHaveLength(29);
    expect(bands[0]?.to).toBe(Number.POSITIVE_INFINITY);
    expect(bands.at(-1)?.from).toBeCloseTo((1e9 / 2_000) * 0.98, 6);
    for (const [n, { to }] of bands.entries()) if (n > 0) expect(to).toBe(bands[n - 1]?.from);
  });

  it.each([
    ['a snapshot that may hold the whole catalogue', volumes.slice(0, 1_999), 2_000],
    ['the same of 4,000', volumes, 4_000],
    ['a few pages', volumes.slice(0, 300), 300],
    ['markets without volume at the end', [...volumes.slice(1), 0], 2_000],
    ['no snapshot', [], 2_000],
  ] as const)('is none for %s', (_, some, maxMarkets) => {
    expect(new BandPlan().bands(some, maxMarkets, NOW)).toBeUndefined();
  });

  it('of a large stage that is not full yet goes on below what it has', () => {
    const some = volumes.slice(0, 1_000);
    const bands = new BandPlan().bands(some, 10_000, NOW) ?? [];
    const below = bands.filter(({ to }) => to <= (some.at(-1) ?? 0));
    expect(below).toHaveLength(16);
    expect(below.every(({ pages = 0 }, n) => pages > 0 && below[n + 1]?.to !== below[n]?.to)).toBe(true);
    const [last] = new BandPlan().bands([...some.slice(0, 999), 500], 10_000, NOW)?.slice(-1) ?? [];
    expect(last).toMatchObject({ from: 0, to: 490 });
  });

  it('is none for an hour after the bounds were ignored', () => {
    const plan = new BandPlan();
    plan.ignored(NOW);
    expect(plan.bands(volumes, 2_000, NOW + 3_599_999)).toBeUndefined();
    expect(plan.bands(volumes, 2_000, NOW + 3_600_000)).toBeDefined();
  });
});

/** A catalogue whose markets trade while it is read; pages take turns in no order. */
function tradingCatalogue(dice: Dice): { catalogue: Catalogue; volumes: () => Map<string, number> } {
  const count = 1.25 * PLAN_MARKETS;
  const markets = Array.from({ length: count }, (_, n) => ({ id: ID.at(n) ?? '', volume: 5e8 / (n + 1) }));
  // Nearly sorted all the time, which is quick to put right.
  const upwards = [...markets].reverse();
  const trade = () => {
    for (let n = 0; n < 0.02 * count; n++) {
      const market = markets[Math.floor(dice.between(0, count))];
      if (market) market.volume = market.volume * dice.between(1, 1.001) + dice.between(0, 1_000);
    }
    upwards.sort((a, b) => a.volume - b.volume || (a.id < b.id ? -1 : 1));
  };
  const page: Catalogue['page'] = async (cursor, _deadline, atLeast = 0) => {
    for (let turns = dice.between(1, 4); turns > 0; turns--) await Promise.resolve();
    trade();
    const [after = '', afterId = ''] = (cursor ?? `${atLeast} `).split(' ');
    const limit = Number(after);
    const from = upwards.findIndex(({ id, volume }) => volume > limit || (volume === limit && id > afterId));
    const some = from < 0 ? [] : upwards.slice(from, from + PAGE);
    const last = some.at(-1);
    return {
      records: some.map(({ id, volume }) => listable({ ...MARKET, id, volume })),
      ...(some.length === PAGE && last ? { nextCursor: `${last.volume} ${last.id}` } : {}),
    };
  };
  return { catalogue: { page }, volumes: () => new Map(markets.map(({ id, volume }) => [id, volume])) };
}

describe('a catalogue that is read in bands', () => {
  it('misses no market in a thousand crawls while volumes move', async () => {
    let missed = 0;
    for (let seed = 1; seed <= 1_000; seed++) {
      const dice = new Dice(seed);
      const { catalogue, volumes } = tradingCatalogue(dice);
      const top = [...volumes()].sort(([, x], [, y]) => y - x).slice(0, PLAN_MARKETS);
      const bands =
        new BandPlan().bands(
          top.map(([, volume]) => volume),
          PLAN_MARKETS,
          NOW,
        ) ?? [];
      const seen = new Set<string>();
      await crawlBands(catalogue, bands, 0, new RunReport(), (markets: readonly CatalogueMarket[]) => {
        for (const { id } of markets) seen.add(id);
      });
      missed += top.filter(([id]) => !seen.has(id)).length;
    }
    expect(missed).toBe(0);
  }, 300_000);

  it('is given up when a page holds a market below its band', async () => {
    const page = async () => ({ records: [listable(catalogueMarket(1, { volume: 5 }))] });
    const crawling = crawlBands({ page }, [{ from: 10, to: 20 }], 0, new RunReport(), () => undefined);
    await expect(crawling).rejects.toThrow(BandsIgnoredError);
  });

  it('takes five seconds for 2,000 markets at the latencies of the real upstreams, and lists the same ones', async () => {
    const clock = new ManualClock();
    const upstream = timedUpstream(clock, USUAL, 30);
    const { client, table } = new MemoryTable();
    const publisher = new SnapshotWriter({ client, table, now: clock.now, clock, keptSeconds: 3_600 });
    const bands = new BandPlan();
    const run = async () => {
      const options = { ...upstream, publisher, clock, random: () => 0.5, maxMarkets: 2_000, bands };
      const running = refresh(options, clock.now() + 110_000);
      await clock.advance(110_000);
      return await running;
    };
    const plain = await run();
    const before = (await publisher.newest())?.entries.map(({ market }) => market.id);
    const banded = await run();
    process.stdout.write(
      `A refresh of 2,000 markets: ${plain.durationMs} ms page after page, ${banded.durationMs} ms in ${banded.report.bands} bands\n`,
    );
    expect([plain.report.bands, banded.report.bands]).toEqual([0, 29]);
    expect((await publisher.newest())?.entries.map(({ market }) => market.id)).toEqual(before);
    expect(banded.durationMs).toBeLessThanOrEqual(5_000);
  }, 60_000);
});
