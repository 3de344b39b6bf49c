import { expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import { DayRows } from '../../../../lambda/jobs/archive/day-rows.ts';
import { manifestOf } from '../../../../lambda/jobs/archive/manifest.ts';
import { testMarket } from '../../../support/markets.ts';
import { DAY, ORIGIN } from './archive-rig.ts';

// The manifest of an archived day says whether the day is complete or degraded. A day has a snapshot
// each minute. A complete day lacks less than 5 % of the prices from order books, and at most 1 % of
// its snapshots.

const MINUTES_OF_DAY = 1_440;

it.each([
  { condition: 'complete', share: 0.049, lost: 14 },
  { condition: 'degraded', share: 0.051, lost: 14 },
  { condition: 'degraded', share: 0.049, lost: 15 },
])(
  'a day without $share of its book prices and $lost of its 1,440 snapshots is $condition',
  ({ condition, share, lost }) => {
    const rows = new DayRows(MINUTES_OF_DAY);
    // One lost minute in each 90, because two in a row would be a gap.
    const isLost = (minute: number) => minute % 90 === 7 && minute < 90 * lost;
    // The prices of the first minutes have other sources than order books.
    const sourceOf = (minute: number) => {
      if (minute >= share * MINUTES_OF_DAY) return 'book';
      return minute % 2 === 0 ? 'carried' : 'catalogue';
    };
    for (let minute = 0; minute < MINUTES_OF_DAY; minute++) {
      const priceSource = sourceOf(minute);
      const markets = [testMarket(0, { priceSource }), testMarket(1, { priceSource })];
      const isCut = false;
      if (!isLost(minute)) rows.add(DAY.start + minute * MINUTE_MS, isCut, markets);
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
