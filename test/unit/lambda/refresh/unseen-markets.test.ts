import { describe, expect, it } from '@jest/globals';
import { paddedConditionId } from '../../../../lambda/domain/condition-id.ts';
import type { CatalogueRecord } from '../../../../lambda/domain/market.ts';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { Sightings } from '../../../../lambda/refresh/sightings.ts';
import { askForUnseen, IDS_A_CALL } from '../../../../lambda/refresh/unseen-markets.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { listable } from './fake-upstreams.ts';

const entriesOf = (count: number) => Array.from({ length: count }, (_, n) => snapshotEntry(n));

async function asked(
  entries: readonly SnapshotEntry[],
  find: (ids: readonly string[], call: number) => readonly CatalogueRecord[],
) {
  const report = new RunReport();
  const calls: (readonly string[])[] = [];
  const catalogue = {
    page: async () => ({ records: [] }),
    find: async (ids: readonly string[]) => find(ids, calls.push(ids)),
  };
  const unseen = await askForUnseen(catalogue, entries, new Sightings(report), 0, report);
  return { ...unseen, foundIds: unseen.found.map(({ id }) => id), calls, report };
}

describe('markets that came on no page', () => {
  it('are listed when the catalogue has them under their ids, and closed when it has not', async () => {
    const entries = entriesOf(3);
    const { foundIds, closed, report } = await asked(entries, () => [listable(catalogueMarket(1))]);
    expect(foundIds).toEqual([entries[1]?.market.id]);
    expect([...closed]).toEqual([entries[0]?.market.id, entries[2]?.market.id]);
    expect(report).toMatchObject({
      unseen: 3,
      unseenCalls: 1,
      unseenFound: 1,
      unseenCallsFailed: 0,
      pages: 0,
    });
  });

  it('cost no call where there are none', async () => {
    expect((await asked([], () => [])).calls).toEqual([]);
  });

  it('are asked for forty at a time, eight hundred at most: nothing is said of the others', async () => {
    const { calls, closed } = await asked(entriesOf(20 * IDS_A_CALL + 1), () => []);
    expect(calls.map((ids) => ids.length)).toEqual(Array.from({ length: 20 }, () => IDS_A_CALL));
    expect(closed.size).toBe(800);
  });

  it('are neither found nor closed where the call fails, and those of the other calls are', async () => {
    const { closed, report } = await asked(entriesOf(2 * IDS_A_CALL), (_, call) => {
      if (call === 1) throw new Error('down');
      return [];
    });
    expect(closed.size).toBe(IDS_A_CALL);
    expect(report.unseenCallsFailed).toBe(1);
  });

  it('are neither found nor closed where the catalogue sends others: it ignores the ids', async () => {
    const { foundIds, closed, report } = await asked(entriesOf(2), () => [
      listable(catalogueMarket(1)),
      listable(catalogueMarket(77)),
    ]);
    expect([foundIds, [...closed], report.unseenCallsFailed]).toEqual([[], [], 1]);
  });

  it('are not closed where a record might be any of them', async () => {
    const { foundIds, closed } = await asked(entriesOf(3), () => [
      listable(catalogueMarket(1)),
      { kind: 'skipped', reason: 'not_an_object' },
    ]);
    expect([foundIds.length, closed.size]).toEqual([1, 0]);
  });

  it('are gone where they have become inactive, without being listed', async () => {
    const entries = entriesOf(1);
    const id = entries[0]?.market.id ?? '';
    const report = new RunReport();
    const sightings = new Sightings(report);
    const catalogue = {
      page: async () => ({ records: [] }),
      find: async () => [{ kind: 'inactive', id } as const],
    };
    expect((await askForUnseen(catalogue, entries, sightings, 0, report)).found).toEqual([]);
    expect(sightings.saw(id)).toBe(true);
  });

  it('of Protocol V2 are found in either form of their id, and are not closed by silence', async () => {
    const short = `0x${'ab'.repeat(31)}`;
    const v2 = (id: string): SnapshotEntry => {
      const { market, facets } = snapshotEntry(1);
      return { market: { ...market, id }, facets: { ...facets, protocolVersion: 'v2' } };
    };
    const padded = paddedConditionId(short);
    const record = { ...listable(catalogueMarket(1, { id: padded, protocolVersion: 'v2' })), id: padded };
    const { foundIds } = await asked([v2(short)], () => [record]);
    expect(foundIds).toEqual([padded]);
    expect((await asked([v2(short)], () => [])).closed.size).toBe(0);
  });
});
