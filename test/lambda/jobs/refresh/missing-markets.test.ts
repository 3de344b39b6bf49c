import { describe, expect, it } from '@jest/globals';
import type { CatalogueRecord } from '../../../../lambda/core/domain/market.ts';
import { MINUTE_MS as MINUTE } from '../../../../lambda/core/domain/time.ts';
import type { SnapshotDraft } from '../../../../lambda/io/snapshots/snapshot-writer.ts';
import { bookAround } from './catalogue-markets.ts';
import { rigAfterRun } from './refresh-rig.ts';

// Gamma's catalogue sometimes lacks markets that are still open. The refresher keeps them for two
// full runs ("crawls"), and then publishes a list that names those it lacks (`missing`).
//
// A rig lists 30 markets, which have a price of 0.5. The clock moves only when a run or a test
// waits.

describe('a catalogue that hides markets', () => {
  it('makes lists that keep them for two crawls while CLOB has their prices', async () => {
    const { clock, world, writer, run } = await rigAfterRun(MINUTE);
    world.markets = world.markets.slice(10);
    const lists: unknown[] = [];
    for (let crawl = 1; crawl <= 3; crawl++) {
      await run();
      const markets = writer.last?.markets ?? [];
      lists.push({ markets: markets.length, largestVolume: markets[0]?.volume });
      await clock.advance(2 * MINUTE);
    }
    // The hidden markets have the largest volumes.
    const complete = { markets: 30, largestVolume: 1_000_000 };
    const short = { markets: 20, largestVolume: 999_990 };
    expect(lists).toEqual([complete, complete, short]);
  });

  /** A rig after six minutes, in which the runs have given up the hidden markets. */
  async function rigWithout(hidden: number) {
    const rig = await rigAfterRun(MINUTE);
    const all = rig.world.markets;
    rig.world.markets = all.slice(hidden);
    const runs = async () => {
      for (const kind of ['full', 'prices', 'full', 'prices', 'full', 'prices'] as const) {
        await rig.run(kind);
        await rig.clock.advance(MINUTE);
      }
    };
    await runs();
    return { ...rig, all, runs, missing: () => rig.writer.last?.missing };
  }

  it('makes a list that names them until it has them again', async () => {
    const { writer, world, all, run, runs, newContainer, missing } = await rigWithout(10);
    expect(writer.last?.markets).toHaveLength(20);
    expect(missing()).toMatchObject({ expected: 30 });
    const first = writer.published.find((snapshot) => snapshot.missing);
    expect(missing()?.since).toBe(first?.asOf);
    newContainer();
    await runs();
    expect(missing()).toEqual(first?.missing);
    world.markets = all;
    const { publications } = await run();
    expect(missing()).toBeUndefined();
    expect(publications[0]?.missing).toBeUndefined();
  });

  it('makes a complete list when CLOB has closed them', async () => {
    const rig = await rigAfterRun(MINUTE);
    const closed = rig.world.markets.slice(0, 10).map(({ clobTokenId }) => clobTokenId);
    rig.world.markets = rig.world.markets.slice(10);
    rig.world.book = (token) => (closed.includes(token) ? {} : bookAround(0.5));
    await rig.run();
    expect(rig.writer.last?.markets).toHaveLength(20);
    expect(rig.writer.last?.missing).toBeUndefined();
  });

  /** The records of a page. The first ten are replaced by this one, with their ids. */
  const withFirstTenAs = (changed: CatalogueRecord, records: readonly CatalogueRecord[]) =>
    records.map((record, n) => (n < 10 && record.id ? { ...changed, id: record.id } : record));

  it('makes a list that lacks ten markets when their records are unreadable', async () => {
    const { world, run, writer } = await rigAfterRun(MINUTE);
    world.shown = (records) => withFirstTenAs({ kind: 'skipped', reason: 'question' }, records);
    await run();
    expect(writer.last?.markets).toHaveLength(20);
    expect(writer.last?.missing?.markets).toHaveLength(10);
  });

  it.each<{ what: string; record: CatalogueRecord }>([
    { what: 'are closed', record: { kind: 'inactive' } },
    { what: 'cannot be traded', record: { kind: 'skipped', reason: 'no_order_book' } },
  ])('makes a complete list when ten markets $what', async ({ record }) => {
    const { world, run, writer } = await rigAfterRun(MINUTE);
    world.shown = (records) => withFirstTenAs(record, records);
    await run();
    expect(writer.last?.markets).toHaveLength(20);
    expect(writer.last?.missing).toBeUndefined();
  });

  it('lacks nothing compared with a list from another or an unnamed upstream', async () => {
    for (const upstream of ['other.test', undefined]) {
      const { world, run, writer } = await rigAfterRun(MINUTE);
      // The published list comes from there.
      const published = writer.published.pop();
      if (published) writer.published.push({ ...published, upstream } as SnapshotDraft);
      world.shown = (records) => withFirstTenAs({ kind: 'skipped', reason: 'question' }, records);
      await run();
      expect(writer.last?.missing).toBeUndefined();
      expect(writer.last?.upstream).toBe('gamma.test');
    }
  });
});
