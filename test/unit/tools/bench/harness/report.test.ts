import { describe, expect, it } from '@jest/globals';
import type { Figure } from '../../../../../tools/bench/harness/figure.ts';
import { cellsOf, reportText, significant } from '../../../../../tools/bench/harness/report.ts';

const FIGURE: Figure = {
  part: 'list',
  what: 'a page',
  against: 'a constant',
  unit: 'ms',
  ours: 1.2345,
  theirs: 1,
  ratio: 1.2345,
  spread: 0.1,
  goal: { most: 1.2 },
};

describe('the report', () => {
  it('says whether a goal is met', () => {
    expect(cellsOf(FIGURE)).toEqual([
      'list',
      'a page',
      'a constant',
      '1.23 ms',
      '1 ms',
      '1.23 ×',
      '10 %',
      '≤ 1.2 ×',
      'missed',
    ]);
    expect(cellsOf({ ...FIGURE, goal: { least: 1 } }).slice(-2)).toEqual(['≥ 1 ×', 'met']);
  });

  it('refuses a figure whose spread makes it meaningless', () => {
    const cells = cellsOf({ ...FIGURE, spread: 0.51 });
    expect(cells.slice(3, 6)).toEqual(['?', '', 'too noisy']);
    expect(cells.at(-1)).toBe('');
  });

  it('is a table of even columns', () => {
    const [head = '', row = ''] = reportText([FIGURE]).split('\n');
    expect(head.indexOf('against')).toBe(row.indexOf('a constant'));
  });

  it('gives three significant digits without powers of ten', () => {
    expect([0.01234, 12.345, 123.45, 12_345.6].map(significant)).toEqual(['0.0123', '12.3', '123', '12346']);
  });
});
