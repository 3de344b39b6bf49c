import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { dayOf } from '../../../../lambda/app/archive/day.ts';
import { listMarkets } from '../../../../lambda/app/markets/market-lists.ts';
import { PRICE_SOURCES } from '../../../../lambda/core/contract/market-fields.ts';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { DAY_MS } from '../../../../lambda/core/domain/time.ts';
import type { Resolution } from '../../../../lambda/io/polymarket/resolutions.ts';
import { SnapshotCache } from '../../../../lambda/io/snapshots/snapshot-cache.ts';
import { SnapshotReader } from '../../../../lambda/io/snapshots/snapshot-reader.ts';
import { Dice } from '../../../support/dice.ts';
import { endpointRequest } from '../../../support/endpoint-request.ts';
import { testMarket } from '../../../support/markets.ts';
import { ArchiveRig, DAY, MINUTE } from './archive-rig.ts';

const HOUR = 60 * MINUTE;
/** The longest time between two snapshots that is no gap. */
const STEP = 2 * MINUTE;
const iso = (time: number): string => new Date(time).toISOString();
const idOf = (n: number): string => testMarket(n).id;

describe('a day with two outages, entries, exits and a resolution', () => {
  const rig = new ArchiveRig();
  const dice = new Dice(3);
  /** What the API said: a row for each market and snapshot, in the order of the file. */
  const served: Record<string, unknown>[] = [];
  const outages = [
    [3 * HOUR, 3.5 * HOUR],
    [23.8 * HOUR, 24.1 * HOUR],
  ] as const;
  /** Hours from which and to which a market is listed; the others are listed all day. */
  const listed: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
    3: [
      [0, 8],
      [10, 25],
    ],
    5: [[0, 12]],
    12: [[6, 25]],
  };
  const marketsAt = (at: number): Market[] =>
    Array.from({ length: 13 }, (_, n) => n)
      .filter((n) => (listed[n] ?? [[0, 25]]).some(([from, to]) => at >= from * HOUR && at < to * HOUR))
      .map((n) => {
        const maybe = (value: number) => (dice.chance(0.8) ? value : undefined);
        const cents = Math.floor(dice.between(1, 999)) / 1_000;
        return testMarket(n, {
          bestBid: maybe(cents),
          bestAsk: maybe(cents + 0.001),
          midpoint: maybe(cents + 0.0005),
          currentProbability: cents * 100,
          priceSource: dice.pick(PRICE_SOURCES as unknown as ['book']),
          volume: 1_000_000 - n + at / MINUTE / 10,
          liquidity: Math.floor(dice.between(0, 1e6)) / 100,
        });
      });

  beforeAll(async () => {
    const reader = new SnapshotReader({ client: rig.table.client, table: 'table', now: rig.clock.now });
    const snapshots = new SnapshotCache({ reader, clock: rig.clock, logger: { warn: () => undefined } });
    const list = listMarkets({ snapshots, now: rig.clock.now });
    for (let at = 0; at < 24.3 * HOUR; at += STEP) {
      rig.now = DAY.start + at;
      if (outages.some(([from, to]) => at >= from && at < to)) continue;
      const markets = marketsAt(at);
      const id = await rig.publish(markets);
      if (at >= DAY_MS) continue;
      const fields = 'id,bestBid,bestAsk,currentProbability,volume,liquidity';
      const { body } = await list(endpointRequest('list-markets', `/api/markets?snapshot=${id}&fields=${fields}`));
      const internal = new Map(markets.map((market) => [market.id, market]));
      for (const row of JSON.parse(body)) {
        const { midpoint = null, priceSource } = internal.get(row.id) as Market;
        served.push({
          time: new Date(rig.now),
          id: row.id,
          bid: row.bestBid ?? null,
          ask: row.bestAsk ?? null,
          midpoint,
          probability: row.currentProbability,
          source: priceSource,
          volume: row.volume,
          liquidity: row.liquidity,
        });
      }
    }
    served.sort((a, b) => (`${a.id}` < `${b.id}` ? -1 : `${a.id}` > `${b.id}` ? 1 : Number(a.time) - Number(b.time)));
    rig.resolutions.set(idOf(5), { status: 'resolved', payouts: [0, 1], resolvedAt: DAY.start + 13 * HOUR });
    await rig.runAfter();
  });

  it('has the rows that /api/markets?snapshot= had said, sorted by id and time', async () => {
    expect(served.length).toBeGreaterThan(7_500);
    expect(await rig.rows('prices')).toEqual(served);
  });

  it('has one row for each market, with the first and last time in the list', async () => {
    const rows = await rig.rows('markets');
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 13 }, (_, n) => idOf(n)));
    expect(rows[5]).toEqual({
      id: idOf(5),
      question: 'Will event 5 happen?',
      slug: 'will-event-5-happen',
      token: testMarket(5).clobTokenId,
      outcomes: ['Yes', 'No'],
      tokens: testMarket(5).outcomes.map(({ tokenId }) => tokenId),
      event: null,
      event_title: null,
      tags: ['politics'],
      end_date: new Date('2026-12-31T12:00:00Z'),
      first_time: new Date(DAY.start),
      last_time: new Date(DAY.start + 12 * HOUR - STEP),
    });
    expect(rows[12]).toMatchObject({ first_time: new Date(DAY.start + 6 * HOUR) });
    expect(rows[3]).toMatchObject({ last_time: new Date(DAY.start + 23.8 * HOUR - STEP) });
  });

  it('has the resolution that became known', async () => {
    expect(await rig.rows('outcomes')).toEqual([
      { id: idOf(5), payout: 0, resolved_at: new Date(DAY.start + 13 * HOUR), known_at: new Date(rig.now) },
    ]);
  });

  it('declares its files, its gaps up to the edge, and that it is degraded', () => {
    const manifest = rig.json(`manifest/date=${DAY.date}.json`);
    expect(manifest).toMatchObject({
      date: DAY.date,
      condition: 'degraded',
      schema: 1,
      snapshots: 720 - 15 - 6,
      gaps: [
        { from: iso(DAY.start + 3 * HOUR - STEP), to: iso(DAY.start + 3.5 * HOUR), seconds: 32 * 60 },
        { from: iso(DAY.start + 23.8 * HOUR - STEP), to: iso(DAY.end), seconds: 14 * 60 },
      ],
      pending: [],
    });
    for (const { path, bytes, sha256 } of manifest.files) {
      const file = rig.files.get(path) ?? new Uint8Array();
      expect([file.length, createHash('sha256').update(file).digest('hex')]).toEqual([bytes, sha256]);
    }
    expect(manifest.files.map(({ rows }: { rows: number }) => rows)).toEqual([served.length, 13, 1]);
    expect(rig.json('index.json')).toEqual({
      schema: 1,
      days: [{ date: DAY.date, condition: 'degraded', manifest: `manifest/date=${DAY.date}.json` }],
    });
  });

  it('does not change when the job runs again', async () => {
    const before = new Map(rig.files);
    rig.written.length = 0;
    await rig.archive.run();
    expect(rig.written).toEqual(['index.json']);
    expect(rig.files).toEqual(before);
  });
});

/** A rig with two snapshots on each of the first days, 20 minutes after the last of them. */
async function rigWithDays(days: number, markets: (day: number) => readonly Market[] = () => [market(0), market(1)]) {
  const rig = new ArchiveRig();
  for (let day = 0; day < days; day++) {
    for (const at of [HOUR, HOUR + MINUTE]) {
      rig.now = DAY.start + day * DAY_MS + at;
      await rig.publish(markets(day));
    }
  }
  rig.now = DAY.start + days * DAY_MS + 20 * MINUTE;
  return rig;
}

const market = (n: number): Market => testMarket(n, { priceSource: 'book' });
const dateOf = (day: number): string => dayOf(DAY.start, day).date;
const manifestOf = (day: number): string => `manifest/date=${dateOf(day)}.json`;
const indexOf = (rig: ArchiveRig): unknown[] =>
  rig.json('index.json')?.days.map(({ date, condition }: Record<string, string>) => [date, condition]);
const RESOLVED = { status: 'resolved', payouts: [1, 0] };

describe('a job that fails', () => {
  it.each(['prices', 'markets', 'outcomes', 'manifest'])('at the file %s leaves no complete day', async (name) => {
    const rig = await rigWithDays(1);
    rig.onWrite = (path) => {
      if (path.startsWith(name)) throw new Error('crash');
    };
    await expect(rig.archive.run()).rejects.toThrow('crash');
    expect(rig.json(manifestOf(0))).toBeUndefined();
    expect(indexOf(rig)).toEqual([]);

    rig.onWrite = () => undefined;
    await rig.archive.run();
    expect(indexOf(rig)).toEqual([[dateOf(0), 'degraded']]);
    expect(await rig.rows('prices')).toHaveLength(4);
  });

  it('before it writes the index is followed by one that lists the day', async () => {
    const rig = await rigWithDays(1);
    rig.onWrite = (path) => {
      if (path === 'index.json') throw new Error('crash');
    };
    await expect(rig.archive.run()).rejects.toThrow('crash');
    rig.onWrite = () => undefined;
    await rig.archive.run();
    expect(indexOf(rig)).toEqual([[dateOf(0), 'degraded']]);
  });

  it('is repaired by the next one, which also makes its own day', async () => {
    const rig = await rigWithDays(2);
    await rig.archive.run();
    expect(indexOf(rig)).toEqual([
      [dateOf(0), 'degraded'],
      [dateOf(1), 'degraded'],
    ]);
  });

  it('on one day makes the other one', async () => {
    const rig = await rigWithDays(2);
    rig.onWrite = (path) => {
      if (path.includes(dateOf(0))) throw new Error('crash');
    };
    await expect(rig.archive.run()).rejects.toThrow('crash');
    expect(indexOf(rig)).toEqual([[dateOf(1), 'degraded']]);
  });

  it('until the snapshots have expired leaves a day that is missing', async () => {
    const rig = await rigWithDays(1);
    await rig.archive.run();
    for (const day of [2, 5]) {
      rig.now = DAY.start + day * DAY_MS;
      await rig.publish([market(0)]);
    }
    await expect(rig.runAfter(5)).rejects.toThrow('No snapshot');
    expect(indexOf(rig)).toEqual([
      [dateOf(0), 'degraded'],
      [dateOf(1), 'missing'],
      [dateOf(2), 'missing'],
      [dateOf(3), 'missing'],
      [dateOf(5), 'degraded'],
    ]);
  });

  it('because the table does not respond writes no day', async () => {
    const rig = await rigWithDays(1);
    rig.table.onQuery = () => {
      throw new Error('throttled');
    };
    await expect(rig.archive.run()).rejects.toThrow('throttled');
    expect(rig.written).toEqual(['index.json']);
  });
});

describe('a day', () => {
  it('of another job that ended first stays as it is', async () => {
    const rig = await rigWithDays(1);
    const other = Buffer.from('{"condition":"complete"}');
    rig.onWrite = () => rig.files.set(manifestOf(0), other);
    await rig.archive.run();
    expect(rig.files.get(manifestOf(0))).toBe(other);
  });

  it('with one snapshot has a gap on both sides of it', async () => {
    const rig = new ArchiveRig();
    rig.now += HOUR;
    await rig.publish([market(0)]);
    await rig.runAfter();
    expect(rig.json(manifestOf(0))).toMatchObject({
      snapshots: 1,
      gaps: [{ seconds: 3_600 }, { seconds: 23 * 3_600 }],
    });
  });

  it('without any is not written', async () => {
    const rig = new ArchiveRig();
    await rig.runAfter();
    expect(rig.written).toEqual(['index.json']);
    expect(rig.warnings).toEqual(['The day has no snapshot', 'The day has no snapshot']);
  });

  it('without any after an archived one fails the job, so that its alarm begins', async () => {
    const rig = await rigWithDays(1);
    await rig.archive.run();
    await expect(rig.runAfter(1)).rejects.toThrow('No snapshot of it can be read');
    expect(indexOf(rig)).toEqual([[dateOf(0), 'degraded']]);
  });

  it('declares a broken snapshot as a gap', async () => {
    const rig = await rigWithDays(1);
    const [chunk] = [...rig.table.items].filter(([key]) => key.startsWith('SNAPSHOT#20261121T010100'));
    rig.table.items.delete(chunk?.[0] ?? '');
    await rig.archive.run();
    expect(rig.json(manifestOf(0))).toMatchObject({ snapshots: 1, lastSnapshot: iso(DAY.start + HOUR) });
    expect(await rig.rows('prices')).toHaveLength(2);
  });

  it('that has not ended goes to the preview, as often as one likes, and is never listed', async () => {
    const rig = await rigWithDays(1);
    rig.now = DAY.start + 2 * HOUR;
    for (let run = 0; run < 2; run++) await rig.archive.write(DAY);
    const files = ['prices', 'markets', 'outcomes'].map((name) => `preview/${name}/date=${DAY.date}/${name}.parquet`);
    expect(rig.written).toEqual([...files, `preview/${manifestOf(0)}`, ...files, `preview/${manifestOf(0)}`]);
    // The hours to come are no gap.
    expect(rig.json(`preview/${manifestOf(0)}`).gaps).toMatchObject([{ seconds: 3_600 }, { seconds: 59 * 60 }]);
    await rig.archive.index();
    expect(indexOf(rig)).toEqual([]);
  });
});

describe('a market that left the list', () => {
  const leftAt = iso(DAY.start + HOUR + MINUTE);
  /** Market 1 leaves at midnight. */
  const days = (count: number) => rigWithDays(count, (day) => (day === 0 ? [market(0), market(1)] : [market(0)]));
  const pending = [{ id: idOf(1), yes: 0, left: leftAt }];

  it('is pending until its resolution is known, and its outcome belongs to that day', async () => {
    const rig = await days(3);
    await rig.runAfter(0);
    await rig.runAfter(1);
    expect(rig.json(manifestOf(1))).toMatchObject({ pending, listed: { [idOf(0)]: 0 } });
    rig.resolutions.set(idOf(1), RESOLVED);
    await rig.runAfter(2);
    expect(rig.json(manifestOf(2)).pending).toEqual([]);
    expect(await rig.rows('outcomes', dateOf(1))).toEqual([]);
    expect(await rig.rows('outcomes', dateOf(2))).toMatchObject([{ id: idOf(1), payout: 1, resolved_at: null }]);
  });

  it.each<[string, Resolution | undefined]>([
    ['without a resolution', undefined],
    ['with a proposed one', { status: 'proposed', payouts: [1, 0] }],
    ['without payouts', { status: 'resolved' }],
  ])('%s stays pending', async (_, resolution) => {
    const rig = await days(2);
    if (resolution) rig.resolutions.set(idOf(1), resolution);
    await rig.archive.run();
    expect(rig.json(manifestOf(1)).pending).toEqual(pending);
  });

  it('stays pending when upstream fails, and the files are written', async () => {
    const rig = await days(2);
    rig.onResolutions = () => {
      throw new Error('upstream');
    };
    await rig.archive.run();
    expect(rig.json(manifestOf(1)).pending).toEqual(pending);
    expect(rig.warnings).toEqual(['The archive could not read resolutions; the markets stay pending']);
  });

  it('pays what its YES pays, in the order of the outcomes', async () => {
    const reversed = { ...market(1), outcomes: market(1).outcomes.toReversed() };
    const rig = await rigWithDays(2, (day) => (day === 0 ? [reversed] : [market(0)]));
    rig.resolutions.set(idOf(1), { status: 'Resolved', payouts: [0.25, 0.75] });
    await rig.archive.run();
    expect(await rig.rows('outcomes', dateOf(1))).toMatchObject([{ payout: 0.75 }]);
  });

  it('is asked for with 19 others at once, and not any more when it is back in the list', async () => {
    const all = Array.from({ length: 41 }, (_, n) => market(n));
    const rig = await rigWithDays(3, (day) => (day === 1 ? all.slice(0, 1) : all));
    const asked: number[] = [];
    rig.onResolutions = (ids) => asked.push(ids.length);
    await rig.runAfter(0);
    await rig.runAfter(1);
    await rig.runAfter(2);
    expect(asked).toEqual([20, 20]);
    expect(rig.json(manifestOf(2)).pending).toEqual([]);
  });

  it('is given up after 30 days', async () => {
    const rig = await days(2);
    await rig.archive.run();
    for (const [day, count] of [
      [29, 1],
      [31, 0],
    ] as const) {
      rig.now = DAY.start + day * DAY_MS;
      await rig.publish([market(0)]);
      // The day before has no snapshot.
      await expect(rig.runAfter(day)).rejects.toThrow('No snapshot');
      expect(rig.json(manifestOf(day)).pending).toHaveLength(count);
    }
  });

  it('before a day that is repaired is asked for by the job of the newest day only', async () => {
    const rig = await days(3);
    await rig.runAfter(0);
    rig.resolutions.set(idOf(1), RESOLVED);
    await rig.runAfter(2);
    expect(await rig.rows('outcomes', dateOf(1))).toEqual([]);
    expect(await rig.rows('outcomes', dateOf(2))).toMatchObject([{ id: idOf(1) }]);
  });
});
