import { describe, expect, it } from '@jest/globals';
import { type Band, BandsIgnoredError, crawlBands } from '../../../../lambda/refresh/bands.ts';
import type { Catalogue } from '../../../../lambda/refresh/ports.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { SeenMarkets } from '../../../../lambda/refresh/seen-markets.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { listable } from './fake-upstreams.ts';

describe('a catalogue that is read in bands', () => {
  type Page = Catalogue['page'];
  const market = (n: number, volume: number) => listable(catalogueMarket(n, { volume }));

  function crawling(bands: readonly Band[], page: Page) {
    const calls: Parameters<Page>[] = [];
    const found: number[][] = [];
    const catalogue: Catalogue = {
      page: async (...call) => {
        calls.push(call);
        return await page(...call);
      },
      find: async () => [],
    };
    const seenMarkets = new SeenMarkets(new RunReport());
    const crawled = crawlBands(catalogue, bands, 5_000, seenMarkets, (markets) => {
      found.push(markets.map(({ id }) => Number(id)));
    });
    return { crawled, calls, found };
  }

  it('is given up when a page holds a market below its band', async () => {
    const { crawled, found } = crawling([{ from: 10, to: 20 }], async () => ({
      records: [market(1, 15), market(2, 5)],
    }));
    await expect(crawled).rejects.toThrow(BandsIgnoredError);
    await expect(crawled).rejects.toMatchObject({
      name: 'BandsIgnoredError',
      message: 'The catalogue does not keep to a lower bound of the volume',
    });
    expect(found).toEqual([]);
  });

  it('is left alone by all bands once a page of one has failed', async () => {
    let n = 0;
    const { crawled, calls } = crawling(
      [
        { from: 1_000, to: Number.POSITIVE_INFINITY },
        { from: 10, to: 1_000 },
      ],
      async (_, __, atLeast = 0) => {
        if (atLeast < 100) throw new Error('refused');
        await Promise.resolve();
        n += 1;
        return { records: [market(n, 1_000)], nextCursor: `page ${n}` };
      },
    );
    await expect(crawled).rejects.toThrow('refused');
    await new Promise(setImmediate);
    expect(calls.length).toBeLessThanOrEqual(3);
  });

  it('asks the lowest band first, each from a hair below its lower end', async () => {
    const { crawled, calls, found } = crawling(
      [
        { from: 1_000, to: Number.POSITIVE_INFINITY },
        { from: 10, to: 1_000 },
      ],
      // Just below its bound, and on it: nobody knows which of them a bound includes.
      async (_, __, atLeast = 0) => ({ records: [market(atLeast < 100 ? 1 : 2, atLeast)] }),
    );
    await crawled;
    expect(calls).toEqual([
      [undefined, 5_000, 10 * (1 - 1e-6)],
      [undefined, 5_000, 1_000 * (1 - 1e-6)],
    ]);
    expect(found).toEqual([[1], [2]]);
  });

  it('reads each market of a band once, and those of the page on which the band ends', async () => {
    const pages = [
      [market(1, 10), market(2, 15)],
      [market(2, 15), market(3, 19)],
      // What cannot be listed says nothing about where the band ends.
      [market(4, 19), market(6, 19), market(5, 20), { kind: 'inactive', id: '0x7' } as const],
    ];
    let n = 0;
    const { crawled, calls, found } = crawling([{ from: 10, to: 20 }], async () => ({
      records: pages[n++] ?? [],
      nextCursor: `page ${n}`,
    }));
    await crawled;
    expect(calls.map(([cursor]) => cursor)).toEqual([undefined, 'page 1', 'page 2']);
    expect(found).toEqual([[1, 2], [3], [4, 6, 5]]);
  });

  it.each([
    ['on the last page', (n: number) => (n < 3 ? String(n) : undefined), {}, 3],
    ['where a cursor comes again', (n: number) => String(Math.min(n, 4)), {}, 5],
    ['after sixty pages', String, {}, 60],
    ['after as many pages as it has', String, { pages: 2 }, 2],
  ])('ends a band %s', async (_, cursorOf, limits, expected) => {
    let n = 0;
    const { crawled, calls } = crawling([{ from: 10, to: 20, ...limits }], async () => {
      n += 1;
      const nextCursor = cursorOf(n);
      // A page without a market that can be listed says nothing about where the band ends.
      return { records: [], ...(nextCursor === undefined ? {} : { nextCursor }) };
    });
    await crawled;
    expect(calls).toHaveLength(expected);
  });

  it('asks nothing more for any band once the bounds were ignored', async () => {
    const { crawled, calls } = crawling(
      [
        { from: 10, to: 20 },
        { from: 1, to: 10 },
      ],
      async (cursor, _, atLeast = 0) => ({
        records: [market(atLeast < 5 ? 1 : 2, 3)],
        nextCursor: `after ${cursor}`,
      }),
    );
    await expect(crawled).rejects.toThrow(BandsIgnoredError);
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls.filter(([, , atLeast = 0]) => atLeast > 5)).toHaveLength(1);
    expect(calls.length).toBeLessThanOrEqual(3);
  });
});
