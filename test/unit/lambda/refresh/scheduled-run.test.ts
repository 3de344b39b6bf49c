import { describe, expect, it } from '@jest/globals';
import { sleep } from '../../../../lambda/platform/clock.ts';
import type { Published } from '../../../../lambda/refresh/ports.ts';
import type { RefreshDependencies } from '../../../../lambda/refresh/refresh.ts';
import { scheduledRun } from '../../../../lambda/refresh/scheduled-run.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { fakePrices, fakePublisher, listable, pagedCatalogue } from './fake-upstreams.ts';

const RUN_MS = 100_000;
const KNOWN = 10;
const HOUR_MS = 3_600_000;

const markets = (count: number) =>
  pagedCatalogue([Array.from({ length: count }, (_, n) => listable(catalogueMarket(n)))]);
const down = { page: () => Promise.reject(new Error('down')), find: async () => [] };

/** A run that finds a snapshot of ten markets with a catalogue of that age. */
async function run(
  kind: 'full' | 'prices',
  overrides: Partial<RefreshDependencies>,
  { catalogueAgeMs = 120_000, clock = new ManualClock() } = {},
) {
  const previous: Published = {
    id: 'previous',
    asOf: clock.now() - 60_000,
    catalogueAsOf: clock.now() - catalogueAgeMs,
    markets: KNOWN,
    counts: { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 },
    shrunkRuns: 0,
  };
  const store = fakePublisher(previous);
  const known = Array.from({ length: KNOWN }, (_, n) => snapshotEntry(n));
  const publisher = { ...store.publisher, newest: async () => ({ published: previous, entries: known }) };
  const prices = fakePrices();
  const running = scheduledRun(
    kind,
    { catalogue: markets(KNOWN), prices, publisher, clock, random: () => 0.5, maxMarkets: 100, ...overrides },
    clock.now() + RUN_MS,
  );
  await clock.advance(RUN_MS);
  return { ...(await running), published: store.published, previous };
}

describe('a full run', () => {
  it('that publishes does nothing else', async () => {
    const { full, prices, published } = await run('full', {});
    expect(full).toMatchObject({ result: { outcome: 'published' } });
    expect(prices).toBeUndefined();
    expect(published).toHaveLength(1);
  });

  it.each([
    ['without a catalogue', down],
    ['that does not believe its catalogue', { ...markets(KNOWN / 2 - 1), find: async () => [] }],
  ])('%s publishes new prices of the markets that are known', async (_, catalogue) => {
    const { full, prices, published, previous } = await run('full', { catalogue });
    expect(full).not.toMatchObject({ result: { outcome: 'published' } });
    expect(prices).toMatchObject({ result: { outcome: 'published' } });
    expect(published.map(({ catalogueAsOf, entries }) => [catalogueAsOf, entries.length])).toEqual([
      [previous.catalogueAsOf, KNOWN],
    ]);
  });

  it('that waits for its catalogue publishes prices after half a minute, and everything when it is there', async () => {
    const clock = new ManualClock();
    const started = clock.now();
    const all = markets(KNOWN);
    const page = async () => {
      await sleep(clock, 60_000);
      return await all.page(undefined, 0);
    };
    const { full, prices, published } = await run('full', { catalogue: { ...all, page } }, { clock });
    expect([full, prices]).toMatchObject([
      { result: { outcome: 'published' } },
      { result: { outcome: 'published' } },
    ]);
    expect(published.map(({ asOf }) => asOf - started)).toEqual([30_000, 60_000]);
  });

  it('that fails late has published prices once', async () => {
    const clock = new ManualClock();
    const page = async () => {
      await sleep(clock, 60_000);
      throw new Error('down');
    };
    const { full, published } = await run('full', { catalogue: { ...down, page } }, { clock });
    expect(full).toEqual({ error: new Error('down') });
    expect(published).toHaveLength(1);
  });

  it('says why neither could be done', async () => {
    const { full, prices } = await run('full', {
      catalogue: down,
      prices: fakePrices({ midpoints: () => Promise.reject(new Error('no prices')) }),
    });
    expect(full).toEqual({ error: new Error('down') });
    expect(prices).toEqual({ error: new Error('Not all prices could be read') });
  });

  it('without a catalogue for an hour publishes nothing any more', async () => {
    const { prices, published } = await run('full', { catalogue: down }, { catalogueAgeMs: HOUR_MS + 1 });
    expect(prices).toBeUndefined();
    expect(published).toEqual([]);
  });
});

describe('a price run', () => {
  it('leaves the catalogue alone', async () => {
    const { full, prices } = await run('prices', { catalogue: down });
    expect(full).toBeUndefined();
    expect(prices).toMatchObject({ result: { outcome: 'published' } });
  });

  it('does what a full one does where the catalogue is an hour old', async () => {
    const { full, prices } = await run('prices', {}, { catalogueAgeMs: HOUR_MS + 1 });
    expect(full).toMatchObject({ result: { outcome: 'published' } });
    expect(prices).toBeUndefined();
  });
});
