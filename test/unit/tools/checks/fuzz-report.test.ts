import { describe, expect, it } from '@jest/globals';
import { findingsOf, judge } from '../../../../tools/checks/fuzz-report.ts';

const CLEAN = `Test Phases:
  ✅ Fuzzing

Test cases:
  10,432 generated, 10,432 passed

Seed: 1

========================== No issues found in 90.51s ===========================
`;
const WARNED = CLEAN.replace(
  'Test cases:',
  'Warnings:\n  ⚠️ Schema validation mismatch: 2 operations mostly rejected generated data\n\nTest cases:',
);

const run = (output: string, status: number | null = 0) => ({ ...findingsOf(output), status });

describe('the report of a fuzz run', () => {
  it('has the cases of all processes, and no problem where there is none', () => {
    expect(judge([run(CLEAN), run(CLEAN)], 20_000)).toEqual({ problems: [], cases: 20_864 });
  });

  it('takes a warning for a finding', () => {
    expect(judge([run(CLEAN), run(WARNED)], 10_000).problems).toEqual([
      expect.stringContaining('2 operations mostly rejected generated data'),
    ]);
  });

  it('takes a failure for one, and a run that hardly tested anything', () => {
    expect(judge([run(CLEAN), run(CLEAN, 1)], 10_000).problems).toEqual(['schemathesis ended with 1.']);
    expect(judge([run(CLEAN)], 20_000).problems).toEqual([
      '10432 cases were generated, and at least 20000 are wanted.',
    ]);
    expect(judge([run('', null)], 1).problems).toHaveLength(2);
  });
});
