import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import { ArchiveRig, DAY, dateOf, manifestOf, market, rigWithDays } from './archive-rig.ts';

// A day of these tests has only a few snapshots, so its condition is "degraded".
describe('a job that fails', () => {
  it('on one day makes the other one, and is repaired by the next job', async () => {
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

  it('until the snapshots have expired leaves a day that is missing', async () => {
    const rig = await rigWithDays(1);
    await rig.archive.run();
    // Snapshots expire after five days: the job after day 7 can no longer read those of days 1 to
    // 3.
    for (const day of [2, 7]) {
      rig.now = DAY.start + day * DAY_MS;
      await rig.publish([market(0)]);
    }
    await expect(rig.runAfter(7)).rejects.toThrow('No snapshot');
    const missing = [1, 2, 3].map((day) => [dateOf(day), 'missing']);
    expect(rig.index).toEqual([[dateOf(0), 'degraded'], ...missing, [dateOf(7), 'degraded']]);
  });

  it.each(['onQuery', 'onGet'] as const)(
    'because the table does not respond writes no day: %s',
    async (call) => {
      const rig = await rigWithDays(1);
      rig.table[call] = () => {
        throw new Error('throttled');
      };
      await expect(rig.archive.run()).rejects.toThrow('throttled');
      expect(rig.written).toEqual(['index.json']);
    },
  );
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
    // The first gap reaches back to the snapshot before midnight, but a day cuts its gaps.
    for (const minute of [-1, 0, 1]) {
      rig.now = DAY.start + minute * MINUTE_MS;
      const id = await rig.publish([market(0), market(1)]);
      // That of midnight loses its only chunk.
      if (minute === 0) expect(rig.table.items.delete(`SNAPSHOT#${id} 0`)).toBe(true);
    }
    await rig.runAfter();
    // The second gap is the rest of the day, which has no snapshots after 00:01.
    const gaps = [0, 1].map((minute) => new Date(DAY.start + minute * MINUTE_MS));
    expect(rig.json(manifestOf(0))).toMatchObject({
      maxMarkets: 2_000,
      snapshots: { found: 1 },
      gaps: gaps.map((from) => ({ from: from.toISOString() })),
    });
    expect(await rig.rows('prices')).toHaveLength(2);
    const lost = { markets: null, time: new Date(DAY.start) };
    expect(await rig.rows('snapshots')).toMatchObject([lost, { markets: 2 }]);
  });
});

it('a published snapshot that no item lists is found through the next one', async () => {
  const rig = new ArchiveRig();
  // A snapshot each minute from 22:00 until a minute past midnight. The service began at 22:00, so
  // two hours of the day are expected: 120 snapshots.
  const [from, midnight] = [22 * 60, 24 * 60];
  for (let minute = from; minute <= midnight + 1; minute++) {
    rig.now = DAY.start + minute * MINUTE_MS;
    await rig.publish([market(0)]);
  }
  // The first one, three in a row, and those at both sides of midnight lose the item that lists
  // them.
  for (const minute of [from, from + 5, from + 6, from + 7, midnight - 1, midnight]) {
    expect(rig.table.items.delete(`PUBLISHED ${DAY.start + minute * MINUTE_MS}`)).toBe(true);
  }
  await rig.runAfter();
  expect(rig.json(manifestOf(0))).toMatchObject({
    condition: 'complete',
    gaps: [],
    snapshots: { expected: 120, found: 120 },
  });
  // The time of publication is stored only in the item that lists a snapshot.
  const [listed, unlisted, nextUnlisted] = (await rig.rows('snapshots')).slice(4, 7);
  expect(listed).toMatchObject({ published_at: listed?.time });
  expect(unlisted).toMatchObject({ published_at: null, markets: 1 });
  expect(nextUnlisted).toMatchObject({ published_at: null });
});
