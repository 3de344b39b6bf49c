import { describe, expect, it } from '@jest/globals';
import { BandPlan } from '../../../../lambda/refresh/bands.ts';
import { readCatalogue } from '../../../../lambda/refresh/read-catalogue.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { RUN_MS } from '../../../../tools/docs/performance/targets.ts';
import { Dice } from '../../../support/dice.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { mostWithin } from '../../../support/most-within.ts';
import { timedRuns } from './timed-runs.ts';
import { TradingCatalogue } from './trading-catalogue.ts';

const CRAWLS = 1_000;
const MARKETS = 425;
const CATALOGUE_MARKETS = 500;
/** Of the markets of the top, so many have opened since the snapshot. */
const UNKNOWN = 0.02;

/** A catalogue read once while its volumes move: what was missed, and what the run counted. */
async function crawled(seed: number, bands?: BandPlan) {
  const catalogue = new TradingCatalogue(new Dice(seed), CATALOGUE_MARKETS);
  const all = catalogue.entries(MARKETS);
  const previous = catalogue.entries(MARKETS, UNKNOWN);
  for (let n = 0; n < 5; n++) catalogue.trade();
  const report = new RunReport();
  const reader = {
    catalogue,
    clock: new ManualClock(),
    maxMarkets: bands ? previous.length : CATALOGUE_MARKETS,
    ...(bands ? { bands } : {}),
  };
  const before = catalogue.open();
  const { markets, unread } = await readCatalogue(reader, previous, 60_000, report, () => undefined);
  const after = catalogue.open();
  const listed = new Set(markets.map(({ id }) => id));
  const known = new Set(previous.map(({ market }) => market.id));
  const missed = all.map(({ market }) => market.id).filter((id) => after.has(id) && !listed.has(id));
  return {
    missed: missed.filter((id) => known.has(id)).length,
    newMissed: missed.filter((id) => !known.has(id)).length,
    closedListed: [...listed].filter((id) => !before.has(id)).length,
    repeated: markets.length - listed.size,
    unread: unread.length,
    ...report,
  };
}

describe('a catalogue whose volumes move while it is read', () => {
  it.each([
    ['in bands', () => new BandPlan()],
    ['page after page', () => undefined],
  ])('read %s misses no market in a thousand crawls', async (how, plan) => {
    const sums = {
      missed: 0,
      newMissed: 0,
      closedListed: 0,
      repeated: 0,
      unread: 0,
      unseen: 0,
      unseenFound: 0,
    };
    let pages = 0;
    for (let seed = 1; seed <= CRAWLS; seed++) {
      const crawl = await crawled(seed, plan());
      for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += crawl[key];
      pages += crawl.pages;
    }
    process.stdout.write(
      `${CRAWLS} crawls ${how}, ${(pages / CRAWLS).toFixed(1)} pages each: missed ${sums.missed} markets, ` +
        `asked by id for ${sums.unseen} and found ${sums.unseenFound}; ${sums.newMissed} of some ${Math.round(CRAWLS * MARKETS * UNKNOWN)} new markets come with the next run\n`,
    );
    expect(sums).toMatchObject({ missed: 0, closedListed: 0, repeated: 0, unread: 0 });
    // The net was needed, and closed markets were told from those that had moved.
    expect(sums.unseenFound).toBeGreaterThan(50);
    expect(sums.unseen).toBeGreaterThan(sums.unseenFound);
  });
});

describe('a refresh at the latencies of the real upstreams, once the memory of prices is full', () => {
  it('of 2,000 markets takes five seconds at most, and lists the same ones', async () => {
    const { run, ids } = timedRuns(30, 2_000);
    const plain = await run();
    const before = await ids();
    const banded = await run();
    process.stdout.write(
      `A refresh of 2,000 markets: ${plain.durationMs} ms page after page, ${banded.durationMs} ms in ${banded.report.bands} bands of ${banded.report.pages} pages\n`,
    );
    expect([plain.report.bands, banded.report.bands]).toEqual([0, 24]);
    expect(await ids()).toEqual(before);
    expect(banded.durationMs).toBe(RUN_MS[2_000]);
    expect(banded.durationMs).toBeLessThanOrEqual(5_000);
  }, 60_000);

  it('of 10,000 markets takes fifteen seconds at most, with at most 150 calls for the catalogue in any 10 s', async () => {
    const { run, ids, calls } = timedRuns(125, 10_000);
    for (let n = 0; n < 3; n++) await run();
    calls.length = 0;
    const full = await run();
    const most = mostWithin(calls, 10_000);
    process.stdout.write(
      `A refresh of 10,000 markets: ${full.durationMs} ms in ${full.report.bands} bands of ${full.report.pages} pages, at most ${most} calls for the catalogue in 10 s\n`,
    );
    expect(await ids()).toHaveLength(10_000);
    expect(full.durationMs).toBe(RUN_MS[10_000]);
    expect(full.durationMs).toBeLessThanOrEqual(15_000);
    expect(most).toBeLessThanOrEqual(150);
  }, 120_000);
});
