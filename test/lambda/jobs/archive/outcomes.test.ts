import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import { encodeJson } from '../../../../lambda/io/archive/archive-store.ts';
import type { Resolution } from '../../../../lambda/io/polymarket/resolutions.ts';
import { dayOf } from '../../../../lambda/jobs/archive/day.ts';
import { givenUp } from '../../../../lambda/jobs/archive/outcomes.ts';
import { testMarket } from '../../../support/markets.ts';
import { ArchiveRig, DAY, dateOf, idOf, market, rigWithDays } from './archive-rig.ts';

// The archive follows the markets that left the list of the service until their outcome is known:
// what a share of YES pays. The job after a day writes the outcomes that it found into the files of
// that day. Days are counted from 2026-11-21, which is day 0.

/** YES, the first of the outcomes, pays 1, and NO pays 0. */
const RESOLVED = { status: 'resolved', payouts: [1, 0] };

describe('a market that left the list', () => {
  /** Market 0 stays listed. Market 1 leaves at the end of day 0. */
  const days = (count: number) =>
    rigWithDays(count, (n) => (n === 0 ? [market(0), market(1)] : [market(0)]));

  it('has its outcome on the day at which its resolution is known', async () => {
    const rig = await days(3);
    await rig.runAfter(0);
    await rig.runAfter(1);
    expect(await rig.followed()).toEqual([idOf(0), idOf(1)]);
    rig.resolutions.set(idOf(1), RESOLVED);
    await rig.runAfter(2);
    expect(await rig.followed()).toEqual([idOf(0)]);
    expect(await rig.rows('outcomes', dateOf(1))).toEqual([]);
    expect(await rig.rows('outcomes', dateOf(2))).toMatchObject([
      {
        id: idOf(1),
        payout: 1,
        resolved_at: null,
        known_at: new Date(rig.now),
        left_reason: 'delisted',
      },
    ]);
  });

  it('is followed with its last time and volume, its planned end and why it left', async () => {
    const rig = await days(2);
    await rig.runAfter(1);
    const states = rig.json('state.json').markets;
    expect(states.map(({ id }: { id: string }) => id)).toEqual([idOf(0), idOf(1)]);
    expect(states[1]).toEqual({
      id: idOf(1),
      yes: 0,
      lastTime: DAY.start + HOUR_MS + MINUTE_MS,
      lastVolume: market(1).volume,
      endDate: Date.parse(market(1).endDate),
      leftReason: 'delisted',
    });
  });

  // A job writes the markets to follow into `state.next.json`, then the manifest of the day, then
  // `state.json`. The first file counts only if its `writtenAt` is that of the manifest.
  it('is followed if a job that lost its claim left a state without its manifest', async () => {
    const rig = await days(3);
    await rig.runAfter(1);
    const lost = { ...rig.json('state.json'), writtenAt: '2026-01-01T00:00:00.000Z', markets: [] };
    await rig.store.write('state.next.json', encodeJson(lost));
    expect(await rig.followed()).toEqual([idOf(0), idOf(1)]);
  });

  it('has its outcome on the newest day even when the job is 23 hours late', async () => {
    const rig = await days(2);
    rig.resolutions.set(idOf(1), RESOLVED);
    rig.now = DAY.start + 2 * DAY_MS + 23 * HOUR_MS;
    await rig.archive.run();
    expect(await rig.rows('outcomes', dateOf(1))).toMatchObject([{ id: idOf(1), payout: 1 }]);
  });

  it.each<[string, Resolution | undefined]>([
    ['without a resolution', undefined],
    ['with a proposed one', { status: 'proposed', payouts: [1, 0] }],
    ['without payouts', { status: 'resolved' }],
  ])('%s stays followed', async (_, resolution) => {
    const rig = await days(2);
    if (resolution) rig.resolutions.set(idOf(1), resolution);
    await rig.archive.run();
    expect(await rig.followed()).toEqual([idOf(0), idOf(1)]);
  });

  it('stays followed when upstream fails, and the files are written', async () => {
    const rig = await days(2);
    await rig
      .archiveWith({ resolutions: { read: () => Promise.reject(new Error('upstream')) } })
      .run();
    expect(await rig.followed()).toEqual([idOf(0), idOf(1)]);
    expect(rig.warnings).toEqual([
      'The archive could not read all resolutions; the next job reads them',
    ]);
  });

  it('pays what its YES pays, in the order of the outcomes', async () => {
    const reversed = { ...market(1), outcomes: market(1).outcomes.toReversed() };
    const rig = await rigWithDays(2, (n) => (n === 0 ? [reversed] : [market(0)]));
    rig.resolutions.set(idOf(1), { status: 'Resolved', payouts: [0.25, 0.75] });
    await rig.archive.run();
    expect(await rig.rows('outcomes', dateOf(1))).toMatchObject([{ payout: 0.75 }]);
  });

  it('is in a call for 20 resolutions, until it is back in the list', async () => {
    // 40 markets leave for day 1. So the job after day 1 makes two calls, and that after day 2
    // none.
    const all = Array.from({ length: 41 }, (_, n) => market(n));
    const rig = await rigWithDays(3, (n) => (n === 1 ? all.slice(0, 1) : all));
    const calls: { ids: number; timeoutMs: number }[] = [];
    rig.onResolutions = (ids, deadline) =>
      calls.push({ ids: ids.length, timeoutMs: deadline - rig.now });
    for (const n of [0, 1, 2]) await rig.runAfter(n);
    expect(calls).toEqual(Array(2).fill({ ids: 20, timeoutMs: 4 * MINUTE_MS }));
    expect(await rig.followed()).toHaveLength(41);
  });

  it('on a day that is written after a later one is followed, too', async () => {
    const rig = await rigWithDays(4, (n) => (n === 1 ? [market(0), market(7)] : [market(0)]));
    rig.resolutions.set(idOf(7), RESOLVED);
    for (const n of [0, 2, 1, 3]) await rig.archive.write(dayOf(DAY.start, n));
    expect(await rig.rows('outcomes', dateOf(3))).toMatchObject([{ id: idOf(7), payout: 1 }]);
    expect(await rig.followed()).toEqual([idOf(0)]);
  });

  // A list is cut if the catalogue has more markets than the stage lists. Then it lacks those of
  // the smallest volume.
  it('left because of its rank if the list without it was cut at its volume', async () => {
    const rig = new ArchiveRig();
    // Market 1 leaves first, and the list without it is not cut. Then market 2 leaves: the list
    // without it is cut at the volume of market 0, which market 2 has as well.
    const last = { ...market(2), volume: market(0).volume };
    const snapshots = [
      { time: DAY.start, markets: [market(0), market(1), last], isCut: true },
      { time: DAY.start + MINUTE_MS, markets: [market(0), last], isCut: false },
      { time: DAY.start + 2 * MINUTE_MS, markets: [market(0)], isCut: true },
      { time: DAY.end + MINUTE_MS, markets: [market(3)], isCut: true },
    ];
    for (const { time, markets, isCut } of snapshots) {
      rig.now = time;
      await rig.publish(markets, isCut);
    }
    await rig.runAfter();
    for (const n of [0, 2]) rig.resolutions.set(idOf(n), RESOLVED);
    await rig.runAfter(1);
    const reasons = (await rig.rows('markets')).map(({ left_reason }) => left_reason);
    expect(reasons).toEqual([null, 'delisted', 'rank']);
    // The next list was cut as well, but markets 0 and 2 have a larger volume than market 3.
    expect(await rig.rows('outcomes', dateOf(1))).toMatchObject([
      { id: idOf(0), left_reason: 'delisted' },
      { id: idOf(2), left_reason: 'rank' },
    ]);
  });

  it('is given up 30 days after its planned end, with a row', async () => {
    // The planned end is on day 20, so the market is given up on day 50.
    const endDate = new Date(DAY.start + 20 * DAY_MS).toISOString();
    const rig = await rigWithDays(2, (n) =>
      n === 0 ? [market(0), testMarket(1, { endDate })] : [market(0)],
    );
    await rig.archive.run();
    const outcomesOfDay = async (n: number) => {
      rig.now = DAY.start + n * DAY_MS;
      await rig.publish([market(0)]);
      // The day before has no snapshot.
      await rig.runAfter(n).catch(() => undefined);
      return await rig.rows('outcomes', dateOf(n));
    };
    expect(await outcomesOfDay(49)).toEqual([]);
    const lastTime = new Date(DAY.start + HOUR_MS + MINUTE_MS);
    expect(await outcomesOfDay(50)).toMatchObject([
      { id: idOf(1), payout: null, resolved_at: null, last_time: lastTime },
    ]);
    expect(await rig.followed()).toEqual([idOf(0)]);
  });

  it('is given up 30 days after it left if its planned end was earlier', () => {
    const late = { id: '0', yes: 0, lastVolume: 1, lastTime: DAY.end, endDate: DAY.start };
    const knownAt = DAY.end;
    const givenUpAfter = (count: number) => givenUp([late], DAY.end + count * DAY_MS, knownAt);
    expect(givenUpAfter(30)).toEqual([]);
    expect(givenUpAfter(31)).toHaveLength(1);
  });

  it('is given up if 20,000 others left after it', () => {
    const left = Array.from({ length: 20_002 }, (_, n) => ({
      id: `${n}`,
      yes: 0,
      lastVolume: 1,
      lastTime: DAY.end + n,
    }));
    expect(givenUp(left, DAY.end, DAY.end).map(({ id }) => id)).toEqual(['1', '0']);
  });
});
