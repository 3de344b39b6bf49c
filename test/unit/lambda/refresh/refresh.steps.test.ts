import { describe, expect, it } from '@jest/globals';
import { snapshotId } from '../../../../lambda/domain/snapshot.ts';
import { TailTurns } from '../../../../lambda/refresh/tail-turns.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { fakePrices, listable, pagedCatalogue } from './fake-upstreams.ts';
import { entry, market, RUN_MS, refreshSteps, SINCE } from './refresh-steps.ts';

describe('the steps of a refresh', () => {
  it('come in order, each with its deadline, which leaves time for the next', async () => {
    const { log } = await refreshSteps({ known: [entry(1), entry(2), entry(3)] });
    expect(log).toEqual([
      ['open memory', 0, 5_000, 0],
      ['newest', 0, RUN_MS],
      ['page', 0, RUN_MS - 5_000],
      ['histories', 0, RUN_MS - 9_000, [1, 2, 3]],
      ['histories', 0, RUN_MS - 9_000, [1, 2, 3]],
      ['page', 1_000, RUN_MS - 5_000],
      ['histories', 2_000, RUN_MS - 6_000, [1, 2, 3]],
      ['midpoints', 2_000, 17_000, [1, 2, 3]],
      ['latest', 2_000, RUN_MS],
      ['publish', 2_200, RUN_MS],
      ['keep', 2_500, RUN_MS, 2_000, [1, 2, 3]],
    ]);
  });

  it('ask for the long past of the top before the catalogue is read, but for markets without a midpoint', async () => {
    const known = Array.from({ length: 22 }, (_, n) => (n === 5 ? snapshotEntry(n) : entry(n)));
    const { of } = await refreshSteps({ known });
    const top = Array.from({ length: 20 }, (_, n) => n).filter((n) => n !== 5);
    expect(of('histories')[0]).toEqual([0, RUN_MS - 9_000, top]);
  });

  it('open the memory within what a short run has', async () => {
    const { of } = await refreshSteps({ runMs: 4_900 });
    expect(of('open memory')).toEqual([[0, 4_900, 0]]);
  });

  it('look once more into a memory that was empty, at the time of the prices', async () => {
    const { of, result, snapshot } = await refreshSteps({ since: undefined });
    expect(of('open memory')).toEqual([
      [0, 5_000, 0],
      [2_000, RUN_MS - 2_500, 2_000],
    ]);
    expect(result.report.memoryReadsFailed).toBe(2);
    expect(snapshot?.memory?.since).toBe(snapshot?.asOf);
  });

  it('go on without the newest snapshot where it cannot be read', async () => {
    const { result } = await refreshSteps({ publisher: { newest: () => Promise.reject(new Error('down')) } });
    expect(result.outcome).toBe('published');
  });

  it('tell how many markets have come', async () => {
    const told: number[] = [];
    await refreshSteps({ overrides: { onProgress: (markets) => told.push(markets) } });
    expect(told).toEqual([2, 3]);
  });

  it('go on after the snapshot for histories that were too slow for it, which are kept then', async () => {
    const { of, result } = await refreshSteps({ historyMs: 80_000 });
    expect(of('publish')).toEqual([[72_200, RUN_MS]]);
    expect(of('keep').map(([at]) => at)).toEqual([72_500, 82_000]);
    expect(result.durationMs).toBe(72_500);
  });

  it.each([
    [[true, false], false],
    [[false, true], true],
  ])('tell by the last of %j whether everything is kept', async (outcomes, kept) => {
    let n = 0;
    const keep = async () => outcomes[n++] ?? true;
    const { result } = await refreshSteps({ historyMs: 80_000, memory: { keep } });
    expect(result.report.memoryKept).toBe(kept);
  });

  it('keep the midpoints that the order book has given', async () => {
    const prices = fakePrices({ midpoints: async () => new Map([[market(2).yesTokenId, 0.5]]) });
    const { of, result } = await refreshSteps({ overrides: { prices } });
    expect(of('keep').map(([, , , kept]) => kept)).toEqual([[2]]);
    expect(result.report).toMatchObject({ markets: 3, cataloguePriced: 2 });
  });

  it('tell that prices are not kept where nothing follows either', async () => {
    const { result } = await refreshSteps({ memory: { keep: async () => false } });
    expect(result.report.memoryKept).toBe(false);
  });
});

describe('the snapshot of a refresh', () => {
  it('tells its times, what was counted and how much of it comes from the memory', async () => {
    const { snapshot, result, started } = await refreshSteps();
    expect(snapshot).toMatchObject({
      id: snapshotId(started + 2_000, () => 0.25),
      asOf: started + 2_000,
      catalogueAsOf: started,
      memory: { since: SINCE, oneDay: 1, sevenDay: 0, thirtyDay: 0 },
      counts: { skipped: 0, skippedByReason: {}, withOneDayChange: 3, cataloguePriced: 0 },
    });
    expect(result).toMatchObject({
      outcome: 'published',
      snapshotId: snapshot?.id,
      durationMs: 2_500,
      publishMs: 500,
      bytes: 1,
      chunks: 1,
      report: { markets: 3, withOneDayChange: 3, carried: 0, memoryReadsFailed: 1 },
    });
  });

  it('counts the 1-day changes that are known', async () => {
    const { result } = await refreshSteps({
      memory: { baseline: (one) => (one === market(1).yesTokenId ? { price: 0.4, own: false } : undefined) },
    });
    expect(result.report.withOneDayChange).toBe(1);
  });

  it('is none where too few markets were found', async () => {
    const { of, result, snapshot } = await refreshSteps({ previous: { markets: 7 } });
    expect(snapshot).toBeUndefined();
    expect(of('shrunk')).toEqual([[2_200, RUN_MS]]);
    expect(of('keep')).toEqual([]);
    expect(result).toMatchObject({
      outcome: 'shrunk',
      durationMs: 2_500,
      publishMs: 500,
      bytes: 0,
      chunks: 0,
    });
  });
});

/** Takes the markets of a number for ones that are there, and knows what it was asked. */
class CarryingTurns extends TailTurns {
  readonly asked: unknown[] = [];
  readonly #carries: number;

  constructor(carries: number) {
    super();
    this.#carries = carries;
  }

  override carried(...[unread, markets, bands, midpoints]: Parameters<TailTurns['carried']>) {
    this.asked.push([unread.length, markets.length, bands, midpoints.size]);
    return unread.slice(0, this.#carries);
  }
}

describe('markets of the previous snapshot that were not read', () => {
  const known = [1, 2, 3, 10, 11, 12, 13].map(entry);
  /** Nobody knows of any market by its id. */
  const catalogue = {
    ...pagedCatalogue([[1, 2, 3].map((n) => listable(market(n)))]),
    find: () => Promise.reject(new Error('down')),
  };

  it('are listed where they are carried, with new prices, and count as carried', async () => {
    const turns = new CarryingTurns(2);
    const { of, snapshot, result } = await refreshSteps({
      known,
      previous: { markets: 6 },
      overrides: { turns, catalogue },
    });
    expect(of('midpoints')).toEqual([[0, 15_000, [1, 2, 3, 10, 11, 12, 13]]]);
    expect(turns.asked).toEqual([[4, 3, [{ from: 0, to: Number.POSITIVE_INFINITY }], 7]]);
    expect(snapshot?.entries.map(({ market: { id } }) => Number(id))).toEqual([1, 2, 3, 10, 11]);
    expect(result.report).toMatchObject({ markets: 5, carried: 2 });
  });

  it('are not where there are no turns, and no more than are wanted', async () => {
    const none = await refreshSteps({ known: known.slice(0, 4), overrides: { catalogue } });
    expect(none.snapshot?.entries).toHaveLength(3);
    expect(none.result.report.carried).toBe(0);
    const turns = new CarryingTurns(4);
    const some = await refreshSteps({
      known,
      previous: { markets: 4 },
      overrides: { turns, catalogue, maxMarkets: 6 },
    });
    expect(some.snapshot?.entries).toHaveLength(6);
  });

  it.each([
    [6, 'published'],
    [7, 'shrunk'],
  ])('speak for no catalogue of %i markets, as their part of it was read: %s', async (markets, outcome) => {
    const turns = new CarryingTurns(4);
    const { result } = await refreshSteps({ known, previous: { markets }, overrides: { turns, catalogue } });
    expect(result.outcome).toBe(outcome);
  });

  it('count as found where their part of the catalogue was not to be read', async () => {
    const turns = new CarryingTurns(4);
    const overrides = { turns, catalogue, maxMarkets: 5_000 };
    const { result } = await refreshSteps({ known, previous: { markets: 14 }, overrides });
    expect(result).toMatchObject({ outcome: 'published', report: { markets: 7, carried: 4 } });
  });
});
