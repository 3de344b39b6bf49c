import { expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import { DayRows } from '../../../../lambda/jobs/archive/day-rows.ts';
import { manifestOf } from '../../../../lambda/jobs/archive/manifest.ts';
import { testMarket } from '../../../support/markets.ts';
import { DAY, ORIGIN } from './archive-rig.ts';

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
    expect(manifestOf(DAY, { ...content, rows, times })).toMatchObject({ condition, gaps: [] });
  },
);
