import { expect, it } from '@jest/globals';
import { csvOf } from '../../packages/market-page/src/state/csv.ts';
import type { Row } from '../../packages/market-page/src/state/list.ts';

it('a table has the names of the API, and no cell that a spreadsheet runs or splits', () => {
  const row = { id: '0x1', question: '=1+1', outcome: 'Over, "5"; ＝2', currentProbability: 50.5, volume24h: 0 };
  const rows = [row, { ...row, question: 'Two\nlines', sevenDayPriceChange: -1.5 }] as unknown as Row[];
  const [header, first, ...others] = csvOf(rows).split('\r\n');
  expect(header).toMatch(
    /^id,question,outcome,eventTitle,currentProbability,oneHourPriceChange,oneDayPriceChange,.*,endDate$/,
  );
  expect(first).toBe(`0x1,'=1+1,"Over, ""5""; '＝2",,50.5,,,,,0,,,`);
  expect(others).toEqual([`0x1,"Two\nlines","Over, ""5""; '＝2",,50.5,,,-1.5,,0,,,`, '']);
});
