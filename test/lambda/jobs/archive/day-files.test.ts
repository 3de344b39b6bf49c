import { beforeAll, describe, expect, it } from '@jest/globals';
import { parquetMetadata } from 'hyparquet';
import { PRICE_SOURCES } from '../../../../lambda/core/contract/market-fields.ts';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import { listMarkets } from '../../../../lambda/endpoints/markets/market-lists.ts';
import { SnapshotCache } from '../../../../lambda/io/snapshots/snapshot-cache.ts';
import { SnapshotReader } from '../../../../lambda/io/snapshots/snapshot-reader.ts';
import { DayRows } from '../../../../lambda/jobs/archive/day-rows.ts';
import { manifestOf as dayManifest } from '../../../../lambda/jobs/archive/manifest.ts';
import { Dice } from '../../../support/dice.ts';
import { endpointRequest } from '../../../support/endpoint-request.ts';
import { testMarket } from '../../../support/markets.ts';
import { ArchiveRig, DAY, idOf, manifestOf, ORIGIN } from './archive-rig.ts';

/** The longest time between two snapshots that is no gap. */
const STEP = 2 * MINUTE_MS;
/** A time of the day, in hours after midnight. */
const at = (hours: number): Date => new Date(DAY.start + hours * HOUR_MS);
const stepBefore = (hours: number): Date => new Date(DAY.start + hours * HOUR_MS - STEP);

/**
 * The archive of a whole day is compared with what the API returned for each of its snapshots.
 * There is a snapshot every two minutes of 13 markets with random prices. Outages last from 03:00
 * to 03:30 and from 23:48 until after midnight. Market 3 is missing from 08:00 to 10:00, market 5
 * leaves at 12:00 and resolves at 13:00, and market 12 comes at 06:00.
 */
describe('a day with two outages, entries, exits and a resolution', () => {
  const rig = new ArchiveRig();
  const dice = new Dice(3);
  /** What the API said: a row for each market and snapshot, in the order of the file. */
  const served: Record<string, unknown>[] = [];
  const isBetween = (hour: number, from: number, to: number) => hour >= from && hour < to;
  const isOutage = (hour: number) => isBetween(hour, 3, 3.5) || isBetween(hour, 23.8, 24.1);
  /** Whether a market is missing; the others are listed all day. */
  const isAbsent = (n: number, hour: number): boolean =>
    (n === 3 && isBetween(hour, 8, 10)) || (n === 5 && hour >= 12) || (n === 12 && hour < 6);
  const marketAt = (n: number): Market => {
    const maybe = (value: number) => (dice.chance(0.8) ? value : undefined);
    const cents = Math.floor(dice.between(100, 99_900)) / 100_000;
    const pricedAt = new Date(rig.now - Math.floor(dice.between(1, 600_000))).toISOString();
    return testMarket(n, {
      bestBid: maybe(cents),
      bestAsk: maybe(cents + 0.001),
      midpoint: maybe(cents + 0.0005),
      currentProbability: Math.round(cents * 100_000) / 1_000,
      doubtfulChanges: dice.chance(0.1) ? ['oneDayPriceChange', 'sevenDayPriceChange'] : undefined,
      priceSource: dice.pick(PRICE_SOURCES as unknown as ['book']),
      pricedAt: dice.chance(0.2) ? pricedAt : undefined,
      volume: 1_000_000 - n + (rig.now - DAY.start) / MINUTE_MS / 10,
      liquidity: Math.floor(dice.between(0, 1e6)) / 100,
    });
  };

  beforeAll(async () => {
    const reader = new SnapshotReader({ client: rig.table.client, table: 'table' });
    const snapshots = new SnapshotCache({
      reader,
      clock: rig.clock,
      logger: { warn: () => undefined },
    });
    const list = listMarkets({ snapshots, now: rig.clock.now });
    for (; rig.now < Number(at(24.3)); rig.now += STEP) {
      const hour = (rig.now - DAY.start) / HOUR_MS;
      if (isOutage(hour)) continue;
      const numbers = Array.from({ length: 13 }, (_, n) => n).filter((n) => !isAbsent(n, hour));
      const id = await rig.publish(numbers.map(marketAt));
      if (hour >= 24) continue;
      const fields =
        'id,bestBid,bestAsk,midpoint,currentProbability,priceSource,pricedAt,volume,liquidity,doubtfulChanges';
      const { body } = await list(
        endpointRequest('list-markets', `/api/markets?snapshot=${id}&fields=${fields}`),
      );
      for (const row of JSON.parse(body)) {
        const pricedAt = new Date(row.pricedAt);
        served.push({
          time: new Date(rig.now),
          id: row.id,
          bid: row.bestBid ?? null,
          ask: row.bestAsk ?? null,
          midpoint: row.midpoint ?? null,
          probability: Number((row.currentProbability / 100).toFixed(5)),
          source: row.priceSource,
          priced_at: Number(pricedAt) === rig.now ? null : pricedAt,
          volume: row.volume,
          liquidity: row.liquidity,
          doubtful_changes: row.doubtfulChanges?.join(',') ?? null,
        });
      }
    }
    served.sort((a, b) =>
      `${a.id}` < `${b.id}` ? -1 : `${a.id}` > `${b.id}` ? 1 : Number(a.time) - Number(b.time),
    );
    rig.resolutions.set(idOf(5), {
      status: 'resolved',
      payouts: [0, 1],
      resolvedAt: Number(at(13)),
    });
    const readAt = rig.now;
    rig.rules.set(idOf(2), {
      description: 'If it happens.\n\nOtherwise not.',
      resolutionSource: 'NOAA',
      readAt,
    });
    rig.rules.set(idOf(7), { description: 'By noon.', readAt }).set(idOf(8), { readAt });
    await rig.runAfter();
  });

  it('has the rules of the markets of which Gamma has some', async () => {
    expect(await rig.rows('rules')).toEqual([
      { id: idOf(2), text: 'If it happens.\n\nOtherwise not.', source: 'NOAA', read_at: at(24.3) },
      { id: idOf(7), text: 'By noon.', source: null, read_at: at(24.3) },
    ]);
    expect(rig.json(manifestOf(0)).rules).toEqual({ expected: 13, found: 2 });
  });

  it('has the rows that /api/markets?snapshot= had said, sorted by id and time', async () => {
    // 699 snapshots of 11 to 13 markets.
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
      first_time: at(0),
      last_time: stepBefore(12),
      left_reason: 'delisted',
    });
    expect(rows[12]).toMatchObject({ first_time: at(6), left_reason: null });
    expect(rows[3]).toMatchObject({ last_time: stepBefore(23.8) });
  });

  it('has the resolution that became known', async () => {
    const times = { resolved_at: at(13), known_at: new Date(rig.now), last_time: stepBefore(12) };
    expect(await rig.rows('outcomes')).toEqual([
      { id: idOf(5), payout: 0, ...times, left_reason: 'delisted' },
    ]);
  });

  it('has one row for each snapshot', async () => {
    const rows = await rig.rows('snapshots');
    // One every two minutes, without those of 30 and of 12 minutes.
    expect(rows).toHaveLength(720 - 15 - 6);
    const ofFirst = served.filter(({ time }) => Number(time) === DAY.start);
    const counts = PRICE_SOURCES.map((name) => [
      name,
      ofFirst.filter(({ source }) => source === name).length,
    ]);
    expect(rows[0]).toEqual({
      time: at(0),
      id: expect.stringMatching(/^20261121T000000000Z-/),
      read_until: new Date(DAY.start + 5_000),
      published_at: at(0),
      catalogue_time: new Date(DAY.start - 30_000),
      markets: ofFirst.length,
      ...Object.fromEntries(counts),
      failed_calls: 0,
    });
  });

  it.each(['prices', 'markets', 'rules', 'snapshots', 'outcomes'])(
    'has times of %s with the zone UTC in one row group, statistics with whole ids, and its origin',
    (name) => {
      const bytes = new Uint8Array(rig.files.get(`${name}/date=${DAY.date}/${name}.parquet`) ?? []);
      const {
        schema,
        row_groups: groups,
        key_value_metadata: origin,
      } = parquetMetadata(bytes.buffer);
      expect(groups).toHaveLength(1);
      const times = schema.filter(({ type }) => type === 'INT64');
      expect(times.length).toBeGreaterThan(0);
      for (const { logical_type } of times) {
        expect(logical_type).toEqual({ type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' });
      }
      const ids = groups[0]?.columns.find(
        ({ meta_data }) => meta_data?.path_in_schema[0] === 'id',
      )?.meta_data;
      expect(String(ids?.statistics?.max_value).length).toBe(
        name === 'snapshots' ? 28 : idOf(0).length,
      );
      expect(Object.fromEntries((origin ?? []).map(({ key, value }) => [key, value]))).toEqual({
        date: DAY.date,
        schema: '3',
        version: '1.0.0',
        commit: 'v1.0.0-3-gabc1234',
        upstream: 'simulated',
        stage: 'test',
        maxMarkets: '2000',
      });
    },
  );

  it('declares its files, its gaps up to the edge, and that it is degraded', () => {
    const manifest = rig.json(manifestOf(0));
    const bySource = Object.groupBy(served, ({ source }) => `${source}`);
    expect(manifest).toMatchObject({
      date: DAY.date,
      condition: 'degraded',
      schema: 3,
      ...ORIGIN,
      maxMarkets: 2_000,
      writtenAt: new Date(rig.now).toISOString(),
      snapshots: { expected: 1_440, found: 720 - 15 - 6 },
      markets: { least: 12, median: 12 },
      rowsBySource: Object.fromEntries(PRICE_SOURCES.map((name) => [name, bySource[name]?.length])),
      gaps: [
        { from: stepBefore(3).toISOString(), to: at(3.5).toISOString(), seconds: 32 * 60 },
        { from: stepBefore(23.8).toISOString(), to: at(24).toISOString(), seconds: 14 * 60 },
      ],
    });
    for (const { path, bytes, sha256 } of manifest.files) {
      expect(rig.files.get(path)?.length).toEqual(bytes);
      expect(rig.sha256Of(path)).toEqual(sha256);
    }
    expect(manifest.files.map(({ rows }: { rows: number }) => rows)).toEqual([
      served.length,
      13,
      699,
      2,
      1,
    ]);
    expect(rig.json('index.json')).toEqual({
      schema: 3,
      days: [
        {
          date: DAY.date,
          condition: 'degraded',
          manifest: manifestOf(0),
          sha256: rig.sha256Of(manifestOf(0)),
        },
      ],
    });
  });
});

// A complete day lacks less than 5 % of the prices by CLOB, and at most 1 % of its snapshots.
it.each([
  { condition: 'complete', share: 0.049, lost: 14 },
  { condition: 'degraded', share: 0.051, lost: 14 },
  { condition: 'degraded', share: 0.049, lost: 15 },
])(
  'a day is $condition that lacks $share of the prices by CLOB and $lost of 1,440 snapshots',
  ({ condition, share, lost }) => {
    const rows = new DayRows(1_440);
    const sources = ['carried', 'catalogue'] as const;
    // Two in a row would be a gap.
    const lostMinutes = Array.from({ length: lost }, (_, n) => 90 * n + 7);
    for (let minute = 0; minute < 1_440; minute++) {
      const priceSource = minute < share * 1_440 ? (sources[minute % 2] ?? 'carried') : 'book';
      const markets = [testMarket(0, { priceSource }), testMarket(1, { priceSource })];
      if (!lostMinutes.includes(minute)) rows.add(DAY.start + minute * MINUTE_MS, false, markets);
    }
    const times = { found: rows.snapshots.map(({ time }) => time), lost: [] };
    const content = {
      writtenAt: DAY.end,
      origin: { ...ORIGIN, maxMarkets: 2 },
      rules: 2,
      files: new Map(),
    };
    expect(dayManifest(DAY, { ...content, rows, times })).toMatchObject({ condition, gaps: [] });
  },
);
