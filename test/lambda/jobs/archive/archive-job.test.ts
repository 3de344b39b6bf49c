import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import { ArchiveRig, DAY, dateOf, manifestOf, market, rigWithDays } from './archive-rig.ts';

// The archive's job runs after each day. It reads the snapshots that the service published on that
// day and writes them to files, then a manifest that names these files, and last the index of all
// days. Days are counted from 2026-11-21, which is day 0. A day of these tests has only a few
// snapshots, so its condition is "degraded".
describe('a job', () => {
  it('that fails on one day writes the others, and the next job writes that day', async () => {
    const rig = await rigWithDays(2);
    rig.onWrite = (path) => {
      if (path.includes(dateOf(0))) throw new Error('crash');
    };
    await expect(rig.archive.run()).rejects.toThrow('crash');
    expect(rig.index).toEqual([[dateOf(1), 'degraded']]);
    rig.onWrite = () => undefined;
    await rig.archive.run();
    expect(rig.index).toEqual([0, 1].map((day) => [dateOf(day), 'degraded']));
  });

  // Snapshots expire after five days, so a job can write the last four days only: after day 7, the
  // days 4 to 7.
  it('declares days as missing whose snapshots expired before it ran', async () => {
    const rig = await rigWithDays(1);
    await rig.archive.run();
    for (const day of [2, 7]) {
      rig.now = DAY.start + day * DAY_MS;
      await rig.publish([market(0)]);
    }
    // Days 4 to 6 have no snapshot. The index leaves them out, because the next job tries them
    // again.
    await expect(rig.runAfter(7)).rejects.toThrow('No snapshot');
    const missing = [1, 2, 3].map((day) => [dateOf(day), 'missing']);
    expect(rig.index).toEqual([[dateOf(0), 'degraded'], ...missing, [dateOf(7), 'degraded']]);
  });

  it.each([
    { reads: 'the list of snapshots', call: 'onQuery' },
    { reads: 'a snapshot', call: 'onGet' },
  ] as const)('writes no day if the table does not return $reads', async ({ call }) => {
    const rig = await rigWithDays(1);
    rig.table[call] = () => {
      throw new Error('throttled');
    };
    await expect(rig.archive.run()).rejects.toThrow('throttled');
    // A job writes the index even if a day fails.
    expect(rig.written).toEqual(['index.json']);
  });
});

describe('a day', () => {
  it('has the least and the median number of markets of its snapshots', async () => {
    const rig = new ArchiveRig();
    for (const count of [5, 1, 2, 9, 3]) {
      rig.now += HOUR_MS;
      await rig.publish(Array.from({ length: count }, (_, n) => market(n)));
    }
    await rig.runAfter();
    expect(rig.json(manifestOf(0))).toMatchObject({ markets: { least: 1, median: 3 } });
  });

  it('without snapshots is not written', async () => {
    const rig = new ArchiveRig();
    await rig.runAfter();
    expect(rig.written).toEqual(['index.json']);
  });

  it('declares a broken snapshot as a gap', async () => {
    const rig = new ArchiveRig();
    const ids = new Map<number, string>();
    for (const minute of [-1, 0, 1]) {
      rig.now = DAY.start + minute * MINUTE_MS;
      ids.set(minute, await rig.publish([market(0), market(1)]));
    }
    // The snapshot of midnight loses its only item.
    expect(rig.table.items.delete(`SNAPSHOT#${ids.get(0)} 0`)).toBe(true);
    await rig.runAfter();
    expect(rig.json(manifestOf(0))).toMatchObject({
      maxMarkets: 2_000,
      snapshots: { found: 1 },
      gaps: [
        // It reaches back to the snapshot before midnight, but a day cuts its gaps.
        { from: '2026-11-21T00:00:00.000Z', to: '2026-11-21T00:01:00.000Z' },
        // The rest of the day has no snapshot.
        { from: '2026-11-21T00:01:00.000Z', to: '2026-11-22T00:00:00.000Z' },
      ],
    });
    expect(await rig.rows('prices')).toHaveLength(2);
    const lost = { markets: null, time: new Date(DAY.start) };
    expect(await rig.rows('snapshots')).toMatchObject([lost, { markets: 2 }]);
  });
});

// An item of the table lists each published snapshot with the time of its publication. A run that
// ends early does not write that item. The snapshot is then found through the next one, which names
// it.
it('a snapshot that no item lists is archived without the time of its publication', async () => {
  const rig = new ArchiveRig();
  // The service begins three minutes before midnight, with a snapshot each minute.
  const times = [-3, -2, -1].map((minute) => DAY.end + minute * MINUTE_MS);
  for (const time of times) {
    rig.now = time;
    await rig.publish([market(0)]);
  }
  expect(rig.table.items.delete(`PUBLISHED ${times[1]}`)).toBe(true);
  await rig.runAfter();
  expect(rig.json(manifestOf(0))).toMatchObject({
    condition: 'complete',
    gaps: [],
    snapshots: { expected: 3, found: 3 },
  });
  const [first, second, third] = await rig.rows('snapshots');
  expect(first).toMatchObject({ published_at: first?.time });
  expect(second).toMatchObject({ published_at: null, markets: 1 });
  expect(third).toMatchObject({ published_at: third?.time });
});
