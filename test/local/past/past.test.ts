/**
 * A past is a set of files with closed markets and their price histories, which `npm run archive
 * -- --past 20` reads from Polymarket. past-rig.ts describes the eight markets of its Polymarket
 * in memory, which have the letters a to f, 1 and 0.
 */
import { describe, expect, it, jest } from '@jest/globals';
import {
  BUCKET,
  FIRST,
  HISTORIES,
  idOf,
  LONG_HISTORY_BUCKETS,
  pastRig,
  rowsOf,
  run,
  tokenOf,
  V2_ID,
} from './past-rig.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

describe('a past', () => {
  const whole = pastRig('whole');
  // The only run of these tests, which each of them awaits.
  const manifest = run(whole);

  it('has each readable market once, with its payout, in the order of ids', async () => {
    await manifest;
    const rows = await rowsOf(whole, 'markets');
    expect(rows.map(({ slug, payout }) => [slug, payout])).toEqual([
      ['market-0', null],
      // The id of c begins with 0x01.
      ['market-c', 0],
      ['market-1', 0],
      ['market-a', 1],
      ['market-b', 0.5],
      ['market-d', 0],
      ['market-f', null],
    ]);
  });

  it('has the volume of a market and the times of its life', async () => {
    await manifest;
    const rows = await rowsOf(whole, 'markets');
    expect(rows.find(({ slug }) => slug === 'market-a')).toMatchObject({
      condition_id: idOf('a'),
      volume: 1106596.587114,
      closed_at: new Date('2026-06-04T00:34:19Z'),
      resolved_at: new Date('2026-06-04T02:00:00Z'),
      first_time: new Date(FIRST * 1_000),
      // The newest observation, 55 s before the payout.
      last_time: new Date((FIRST + LONG_HISTORY_BUCKETS * BUCKET - 55) * 1_000),
    });
  });

  it('has each price that upstream sent, without the payout', async () => {
    await manifest;
    const rows = await rowsOf(whole, 'prices');
    const written = rows
      .filter(({ id }) => id === idOf('a'))
      .map(({ time, p }) => [Number(time) / 1_000, p]);
    const sent = HISTORIES[tokenOf('a')]?.map(({ timestamp, price }) => [timestamp, price]);
    expect(written).toEqual(sent?.slice(0, -1));
  });

  it('has the prices of a market of Protocol V2', async () => {
    await manifest;
    const rows = await rowsOf(whole, 'prices');
    expect(rows.filter(({ id }) => id === V2_ID)).toEqual([
      { id: V2_ID, time: new Date(FIRST * 1_000), p: 0.2 },
    ]);
  });

  it('has only those buckets of an open market that ended before the run', async () => {
    await manifest;
    const rows = await rowsOf(whole, 'prices');
    // Upstream sent a fourth one, which has not ended.
    expect(rows.filter(({ id }) => id === idOf('0'))).toHaveLength(3);
  });

  it('says what is missing and why, and which calls it made', async () => {
    expect(await manifest).toMatchObject({
      asOf: '2026-11-24T12:00:00.000Z',
      requested: 20,
      calls: { 'markets-keyset': 5, 'v2-resolutions': 1, 'v2-prices-history': 7 },
      missing: [
        { id: idOf('e'), part: 'market', reason: 'version_unknown' },
        { id: idOf('f'), part: 'payout', reason: 'not_resolved' },
        { id: idOf('1'), part: 'prices', reason: 'v2-prices-history: status 400' },
        { id: idOf('d'), part: 'prices', reason: 'empty_history' },
      ],
    });
  });

  it('has as many closed markets as requested, those of highest volume', async () => {
    const few = pastRig('few', { requested: 3 });
    await run(few);
    const slugs = (await rowsOf(few, 'markets')).map(({ slug }) => slug);
    // Market 0 is open.
    expect(slugs).toEqual(['market-0', 'market-c', 'market-a', 'market-b']);
  });
});
