import { describe, expect, it } from '@jest/globals';
import {
  BandPlan,
  BandsIgnoredError,
  checkPage,
  ignoresOrder,
  lowerBound,
} from '../../../../lambda/jobs/refresh/bands.ts';
import { catalogueMarket, listable } from './catalogue-markets.ts';

// A run reads Gamma's catalogue of markets in pages of 100, by volume. A page names the next one,
// so pages can only be read one after another. If the previous snapshot shows how the volumes are
// spread, the run divides the catalogue into ranges of volumes ("bands"), and reads these at the
// same time, each from its lower bound up.

/** Any time in Unix ms. */
const NOW = 1_000_000;
/** Descending volumes, as unevenly spread as those of the real catalogue. */
const volumes = (count: number) => Array.from({ length: count }, (_, n) => 1e9 / (n + 1));

/**
 * The bands of a crawl after a snapshot with these volumes. An empty list: read page after page.
 */
const bandsAfter = (known: readonly number[], maxMarkets: number) =>
  new BandPlan().bands(known, maxMarkets, NOW);

describe('the bands of a full snapshot', () => {
  const known = volumes(2_000);
  const bands = bandsAfter(known, 2_000);

  it('cover every volume from just below the last market upwards, without gaps', () => {
    expect(bands[0]?.to).toBe(Number.POSITIVE_INFINITY);
    expect(bands.slice(1).map(({ to }) => to)).toEqual(bands.slice(0, -1).map(({ from }) => from));
    // 2 % below, because others may have closed.
    expect(bands.at(-1)?.from).toBe((known.at(-1) ?? 0) * 0.98);
  });

  it('hold few enough markets each that a page of 100 records ends beyond the band', () => {
    // 2,000 markets in 24 bands are 83 or 84 each. About 4 % of the records of a page are not in
    // the list, so a band takes 84 / 0.96 = 87.5 of its 100.
    for (const { from, to } of bands) {
      const count = known.filter((volume) => from <= volume && volume < to).length;
      expect(count).toBeGreaterThan(60);
      expect(count).toBeLessThanOrEqual(84);
    }
  });

  it('have no empty one where many markets have the same volume', () => {
    const same = [...volumes(500), ...Array.from({ length: 500 }, () => 100)];
    for (const { from, to } of bandsAfter(same, 1_000)) expect(from).toBeLessThan(to);
  });
});

describe('a catalogue is read page after page, without bands,', () => {
  it.each([
    { when: 'without a snapshot', known: 0, maxMarkets: 2_000 },
    { when: 'if the list has less than four pages', known: 399, maxMarkets: 399 },
    { when: 'if the list is not full', known: 1_990, maxMarkets: 2_000 },
    { when: 'if a list of 4,000 is not full', known: 3_990, maxMarkets: 4_000 },
  ])('$when', ({ known, maxMarkets }) => {
    expect(bandsAfter(volumes(known), maxMarkets)).toEqual([]);
  });

  it('if its last market has no volume', () => {
    expect(bandsAfter([...volumes(999), 0], 1_000)).toEqual([]);
  });

  it('if it ignored the bounds less than an hour ago', () => {
    const plan = new BandPlan();
    plan.ignored(NOW);
    expect(plan.bands(volumes(2_000), 2_000, NOW + 3_599_999)).toEqual([]);
    expect(plan.bands(volumes(2_000), 2_000, NOW + 3_600_000)).not.toEqual([]);
  });
});

it('a large stage that is not full yet also reads a part of the catalogue below its last market', () => {
  const known = volumes(4_000);
  const full = bandsAfter(known, 4_000);
  const growing = bandsAfter(known, 10_000);
  expect(growing.slice(0, -1)).toEqual(full.slice(0, -1));
  const lowest = growing.at(-1)?.from ?? 0;
  const added = volumes(10_000).filter((volume, n) => n >= 4_000 && volume >= lowest);
  // A quarter more than the 4,000.
  expect(added).toHaveLength(1_000);
});

describe('a page of a band', () => {
  const band = { from: 1_000, to: 2_000 };
  /** A page with markets of these volumes. */
  const page = (...all: number[]) =>
    all.map((volume, n) => listable(catalogueMarket(n, { volume })));

  it('is requested from a dollar below, because upstream rounds volumes', () => {
    expect(lowerBound(band)).toBe(999);
    expect(lowerBound({ ...band, from: 0.5 })).toBe(0);
  });

  it('drops markets more than two dollars below: the volumes on it may be rounded too', () => {
    expect(checkPage(band, page(997.9, 998.2, 1_500)).records).toHaveLength(2);
  });

  it('ends the band when its last market is beyond it', () => {
    expect(checkPage(band, page(1_000, 1_999)).isLast).toBe(false);
    expect(checkPage(band, page(1_000, 2_000)).isLast).toBe(true);
    expect(checkPage(band, [...page(2_500), { kind: 'inactive' }]).isLast).toBe(true);
    expect(checkPage(band, [{ kind: 'inactive' }]).isLast).toBe(false);
  });

  it('with more markets below the band than in it shows that the catalogue ignores the bound', () => {
    // One below and one in it are no majority.
    expect(() => checkPage(band, page(1_500, 900))).not.toThrow();
    expect(() => checkPage(band, page(900, 901, 1_500))).toThrow(BandsIgnoredError);
  });

  it('in descending order shows that the catalogue ignores the order', () => {
    // One pair of neighbours in the wrong order proves nothing.
    expect(() => checkPage(band, page(1_500, 1_100, 1_200, 1_300))).not.toThrow();
    expect(() => checkPage(band, page(9_000, 8_000, 7_000, 6_000))).toThrow(BandsIgnoredError);
  });
});

// A page ignores the order if more than a tenth of its pairs of neighbours, and at least two, are in
// the wrong order.
describe('a page with neighbours in the wrong order', () => {
  const volumeAt = (n: number) => 1_000 + 10 * n;
  const positions = [...Array(21).keys()];
  /** 21 markets by volume. Those at the raised positions have a larger volume than the next one. */
  const page = (...raised: number[]) =>
    positions.map((n) => {
      const volume = raised.includes(n) ? volumeAt(n) + 15 : volumeAt(n);
      return listable(catalogueMarket(n, { volume }));
    });

  it('is in order with two of 20 pairs', () => {
    expect(ignoresOrder(page(3, 9), 'ascending')).toBe(false);
    expect(ignoresOrder(page(3, 9).toReversed(), 'descending')).toBe(false);
  });

  it('ignores the order with three of 20 pairs', () => {
    expect(ignoresOrder(page(3, 9, 15), 'ascending')).toBe(true);
    expect(ignoresOrder(page(3, 9, 15).toReversed(), 'descending')).toBe(true);
  });

  it('ignores the order with all pairs', () => {
    expect(ignoresOrder(page(), 'descending')).toBe(true);
  });

  it('is in order with one pair, however short it is', () => {
    expect(ignoresOrder(page(0).slice(0, 2), 'ascending')).toBe(false);
  });

  it('is in order if its volumes differ by at most a dollar, which is rounding', () => {
    const dollars = positions.map((n) => listable(catalogueMarket(n, { volume: 9 + (n % 2) })));
    expect(ignoresOrder(dollars, 'ascending')).toBe(false);
  });
});
