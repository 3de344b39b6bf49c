import { describe, expect, it } from '@jest/globals';
import { parquetMetadata } from 'hyparquet';
import { PRICE_SOURCES } from '../../../../lambda/core/contract/market-fields.ts';
import { testMarket } from '../../../support/markets.ts';
import { DAY, idOf, manifestOf, ORIGIN } from './archive-rig.ts';
import { archiveWholeDay, at, MARKETS, SNAPSHOTS, STEP_MS } from './whole-day.ts';

// The archive has five files of each day (prices, markets, rules, snapshots, outcomes) and a
// manifest. These tests compare the archive of a whole day with what the API returned for each of
// its snapshots. On that day:
//
// - A snapshot of 13 markets comes every two minutes, except from 03:00 to 03:30 and from 23:48 on.
// - Market 3 is not listed from 08:00 to 10:00, and market 12 not before 06:00.
// - Market 5 leaves the list at 12:00, and resolves to No at 13:00.
// - Gamma has rules of the markets 2 and 7.

const { rig, served } = await archiveWholeDay();
/** The last snapshot before this time of the day. */
const lastBefore = (hours: number): Date => new Date(Number(at(hours)) - STEP_MS);

describe('a day with two outages, entries, exits and a resolution', () => {
  it('has the rules of the markets of which Gamma has some', async () => {
    expect(await rig.rows('rules')).toEqual([
      { id: idOf(2), text: 'If it happens.\n\nOtherwise not.', source: 'NOAA', read_at: at(24.3) },
      { id: idOf(7), text: 'By noon.', source: null, read_at: at(24.3) },
    ]);
    expect(rig.json(manifestOf(0)).rules).toEqual({ expected: 13, found: 2 });
  });

  it('has the rows that /api/markets?snapshot= had said, sorted by id and time', async () => {
    // Each snapshot has 12 or 13 markets.
    expect(served.length).toBeGreaterThan(12 * SNAPSHOTS);
    expect(await rig.rows('prices')).toEqual(served);
  });

  it('has one row for each market, with the first and last time in the list', async () => {
    const rows = await rig.rows('markets');
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: MARKETS }, (_, n) => idOf(n)));
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
      last_time: lastBefore(12),
      left_reason: 'delisted',
    });
    expect(rows[12]).toMatchObject({ first_time: at(6), left_reason: null });
    expect(rows[3]).toMatchObject({ last_time: lastBefore(23.8) });
  });

  it('has the resolution that became known', async () => {
    const times = { resolved_at: at(13), known_at: new Date(rig.now), last_time: lastBefore(12) };
    expect(await rig.rows('outcomes')).toEqual([
      { id: idOf(5), payout: 0, ...times, left_reason: 'delisted' },
    ]);
  });

  it('has one row for each snapshot', async () => {
    const rows = await rig.rows('snapshots');
    expect(rows).toHaveLength(SNAPSHOTS);
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

  describe.each(['prices', 'markets', 'rules', 'snapshots', 'outcomes'])(
    'the file of %s',
    (name) => {
      const bytes = new Uint8Array(rig.files.get(`${name}/date=${DAY.date}/${name}.parquet`) ?? []);
      const { schema, row_groups: groups, key_value_metadata } = parquetMetadata(bytes.buffer);

      it('has times with the zone UTC', () => {
        const times = schema.filter(({ type }) => type === 'INT64');
        expect(times.length).toBeGreaterThan(0);
        for (const { logical_type } of times) {
          expect(logical_type).toEqual({
            type: 'TIMESTAMP',
            isAdjustedToUTC: true,
            unit: 'MILLIS',
          });
        }
      });

      it('has one row group, whose statistics have whole ids', () => {
        expect(groups).toHaveLength(1);
        const columns = groups[0]?.columns.map(({ meta_data }) => meta_data);
        const ids = columns?.find((column) => column?.path_in_schema[0] === 'id');
        const length =
          name === 'snapshots' ? '20261121T000000000Z-01234567'.length : idOf(0).length;
        expect(String(ids?.statistics?.max_value)).toHaveLength(length);
      });

      it('says where its data comes from', () => {
        const origin = (key_value_metadata ?? []).map(({ key, value }) => [key, value]);
        expect(Object.fromEntries(origin)).toEqual({
          date: DAY.date,
          schema: '3',
          version: '1.0.0',
          commit: 'v1.0.0-3-gabc1234',
          upstream: 'simulated',
          stage: 'test',
          maxMarkets: '2000',
        });
      });
    },
  );

  it('declares in its manifest its files, its gaps and that it is degraded', () => {
    const manifest = rig.json(manifestOf(0));
    const bySource = Object.groupBy(served, ({ source }) => `${source}`);
    expect(manifest).toMatchObject({
      date: DAY.date,
      condition: 'degraded',
      schema: 3,
      ...ORIGIN,
      maxMarkets: 2_000,
      writtenAt: new Date(rig.now).toISOString(),
      snapshots: { expected: 1_440, found: SNAPSHOTS },
      // There are 13 only from 06:00 to 08:00 and from 10:00 to 12:00.
      markets: { least: 12, median: 12 },
      rowsBySource: Object.fromEntries(PRICE_SOURCES.map((name) => [name, bySource[name]?.length])),
      gaps: [
        { from: lastBefore(3).toISOString(), to: at(3.5).toISOString(), seconds: 32 * 60 },
        { from: lastBefore(23.8).toISOString(), to: at(24).toISOString(), seconds: 14 * 60 },
      ],
    });
    for (const { path, bytes, sha256 } of manifest.files) {
      expect(rig.files.get(path)?.length).toEqual(bytes);
      expect(rig.sha256Of(path)).toEqual(sha256);
    }
    const rows = manifest.files.map((file: { rows: number }) => file.rows);
    const [rules, outcomes] = [2, 1];
    expect(rows).toEqual([served.length, MARKETS, SNAPSHOTS, rules, outcomes]);
  });

  it('stands in the index', () => {
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
