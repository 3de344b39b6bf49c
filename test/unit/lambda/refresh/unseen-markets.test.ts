import { describe, expect, it } from '@jest/globals';
import { paddedConditionId } from '../../../../lambda/domain/condition-id.ts';
import type { CatalogueMarket, CatalogueRecord } from '../../../../lambda/domain/market.ts';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { SeenMarkets } from '../../../../lambda/refresh/seen-markets.ts';
import { askForUnseen, IDS_A_CALL } from '../../../../lambda/refresh/unseen-markets.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { listable } from './fake-upstreams.ts';

const entriesOf = (count: number) => Array.from({ length: count }, (_, n) => snapshotEntry(n));

async function asked(
  entries: readonly SnapshotEntry[],
  find: (ids: readonly string[], call: number) => readonly CatalogueRecord[],
  seen: readonly CatalogueMarket[] = [],
) {
  const report = new RunReport();
  const calls: (readonly string[])[] = [];
  const catalogue = {
    page: async () => ({ records: [] }),
    find: async (ids: readonly string[]) => find(ids, calls.push(ids)),
  };
  const unseen = await askForUnseen(catalogue, entries, seen, new SeenMarkets(report), 0, report);
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

  it('are asked for before a deadline', async () => {
    const deadlines: number[] = [];
    const catalogue = {
      page: async () => ({ records: [] }),
      find: async (_: readonly string[], deadline: number) => {
        deadlines.push(deadline);
        return [];
      },
    };
    const report = new RunReport();
    await askForUnseen(catalogue, entriesOf(1), [], new SeenMarkets(report), 7_000, report);
    expect(deadlines).toEqual([7_000]);
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
    const seenMarkets = new SeenMarkets(report);
    const catalogue = {
      page: async () => ({ records: [] }),
      find: async () => [{ kind: 'inactive', id } as const],
    };
    expect((await askForUnseen(catalogue, entries, [], seenMarkets, 0, report)).found).toEqual([]);
    expect(seenMarkets.saw(id)).toBe(true);
  });

  describe('beside one that has just been seen', () => {
    const padded = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
    const v2 = (id: string): SnapshotEntry => {
      const { market, facets } = snapshotEntry(1);
      return { market: { ...market, id }, facets: { ...facets, protocolVersion: 'v2' } };
    };
    const control = (n: number, protocolVersion: 'v1' | 'v2', volume = 5) =>
      catalogueMarket(n, { id: padded(n), protocolVersion, volume });
    const recordOf = (market: CatalogueMarket) => ({ ...listable(market), id: market.id });

    it.each(['v1', 'v2'] as const)('of %s are closed where that one comes back', async (version) => {
      const entries = version === 'v1' ? [snapshotEntry(1)] : [v2(padded(8))];
      const seen = [control(70, version), control(71, version, 9), control(72, version, 3)];
      // Of two one is enough: the other may have closed just now.
      const { calls, closed, foundIds, report } = await asked(
        entries,
        () => [recordOf(control(71, version))],
        seen,
      );
      expect(calls).toEqual([[entries[0]?.market.id, padded(71), padded(70)]]);
      expect([closed.size, foundIds, report.duplicates]).toEqual([1, [], 0]);
    });

    it('are asked for with controls of the versions in question alone', async () => {
      const seen = [control(70, 'v1'), control(72, 'v2')];
      const { calls } = await asked([v2(padded(8))], () => [], seen);
      expect(calls).toEqual([[padded(8), padded(72)]]);
    });

    it('are found beside their control, which is not listed again', async () => {
      const { foundIds, closed, report } = await asked(
        [snapshotEntry(1), snapshotEntry(2)],
        () => [recordOf(control(1, 'v1')), recordOf(control(70, 'v1')), recordOf(control(71, 'v1'))],
        [control(70, 'v1'), control(71, 'v1')],
      );
      expect(foundIds).toEqual([padded(1)]);
      expect([...closed]).toEqual([padded(2)]);
      expect(report).toMatchObject({ duplicates: 0, unseenFound: 1, unseenCalls: 1 });
    });

    it('and were seen in the short form of its id are closed where its padded form comes back', async () => {
      const short = `0x${'ab'.repeat(31)}`;
      const seen = [catalogueMarket(70, { id: short, protocolVersion: 'v2' })];
      const record = recordOf(catalogueMarket(70, { id: `${short}00`, protocolVersion: 'v2' }));
      const { foundIds, closed } = await asked([v2(`0x${'cd'.repeat(31)}`)], () => [record], seen);
      expect([foundIds, [...closed]]).toEqual([[], [`0x${'cd'.repeat(31)}00`]]);
    });

    it.each(['v1', 'v2'] as const)('of %s are not where it does not', async (version) => {
      const entries = version === 'v1' ? [snapshotEntry(1)] : [v2(padded(8))];
      expect((await asked(entries, () => [], [control(71, version)])).closed.size).toBe(0);
    });

    it('are told apart by their version, forty a call in all', async () => {
      const entries = [...entriesOf(50), v2(padded(8))];
      const seen = [control(70, 'v1'), control(71, 'v1'), control(72, 'v2'), control(73, 'v2')];
      const { calls, closed } = await asked(entries, () => [recordOf(control(71, 'v1'))], seen);
      expect(calls.map((ids) => ids.length)).toEqual([38, 19]);
      expect(calls[1]).toEqual(expect.arrayContaining([70, 71, 72, 73].map(padded)));
      expect(closed.size).toBe(50);
    });
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
