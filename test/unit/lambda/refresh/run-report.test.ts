import { expect, it } from '@jest/globals';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';

it('counts from nothing: no faults, no markets, the memory kept', () => {
  const { skipped, ...counts } = new RunReport();
  const { bandsIgnored, memoryKept, ...numbers } = counts;
  expect({ skipped, bandsIgnored, memoryKept }).toEqual({
    skipped: {},
    bandsIgnored: false,
    memoryKept: true,
  });
  expect(new Set(Object.values(numbers))).toEqual(new Set([0]));
});

it('counts skipped markets by reason and in all', () => {
  const report = new RunReport();
  expect(report.skippedTotal).toBe(0);
  for (const reason of ['price', 'question', 'price'] as const) report.skip(reason);
  expect(report.skipped).toEqual({ price: 2, question: 1 });
  expect(report.skippedTotal).toBe(3);
});
