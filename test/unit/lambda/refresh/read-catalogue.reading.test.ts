import { describe, expect, it } from '@jest/globals';
import type { CatalogueMarket } from '../../../../lambda/domain/market.ts';
import { type Band, BandPlan } from '../../../../lambda/refresh/bands.ts';
import type { Catalogue, CataloguePage } from '../../../../lambda/refresh/ports.ts';
import { type CatalogueReader, readCatalogue } from '../../../../lambda/refresh/read-catalogue.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { TailTurns } from '../../../../lambda/refresh/tail-turns.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { listable, pagedCatalogue } from './fake-upstreams.ts';

const DEADLINE_MS = 60_000;
const INFINITE = Number.POSITIVE_INFINITY;

/** A plan that is given. */
class GivenPlan extends BandPlan {
  readonly ignoredAt: number[] = [];
  readonly asked: unknown[] = [];
  readonly #bands: readonly Band[] | undefined;

  constructor(bands?: readonly Band[]) {
    super();
    this.#bands = bands;
  }

  override bands(...what: Parameters<BandPlan['bands']>): readonly Band[] | undefined {
    this.asked.push(what);
    return this.#bands;
  }

  override ignored(now: number): void {
    this.ignoredAt.push(now);
  }
}

/** A turn that reads the first band alone. */
class FirstBand extends TailTurns {
  readonly asked: unknown[] = [];

  override bands(...[all, markets, now]: Parameters<TailTurns['bands']>): readonly Band[] {
    this.asked.push([all, markets, now]);
    return all.slice(0, 1);
  }
}

const market = (n: number, volume = 1_000 - n) => catalogueMarket(n, { volume });
const entry = (n: number, volume = 1_000 - n) => snapshotEntry(n, { volume });
const numbers = (some: readonly { readonly id: string }[]) => some.map(({ id }) => Number(id));

async function reading(
  reader: Partial<CatalogueReader>,
  previous: readonly ReturnType<typeof entry>[] = [],
  deadlineMs = DEADLINE_MS,
) {
  const clock = new ManualClock();
  const report = new RunReport();
  const told: number[][] = [];
  const onMarkets = (some: readonly CatalogueMarket[]) => void told.push(numbers(some));
  const all = { catalogue: pagedCatalogue([]), clock, maxMarkets: 2_000, ...reader };
  const { markets, unread, bands } = await readCatalogue(
    all,
    previous,
    clock.now() + deadlineMs,
    report,
    onMarkets,
  );
  const unreadNumbers = numbers(unread.map((one) => one.market));
  return { markets: numbers(markets), unread: unreadNumbers, bands, report, told, now: clock.now() };
}

/** Pages without bounds, and one page a band; ids that the catalogue finds. */
function catalogueOf(
  plain: readonly CatalogueMarket[],
  banded: (atLeast: number) => readonly CatalogueMarket[] = () => [],
  there: readonly CatalogueMarket[] = [],
) {
  const deadlines: number[] = [];
  const asked: number[][] = [];
  const page: Catalogue['page'] = async (_, deadline, atLeast): Promise<CataloguePage> => {
    deadlines.push(deadline);
    return { records: (atLeast === undefined ? plain : banded(atLeast)).map(listable) };
  };
  const find: Catalogue['find'] = async (ids, deadline) => {
    deadlines.push(deadline);
    asked.push(ids.map(Number));
    return there.filter(({ id }) => ids.includes(id)).map(listable);
  };
  return { catalogue: { page, find }, deadlines, asked };
}

describe('a catalogue that is read page after page', () => {
  it('is told as it comes and listed by volume', async () => {
    const catalogue = pagedCatalogue([[market(2), market(1)].map(listable), [listable(market(0))]]);
    const { markets, told, bands, unread, report } = await reading({ catalogue });
    expect(told).toEqual([[2, 1], [0]]);
    expect(markets).toEqual([0, 1, 2]);
    expect({ bands, unread }).toEqual({ bands: [{ from: 0, to: INFINITE }], unread: [] });
    expect(report).toMatchObject({ bands: 0, bandsIgnored: false, unseenCalls: 0 });
  });

  it('of a large stage was read down to its last market', async () => {
    const catalogue = pagedCatalogue([[market(1), market(300), market(2)].map(listable)]);
    const previous = [entry(400), entry(200)];
    const { bands, unread, report } = await reading({ catalogue, maxMarkets: 4_001 }, previous);
    expect(bands).toEqual([{ from: 700, to: INFINITE }]);
    // One should have come and was asked for: it is gone. Of the other nobody knows.
    expect(unread).toEqual([400]);
    expect(report.unseen).toBe(1);
    const small = await reading({ catalogue, maxMarkets: 4_000 }, previous);
    expect(small.bands).toEqual([{ from: 0, to: INFINITE }]);
    expect(small.report.unseen).toBe(2);
  });

  it.each([
    ['4,000 markets where it may grow by bands', 10_000, new GivenPlan(), 4_000],
    ['what the stage asks for where that is less', 3_000, new GivenPlan(), 3_000],
    ['all of it where it may not', 10_000, undefined, 5_000],
  ])('is read as far as %s', async (_, maxMarkets, bands, expected) => {
    const page = (n: number) => Array.from({ length: 1_000 }, (__, k) => listable(market(1_000 * n + k)));
    const catalogue = pagedCatalogue([0, 1, 2, 3, 4].map(page));
    const { markets } = await reading({ catalogue, maxMarkets, ...(bands ? { bands } : {}) });
    expect(markets).toHaveLength(expected);
  });

  it('fails without a market that can be listed', async () => {
    await expect(reading({})).rejects.toThrow('The catalogue holds no market that can be listed');
  });

  it('fails with what its pages fail with', async () => {
    const page = () => Promise.reject(new Error('down'));
    await expect(reading({ catalogue: { page, find: async () => [] } })).rejects.toThrow('down');
  });
});

describe('a catalogue that is read in bands', () => {
  const BANDS = [
    { from: 900, to: INFINITE },
    { from: 800, to: 900 },
  ];
  const banded = (atLeast: number) => (atLeast > 850 ? [market(1), market(2)] : [market(150), market(151)]);

  it('is told band by band and listed by volume', async () => {
    const { catalogue, deadlines } = catalogueOf([], banded);
    const plan = new GivenPlan(BANDS);
    const previous = [entry(1), entry(151)];
    const { markets, told, bands, report, now } = await reading({ catalogue, bands: plan }, previous);
    expect(told).toEqual([
      [150, 151],
      [1, 2],
    ]);
    expect(markets).toEqual([1, 2, 150, 151]);
    expect(bands).toEqual(BANDS);
    expect(report).toMatchObject({ bands: 2, bandsIgnored: false, pages: 2 });
    expect(plan.asked).toEqual([[[999, 849], 2_000, now]]);
    expect(deadlines).toEqual([now + DEADLINE_MS, now + DEADLINE_MS]);
  });

  it('is read in the bands of a turn; what lies in others is unread and not asked for', async () => {
    const { catalogue, asked } = catalogueOf([], banded);
    const turns = new FirstBand();
    const previous = [entry(1), entry(150)];
    const { markets, unread, bands, report, now } = await reading(
      { catalogue, bands: new GivenPlan(BANDS), turns },
      previous,
    );
    expect({ markets, unread, bands }).toEqual({ markets: [1, 2], unread: [150], bands: [BANDS[0]] });
    expect(report.bands).toBe(1);
    expect(asked).toEqual([]);
    expect(turns.asked).toEqual([[BANDS, 2, now]]);
  });

  it('and ignores their bounds is read anew page after page, and not in bands for a while', async () => {
    const plain = [market(1), market(2), market(3)];
    const { catalogue } = catalogueOf(plain, () => plain.map((one) => ({ ...one, volume: 1 })));
    const plan = new GivenPlan(BANDS);
    const { markets, told, bands, report, now } = await reading({ catalogue, bands: plan });
    expect(markets).toEqual([1, 2, 3]);
    expect(told).toEqual([[1, 2, 3]]);
    expect(bands).toEqual([{ from: 0, to: INFINITE }]);
    expect(report).toMatchObject({ bandsIgnored: true, duplicates: 0 });
    expect(plan.ignoredAt).toEqual([now]);
  });

  it('and ignores a bound after others were read lists no market twice', async () => {
    const plain = [market(1), market(2)];
    const { catalogue } = catalogueOf(plain, (atLeast) => (atLeast > 850 ? [market(1)] : [market(500)]));
    const { markets, report } = await reading({ catalogue, bands: new GivenPlan(BANDS) });
    expect(markets).toEqual([1, 2]);
    expect(report.duplicates).toBe(0);
  });

  it('fails with what its pages fail with, and is not read page after page then', async () => {
    const page: Catalogue['page'] = async (_, __, atLeast) => {
      if (atLeast === undefined) return { records: [listable(market(1))] };
      throw new Error('down');
    };
    const plan = new GivenPlan(BANDS);
    await expect(reading({ catalogue: { page, find: async () => [] }, bands: plan })).rejects.toThrow('down');
    expect(plan.ignoredAt).toEqual([]);
  });
});

describe('markets that came on no page', () => {
  it('are asked for by id, told, and listed in their place', async () => {
    const { catalogue, asked } = catalogueOf([market(1), market(3)], undefined, [market(1), market(2)]);
    const previous = [entry(1), entry(2), entry(4)];
    const { markets, told, unread, report } = await reading({ catalogue }, previous);
    expect(asked).toEqual([[2, 4, 1, 3]]);
    expect(told).toEqual([[1, 3], [2]]);
    expect(markets).toEqual([1, 2, 3]);
    expect(unread).toEqual([]);
    expect(report).toMatchObject({ unseen: 2, unseenFound: 1 });
  });

  it('are told only where some were found', async () => {
    const { catalogue } = catalogueOf([market(1)], undefined, [market(1)]);
    expect((await reading({ catalogue }, [entry(2)])).told).toEqual([[1]]);
  });

  it.each([
    [60_000, 10_000],
    [7_000, 7_000],
  ])('are waited for ten seconds, or until the deadline in %i ms', async (deadlineMs, expected) => {
    const { catalogue, deadlines } = catalogueOf([market(1)]);
    const { now } = await reading({ catalogue }, [entry(2)], deadlineMs);
    expect(deadlines.map((deadline) => deadline - now)).toEqual([deadlineMs, expected]);
  });

  it('and are closed are not unread, in either form of their id', async () => {
    const short = `0x${'ab'.repeat(31)}`;
    const { catalogue } = catalogueOf([market(1)], undefined, [market(1)]);
    const v1 = { ...entry(2), market: { ...entry(2).market, id: short } };
    expect((await reading({ catalogue }, [v1])).unread).toEqual([]);
  });
});
