import { describe, expect, it } from '@jest/globals';
import { readMeasured } from '../../../../tools/costs/measured.ts';
import { billOf, monthOf, refresherCost, scheduledRunSeconds } from '../../../../tools/costs/model.ts';
import { inCdkProcess } from '../../../support/cdk-process.ts';

const measured = readMeasured();
const dev = inCdkProcess('deployedOf', 'dev');

describe('a month of the default stage', () => {
  it('costs at most 10 USD at list price when nobody comes', () => {
    expect(billOf(monthOf(dev, measured, 0)).list).toBeLessThanOrEqual(10);
  });

  it('has all that costs something when nobody comes', () => {
    const { rows } = billOf(monthOf(dev, measured, 0));
    for (const row of [
      'Alarms, dashboard',
      'DynamoDB: snapshots',
      'Logs',
      'Metrics of our own',
      'Refresher',
      'Secret, schedule',
      'Watch of the front door',
    ]) {
      expect([row, (rows.get(row) ?? 0) > 0]).toEqual([row, true]);
    }
  });

  it('pays for the watch of the front door where there is a door, some cents', () => {
    expect(dev.looks).toBe(8_640);
    const { rows } = billOf(monthOf(dev, measured, 0));
    expect(rows.get('Watch of the front door')).toBeLessThan(0.2);
    const without = billOf(monthOf({ ...dev, looks: 0 }, measured, 0));
    expect(without.rows.has('Watch of the front door')).toBe(false);
  });

  it('pays 2.50 USD at most for the refresher: its function and what it writes', () => {
    const cost = refresherCost(dev, measured);
    process.stdout.write(
      `The refresher of ${measured.markets} markets costs ${cost.toFixed(2)} USD a month\n`,
    );
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThanOrEqual(2.5);
  });

  it('bills a price run for the time that it waits for its moment, and a small function for its share of a core', () => {
    const refresh = { ...measured.refresh, runMs: 4_000, publishMs: 500 };
    const seconds = (mb: number) =>
      scheduledRunSeconds(
        { refreshMinutes: 2, memoryMb: { ...dev.memoryMb, 'refresh-snapshot': mb } },
        { ...measured, refresh },
      );
    expect(seconds(1_769)).toBeCloseTo((4 + 2.5) / 2);
    expect(seconds(1_769 / 2)).toBeCloseTo((5 + 2.75) / 2);
    expect(seconds(3_538)).toBe(seconds(1_769));
  });

  it('pays for each base, beside what each run writes', () => {
    const more = { ...measured, refresh: { ...measured.refresh, baseWriteUnits: 1_000_000 } };
    const difference =
      billOf(monthOf(dev, more, 0)).list -
      billOf(monthOf(dev, { ...measured, refresh: { ...measured.refresh, baseWriteUnits: 0 } }, 0)).list;
    // Eight a day, at 0.625 USD for a million write units.
    expect(difference).toBeCloseTo(240 * 0.625);
  });
});
