import { describe, expect, it } from '@jest/globals';
import type { CatalogueRecord } from '../../../../lambda/domain/market.ts';
import { readCatalogue } from '../../../../lambda/refresh/read-catalogue.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { listable } from './fake-upstreams.ts';

describe('a market of the previous snapshot that came on no page', () => {
  const entries = Array.from({ length: 3 }, (_, n) => snapshotEntry(n));
  const reading = async (find: () => Promise<CatalogueRecord[]>) => {
    const page = async () => ({ records: [listable(catalogueMarket(0))] });
    const reader = { catalogue: { page, find }, clock: new ManualClock(), maxMarkets: 2_000 };
    return await readCatalogue(reader, entries, 60_000, new RunReport(), () => undefined);
  };

  it('is gone when the catalogue does not know it any more', async () => {
    expect((await reading(async () => [listable(catalogueMarket(0))])).unread).toEqual([]);
  });

  it('may be there when the catalogue does not know one either that was just seen', async () => {
    expect((await reading(async () => [])).unread).toEqual(entries.slice(1));
  });

  it('may be there when the catalogue cannot be asked', async () => {
    const { unread, bands } = await reading(() => Promise.reject(new Error('down')));
    expect(unread).toEqual(entries.slice(1));
    expect(bands).toEqual([{ from: 0, to: Number.POSITIVE_INFINITY }]);
  });
});
