import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parquetMetadata } from 'hyparquet';
import { Archive } from '../../../../lambda/app/archive/archive-job.ts';
import { ClaimedError } from '../../../../lambda/app/archive/claim.ts';
import { dayOf } from '../../../../lambda/app/archive/day.ts';
import { readState } from '../../../../lambda/app/archive/job-state.ts';
import { givenUp } from '../../../../lambda/app/archive/outcomes.ts';
import { PublishedSnapshots } from '../../../../lambda/app/archive/published-snapshots.ts';
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
          pricedAt: dice.chance(0.2) ? iso(rig.now - Math.floor(dice.between(1, 600_000))) : undefined,
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
      const fields = 'id,bestBid,bestAsk,midpoint,currentProbability,priceSource,pricedAt,volume,liquidity';
      const { body } = await list(endpointRequest('list-markets', `/api/markets?snapshot=${id}&fields=${fields}`));
      for (const row of JSON.parse(body)) {
        const pricedAt = new Date(row.pricedAt);
        served.push({
          time: new Date(rig.now),
          id: row.id,
          bid: row.bestBid ?? null,
          ask: row.bestAsk ?? null,
          midpoint: row.midpoint ?? null,
          probability: row.currentProbability,
          source: row.priceSource,
          priced_at: Number(pricedAt) === rig.now ? null : pricedAt,
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
      condition_id: idOf(5),
      question: 'Will event 5 happen?',
      slug: 'will-event-5-happen',
      token: testMarket(5).clobTokenId,
      outcomes: ['Yes', 'No'],
      tokens: testMarket(5).outcomes.map(({ tokenId }) => tokenId),
      event: null,
      event_title: null,
      group_title: null,
      neg_risk: null,
      category: null,
      tags: ['politics'],
      created_at: null,
      end_date: new Date('2026-12-31T12:00:00Z'),
      protocol_version: 'v1',
      first_time: new Date(DAY.start),
      last_time: new Date(DAY.start + 12 * HOUR - STEP),
      left_reason: 'delisted',
    });
    expect(rows[12]).toMatchObject({ first_time: new Date(DAY.start + 6 * HOUR), left_reason: null });
    expect(rows[3]).toMatchObject({ last_time: new Date(DAY.start + 23.8 * HOUR - STEP) });
  });

  it('has the resolution that became known', async () => {
    expect(await rig.rows('outcomes')).toEqual([
      {
        id: idOf(5),
        payout: 0,
        resolved_at: new Date(DAY.start + 13 * HOUR),
        known_at: new Date(rig.now),
        last_time: new Date(DAY.start + 12 * HOUR - STEP),
        left_reason: 'delisted',
      },
    ]);
  });

  it.each(['prices', 'markets', 'snapshots', 'outcomes'])('has times of %s with the zone UTC', (name) => {
    const bytes = new Uint8Array(rig.files.get(`${name}/date=${DAY.date}/${name}.parquet`) ?? []);
    const times = parquetMetadata(bytes.buffer).schema.filter(({ type }) => type === 'INT64');
    expect(times.length).toBeGreaterThan(1);
    for (const { logical_type } of times) {
      expect(logical_type).toEqual({ type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' });
    }
  });

  it('has one row for each snapshot', async () => {
    const rows = await rig.rows('snapshots');
    expect(rows).toHaveLength(720 - 15 - 6);
    const ofFirst = served.filter(({ time }) => Number(time) === DAY.start);
    const counts = PRICE_SOURCES.map((name) => [name, ofFirst.filter(({ source }) => source === name).length]);
    expect(rows[0]).toEqual({
      time: new Date(DAY.start),
      id: expect.stringMatching(/^20261121T000000000Z-/),
      read_until: new Date(DAY.start + 5_000),
      published_at: new Date(DAY.start),
      catalogue_time: new Date(DAY.start - 30_000),
      markets: ofFirst.length,
      ...Object.fromEntries(counts),
      failed_calls: 0,
    });
  });

  it('declares its files, its gaps up to the edge, and that it is degraded', () => {
    const manifest = rig.json(`manifest/date=${DAY.date}.json`);
    expect(manifest).toMatchObject({
      date: DAY.date,
      condition: 'degraded',
      schema: 2,
      writtenAt: iso(rig.now),
      snapshots: { expected: 1_440, found: 720 - 15 - 6 },
      markets: { least: 12, median: 12 },
      gaps: [
        { from: iso(DAY.start + 3 * HOUR - STEP), to: iso(DAY.start + 3.5 * HOUR), seconds: 32 * 60 },
        { from: iso(DAY.start + 23.8 * HOUR - STEP), to: iso(DAY.end), seconds: 14 * 60 },
      ],
    });
    const bySource = Object.groupBy(served, ({ source }) => `${source}`);
    expect(manifest.rowsBySource).toEqual(
      Object.fromEntries(PRICE_SOURCES.map((name) => [name, bySource[name]?.length])),
    );
    for (const { path, bytes, sha256 } of manifest.files) {
      const file = rig.files.get(path) ?? new Uint8Array();
      expect([file.length, createHash('sha256').update(file).digest('hex')]).toEqual([bytes, sha256]);
    }
    expect(manifest.files.map(({ rows }: { rows: number }) => rows)).toEqual([served.length, 13, 699, 1]);
    expect(rig.json('index.json')).toEqual({
      schema: 2,
      days: [{ date: DAY.date, condition: 'degraded', manifest: `manifest/date=${DAY.date}.json` }],
    });
  });

  it('does not change when the job runs again', async () => {
    const files = () => [...rig.files].filter(([path]) => !path.startsWith('claims/'));
    const before = files();
    rig.written.length = 0;
    await rig.archive.run();
    expect(rig.written).toEqual(['index.json']);
    expect(files()).toEqual(before);
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
  it.each(['prices', 'markets', 'snapshots', 'outcomes', 'state.next', 'manifest'])(
    'at the file %s leaves no complete day',
    async (name) => {
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
    },
  );

  it('and its repetition write the same bytes of prices and markets', async () => {
    const rig = await rigWithDays(1);
    const names = ['prices', 'markets', 'snapshots'].map((name) => `${name}/date=${dateOf(0)}/${name}.parquet`);
    const bytes = () => names.map((name) => Buffer.from(rig.files.get(name) ?? '').toString('base64'));
    rig.onWrite = (path) => {
      if (path.startsWith('manifest')) throw new Error('crash');
    };
    await expect(rig.archive.run()).rejects.toThrow('crash');
    const before = bytes();
    rig.onWrite = () => undefined;
    rig.now += 3 * HOUR;
    await rig.archive.run();
    expect(bytes()).toEqual(before);
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
  it('with one snapshot, the first of all, has a gap after it', async () => {
    const rig = new ArchiveRig();
    rig.now += HOUR;
    await rig.publish([market(0)]);
    await rig.runAfter();
    expect(rig.json(manifestOf(0))).toMatchObject({
      snapshots: { expected: 23 * 60, found: 1 },
      gaps: [{ seconds: 23 * 3_600 }],
    });
  });

  it('without any is not written', async () => {
    const rig = new ArchiveRig();
    await rig.runAfter();
    expect(rig.written).toEqual(['index.json']);
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
    expect(rig.json(manifestOf(0))).toMatchObject({ snapshots: { found: 1 }, gaps: [{ from: iso(DAY.start + HOUR) }] });
    expect(await rig.rows('prices')).toHaveLength(2);
    expect(await rig.rows('snapshots')).toMatchObject([
      { markets: 2 },
      { markets: null, time: new Date(DAY.start + HOUR + MINUTE) },
    ]);
  });

  it('that has not ended goes to the preview, as often as one likes, and is never listed', async () => {
    const rig = await rigWithDays(1);
    rig.now = DAY.start + 2 * HOUR;
    for (let run = 0; run < 2; run++) await rig.archive.write(DAY);
    const files = ['prices', 'markets', 'snapshots'].map((name) => `preview/${name}/date=${DAY.date}/${name}.parquet`);
    expect(rig.written).toEqual([...files, `preview/${manifestOf(0)}`, ...files, `preview/${manifestOf(0)}`]);
    // The hours to come are no gap.
    expect(rig.json(`preview/${manifestOf(0)}`).gaps).toMatchObject([{ seconds: 59 * 60 }]);
    await rig.archive.index();
    expect(indexOf(rig)).toEqual([]);
  });
});

describe('a published snapshot that no item lists', () => {
  const list = (rig: ArchiveRig) => [...rig.table.items.keys()].filter((key) => key.startsWith('PUBLISHED'));

  it('is found through the next one, in the day and beyond its edges', async () => {
    const rig = new ArchiveRig();
    for (let at = 0; at <= DAY_MS + MINUTE; at += MINUTE) {
      rig.now = DAY.start + at;
      await rig.publish([market(0)]);
    }
    for (const at of [0, 5, 6, 7, 1_439, 1_440])
      rig.table.items.delete(list(rig).find((key) => key.endsWith(` ${DAY.start + at * MINUTE}`)) ?? '');
    expect(list(rig)).toHaveLength(1_442 - 6);
    await rig.runAfter();
    expect(rig.json(manifestOf(0))).toMatchObject({ condition: 'complete', gaps: [], snapshots: { found: 1_440 } });
    const rows = await rig.rows('snapshots');
    expect(rows.slice(4, 7)).toMatchObject([
      { published_at: rows[4]?.time },
      { published_at: null, markets: 1 },
      { published_at: null },
    ]);
  });
});

describe('a day with a snapshot each minute', () => {
  async function dayOfMinutes(marketAt: (minute: number) => readonly Market[]) {
    const rig = new ArchiveRig();
    for (let minute = -1; minute <= 1_440; minute++) {
      rig.now = DAY.start + minute * MINUTE;
      if (minute % 120 !== 7 || minute > 1_400) await rig.publish(marketAt(minute));
    }
    await rig.runAfter();
    return rig.json(manifestOf(0));
  }

  it.each([
    ['complete', 0.049],
    ['degraded', 0.051],
  ])('is %s if CLOB did not give %d of its prices', async (condition, share) => {
    const sources = ['carried', 'catalogue'] as const;
    const manifest = await dayOfMinutes((minute) => {
      const priceSource = minute < share * 1_440 ? (sources[minute % 2] ?? 'carried') : 'book';
      return [testMarket(0, { priceSource }), testMarket(1, { priceSource })];
    });
    expect(manifest).toMatchObject({ condition, gaps: [], snapshots: { expected: 1_440, found: 1_428 } });
  });
});

describe('two jobs over one day', () => {
  /** A rig whose newest day has an outcome, and a second job over the same files whose upstream fails. */
  async function rigWithRival() {
    const rig = await rigWithDays(2, (day) => (day === 0 ? [market(0), market(1)] : [market(0)]));
    await rig.runAfter(0);
    rig.resolutions.set(idOf(1), RESOLVED);
    rig.now = DAY.start + 2 * DAY_MS + 20 * MINUTE;
    const { table, store, clock } = rig;
    const log = () => undefined;
    const rival = new Archive({
      ...{ store, clock, logger: { info: log, warn: log, error: log } },
      snapshots: new PublishedSnapshots({ client: table.client, table: 'table' }),
      resolutions: { read: () => Promise.reject(new Error('upstream')) },
    });
    return { rig, rival };
  }

  function expectWhole(rig: ArchiveRig): void {
    for (const { path, sha256 } of rig.json(manifestOf(1)).files) {
      expect(
        createHash('sha256')
          .update(rig.files.get(path) ?? '')
          .digest('hex'),
      ).toBe(sha256);
    }
  }

  it.each(['prices', 'markets', 'outcomes', 'manifest', 'state'])(
    'leave what the first one wrote, also if the second begins at %s',
    async (name) => {
      const { rig, rival } = await rigWithRival();
      let other: Promise<unknown> | undefined;
      rig.onWrite = (path) => {
        if (path.startsWith(name)) other ??= rival.write(dayOf(DAY.start, 1)).catch((error: unknown) => error);
      };
      await rig.archive.run();
      const result = await other;
      expect(result instanceof ClaimedError || result === 'exists').toBe(true);
      expectWhole(rig);
      expect(await rig.rows('outcomes', dateOf(1))).toMatchObject([{ id: idOf(1), payout: 1 }]);
      expect(rig.json('state.json').markets.map(({ id }: Market) => id)).toEqual([idOf(0)]);
    },
  );

  it('that look for the claim at the same time are one job and one refusal', async () => {
    const { rig, rival } = await rigWithRival();
    const day = dayOf(DAY.start, 1);
    const results = await Promise.allSettled([rig.archive.write(day), rival.write(day)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expectWhole(rig);
  });

  it('end when one of them stood still and lost its claim', async () => {
    const { rig, rival } = await rigWithRival();
    let other: Promise<unknown> | undefined;
    rig.onResolutions = () => {
      rig.now += 2 * MINUTE;
      other ??= rival.write(dayOf(DAY.start, 1));
    };
    const slow = rig.archive.run();
    await expect(slow).rejects.toThrow('took over');
    await other;
    expectWhole(rig);
    expect(rig.json('state.json')).toMatchObject({ date: dateOf(1) });
  });

  it('need no release: the claim of a killed job expires, wherever it was killed', async () => {
    for (const killedAt of [
      'prices',
      'markets',
      'snapshots',
      'outcomes',
      'state.next',
      'manifest',
      'state.json',
      'index',
    ]) {
      const { rig } = await rigWithRival();
      let isDead = false;
      rig.onWrite = (path) => {
        isDead ||= path.startsWith(killedAt);
        if (isDead) throw new Error('killed');
      };
      await expect(rig.archive.run()).rejects.toThrow('killed');
      rig.onWrite = () => undefined;
      if (killedAt === 'prices') await expect(rig.archive.run()).rejects.toThrow('Another job writes the archive.');
      rig.now += MINUTE;
      await rig.archive.run();
      expectWhole(rig);
      expect(await rig.rows('outcomes', dateOf(1))).toMatchObject([{ id: idOf(1), payout: 1 }]);
      rig.now += DAY_MS - MINUTE;
      await rig.publish([market(2)]);
      await rig.runAfter(2).catch(() => undefined);
      expect((await readState(rig.store))?.markets.map(({ id }) => id)).toEqual([idOf(0)]);
    }
  });
});

describe('a market that left the list', () => {
  const day = dayOf(DAY.start);
  /** Market 1 leaves at midnight. */
  const days = (count: number) => rigWithDays(count, (n) => (n === 0 ? [market(0), market(1)] : [market(0)]));
  const followed = (rig: ArchiveRig) => rig.json('state.json').markets.map(({ id }: Market) => id);

  it('is followed until its resolution is known, and its outcome belongs to that day', async () => {
    const rig = await days(3);
    await rig.runAfter(0);
    await rig.runAfter(1);
    expect(rig.json('state.json').markets).toEqual([
      expect.objectContaining({ id: idOf(0), lastTime: DAY.start + DAY_MS + HOUR + MINUTE }),
      {
        ...{ id: idOf(1), yes: 0, lastTime: DAY.start + HOUR + MINUTE, lastVolume: market(1).volume },
        ...{ endDate: Date.parse(market(1).endDate), leftReason: 'delisted' },
      },
    ]);
    rig.resolutions.set(idOf(1), RESOLVED);
    await rig.runAfter(2);
    expect(followed(rig)).toEqual([idOf(0)]);
    expect(await rig.rows('outcomes', dateOf(1))).toEqual([]);
    expect(await rig.rows('outcomes', dateOf(2))).toMatchObject([
      { id: idOf(1), payout: 1, resolved_at: null, known_at: new Date(rig.now), left_reason: 'delisted' },
    ]);
  });

  it.each<[string, Resolution | undefined]>([
    ['without a resolution', undefined],
    ['with a proposed one', { status: 'proposed', payouts: [1, 0] }],
    ['without payouts', { status: 'resolved' }],
  ])('%s stays followed', async (_, resolution) => {
    const rig = await days(2);
    if (resolution) rig.resolutions.set(idOf(1), resolution);
    await rig.archive.run();
    expect(followed(rig)).toEqual([idOf(0), idOf(1)]);
  });

  it('stays followed when upstream fails, and the files are written', async () => {
    const rig = await days(2);
    rig.onResolutions = () => {
      throw new Error('upstream');
    };
    await rig.archive.run();
    expect(followed(rig)).toEqual([idOf(0), idOf(1)]);
    expect(rig.warnings).toEqual(['The archive could not read all resolutions; the next job reads them']);
  });

  it('pays what its YES pays, in the order of the outcomes', async () => {
    const reversed = { ...market(1), outcomes: market(1).outcomes.toReversed() };
    const rig = await rigWithDays(2, (n) => (n === 0 ? [reversed] : [market(0)]));
    rig.resolutions.set(idOf(1), { status: 'Resolved', payouts: [0.25, 0.75] });
    await rig.archive.run();
    expect(await rig.rows('outcomes', dateOf(1))).toMatchObject([{ payout: 0.75 }]);
  });

  it('is asked for with 19 others at once, and not any more when it is back in the list', async () => {
    const all = Array.from({ length: 41 }, (_, n) => market(n));
    const rig = await rigWithDays(3, (n) => (n === 1 ? all.slice(0, 1) : all));
    const asked: number[] = [];
    rig.onResolutions = (ids) => asked.push(ids.length);
    for (const n of [0, 1, 2]) await rig.runAfter(n);
    expect(asked).toEqual([20, 20]);
    expect(followed(rig)).toHaveLength(41);
  });

  it('before a day that is repaired is asked for by the job of the newest day only', async () => {
    const rig = await days(3);
    await rig.runAfter(0);
    rig.resolutions.set(idOf(1), RESOLVED);
    await rig.runAfter(2);
    expect(await rig.rows('outcomes', dateOf(1))).toEqual([]);
    expect(await rig.rows('outcomes', dateOf(2))).toMatchObject([{ id: idOf(1) }]);
  });

  it('of a day that is written after a later one is followed, too', async () => {
    const rig = await rigWithDays(4, (n) => (n === 1 ? [market(0), market(7)] : [market(0)]));
    rig.resolutions.set(idOf(7), RESOLVED);
    for (const n of [0, 2, 1, 3]) await rig.archive.write(dayOf(DAY.start, n));
    expect(await rig.rows('outcomes', dateOf(3))).toMatchObject([{ id: idOf(7), payout: 1 }]);
    expect(followed(rig)).toEqual([idOf(0)]);
  });

  it('left because of its rank if the list was cut and its volume was not above the smallest one', async () => {
    const rig = new ArchiveRig();
    for (const [minute, markets] of [
      [0, [0, 1, 2]],
      [1, [0, 2]],
      [2, [0]],
    ] as const) {
      rig.now = day.start + minute * MINUTE;
      await rig.publish(markets.map(market), minute !== 1);
    }
    rig.now = day.end + MINUTE;
    await rig.publish([market(3)], true);
    rig.resolutions.set(idOf(0), RESOLVED);
    await rig.runAfter();
    await rig.runAfter(1);
    const reasons = (await rig.rows('markets')).map(({ left_reason }) => left_reason);
    expect(reasons).toEqual([null, 'delisted', 'rank']);
    // Market 0 has a larger volume than market 3.
    expect(await rig.rows('outcomes', dateOf(1))).toMatchObject([{ id: idOf(0), left_reason: 'delisted' }]);
  });

  it('is given up 30 days after its planned end, with a row', async () => {
    const endDate = iso(DAY.start + 20 * DAY_MS);
    const rig = await rigWithDays(2, (n) => (n === 0 ? [market(0), testMarket(1, { endDate })] : [market(0)]));
    await rig.archive.run();
    for (const [n, rows] of [
      [49, []],
      [50, [{ id: idOf(1), payout: null, resolved_at: null, last_time: new Date(DAY.start + HOUR + MINUTE) }]],
    ] as const) {
      rig.now = DAY.start + n * DAY_MS;
      await rig.publish([market(0)]);
      // The day before has no snapshot.
      await rig.runAfter(n).catch(() => undefined);
      expect(await rig.rows('outcomes', dateOf(n))).toMatchObject(rows);
    }
    expect(followed(rig)).toEqual([idOf(0)]);
  });

  it('is given up beyond 20,000 of them, the one that left first before the others', () => {
    const left = Array.from({ length: 20_002 }, (_, n) => ({
      id: `${n}`,
      yes: 0,
      lastTime: DAY.end + n,
      lastVolume: 1,
    }));
    expect(givenUp(left, DAY.end, DAY.end).map(({ id }) => id)).toEqual(['1', '0']);
  });
});
