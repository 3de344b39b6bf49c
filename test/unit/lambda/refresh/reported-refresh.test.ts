import { describe, expect, it } from '@jest/globals';
import { failing, PREVIOUS_AGE_SECONDS, reportedRun } from './reported-run.ts';

describe('the age of the newest snapshot at the end of a run', () => {
  it('is that of its own snapshot when it has published', async () => {
    const { run, metrics } = reportedRun();
    await run();
    expect(metrics.get('SnapshotAge')).toBe(0);
  });

  it.each(['superseded', 'failed'] as const)('is that of the pointer when it was %s', async (end) => {
    const superseded = async () => ({ outcome: 'superseded', bytes: 1, chunks: 1 }) as const;
    const { run, metrics } = reportedRun({ publish: end === 'failed' ? failing : superseded });
    await run().catch(() => undefined);
    expect(metrics.get('SnapshotAge')).toBe(PREVIOUS_AGE_SECONDS);
    expect(metrics.get(end === 'failed' ? 'RefreshFailed' : 'RefreshSuperseded')).toBe(1);
  });

  it('is missing when the pointer cannot be read, and the run still fails for its own reason', async () => {
    const { run, metrics, logged } = reportedRun({ latest: failing });
    await expect(run()).rejects.toThrow('DynamoDB is not there');
    expect(metrics.has('SnapshotAge')).toBe(false);
    expect(logged()).toEqual(['Refresh failed', 'The age of the newest snapshot cannot be read']);
  });

  it.each([
    ['there is none', { latest: async () => undefined, publish: failing }, 0],
    ['its time lies in the far future', { publish: failing }, -3_600],
  ])('is missing when %s', async (_, overrides, age) => {
    const { run, metrics } = reportedRun(overrides, age);
    await run().catch(() => undefined);
    expect(metrics.has('SnapshotAge')).toBe(false);
  });
});

describe('a full run of ten markets', () => {
  it.each([
    [12, undefined], // four fifths are 9
    [13, undefined],
    [14, 1],
  ])('where a snapshot holds %i counts as one with few markets: %s', async (maxMarkets, counted) => {
    const { run, metrics } = reportedRun({}, PREVIOUS_AGE_SECONDS, { maxMarkets });
    await run();
    expect(metrics.get('MarketsListed')).toBe(10);
    expect(metrics.get('RunsWithFewMarkets')).toBe(counted);
  });

  it.each([
    [10, undefined],
    [5, undefined],
    [4, 1],
    [0, 1],
  ])('of which %i have a 1-day change counts as one with few changes: %s', async (changed, counted) => {
    const { run, metrics } = reportedRun({}, PREVIOUS_AGE_SECONDS, { changed });
    await run();
    expect(metrics.get('OneDayChangeCoverage')).toBe(10 * changed);
    expect(metrics.get('RunsWithFewChanges')).toBe(counted);
  });
});

describe('the clock of a run', () => {
  it.each([
    [5_000, []],
    [5_001, ['The clock differs from the upstream clock']],
    [-60_000, ['The clock differs from the upstream clock']],
  ])(
    'that differs from the upstream by %i ms is measured, and beyond 5 s reported',
    async (skewMs, warnings) => {
      const { clock, counters, run, metrics, logged } = reportedRun();
      const date = new Date(clock.now()).toUTCString();
      counters.clob.responded(new Headers({ date }), clock.now() + skewMs);
      await run();
      expect(metrics.get('ClockSkew')).toBe(skewMs / 1_000);
      expect(logged()).toEqual(['Snapshot published', ...warnings]);
    },
  );

  it('is not measured when no response told the time', async () => {
    const { run, metrics } = reportedRun();
    await run();
    expect(metrics.has('ClockSkew')).toBe(false);
  });
});
