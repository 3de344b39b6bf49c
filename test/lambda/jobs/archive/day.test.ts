import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../../../../lambda/core/domain/time.ts';
import { dayOf, gapsOf, readDay } from '../../../../lambda/jobs/archive/day.ts';

// The archive has a file for each day in UTC, and declares the gaps of the day: times of more than
// 150 s without a snapshot, and snapshots that were published but are lost.

const DAY = dayOf(Date.parse('2026-11-21T13:00:00Z'));
/** A time of the day, such as `03:30:00`. */
const at = (time: string): number => Date.parse(`${DAY.date}T${time}Z`);
/** A time of the day before. */
const dayBefore = (time: string): number => at(time) - DAY_MS;
/** A time of the day after. */
const dayAfter = (time: string): number => at(time) + DAY_MS;

/** The times of snapshots every 120 s of the day. */
const everyTwoMinutes = (): number[] =>
  Array.from({ length: 720 }, (_, n) => DAY.start + n * 120_000);

/** The same without the snapshots from one time until before another. */
const everyTwoMinutesExcept = (from: number, to: number): number[] =>
  everyTwoMinutes().filter((time) => time < from || time >= to);

describe('a day', () => {
  it('begins and ends at midnight UTC', () => {
    expect(DAY).toEqual({ date: '2026-11-21', start: at('00:00:00'), end: dayAfter('00:00:00') });
    expect(readDay('2026-11-21')).toEqual(DAY);
    expect(dayOf(DAY.end - 1)).toEqual(DAY);
    expect(dayOf(DAY.start, 10).date).toBe('2026-12-01');
  });

  it.each(['2026-02-30', '2026-11-21T00:00:00Z', '21.11.2026', ''])('is not %j', (text) => {
    expect(readDay(text)).toBeUndefined();
  });
});

describe('the gaps of a day', () => {
  /** A snapshot of the day before. Without one, the service began during the day. */
  const before = dayBefore('23:59:00');
  const gaps = (found: readonly number[], lost: readonly number[] = []) =>
    gapsOf(DAY, { found, lost }).map(({ from, to }) => [Date.parse(from), Date.parse(to)]);

  it('are none with a snapshot every 120 s, whose first and last are at most 150 s from midnight', () => {
    expect(gaps([before, ...everyTwoMinutes()])).toEqual([]);
    expect(gaps([before, ...everyTwoMinutes().map((time) => time + 60_000)])).toEqual([]);
  });

  it('are times of more than 150 s between two snapshots', () => {
    const found = everyTwoMinutesExcept(at('03:00:00'), at('03:00:01'));
    expect(gapsOf(DAY, { found, lost: [] })).toEqual([
      { from: '2026-11-21T02:58:00.000Z', to: '2026-11-21T03:02:00.000Z', seconds: 240 },
    ]);
    // 150.001 s and 150 s before the next snapshot, which is that of 03:02.
    const [early, late] = [at('02:59:29.999'), at('02:59:30')];
    const sorted = (time: number) => [...found, time].sort((a, b) => a - b);
    expect(gaps(sorted(early))).toEqual([[early, at('03:02:00')]]);
    expect(gaps(sorted(late))).toEqual([]);
  });

  it('are lost snapshots, however short the time is', () => {
    const found = everyTwoMinutes();
    expect(gaps(found, [at('05:01:00')])).toEqual([[at('05:00:00'), at('05:02:00')]]);
    expect(gaps(found, [at('23:59:00')])).toEqual([[at('23:58:00'), DAY.end]]);
    // The first snapshot of all, at 00:02, is lost.
    const later = everyTwoMinutesExcept(at('00:00:00'), at('00:04:00'));
    expect(gaps(later, [at('00:02:00')])).toEqual([[at('00:02:00'), at('00:04:00')]]);
  });

  it('include the edges of the day', () => {
    const late = everyTwoMinutesExcept(at('00:00:00'), at('00:04:00'));
    expect(gaps([before, ...late])).toEqual([[DAY.start, at('00:04:00')]]);
    const short = everyTwoMinutesExcept(at('23:56:00'), dayAfter('00:00:00'));
    expect(gaps(short)).toEqual([[at('23:54:00'), DAY.end]]);
  });

  it('do not include the time before the first snapshot of all', () => {
    expect(gaps(everyTwoMinutesExcept(at('00:00:00'), at('00:04:00')))).toEqual([]);
  });

  it('that cross midnight belong to both days, each with its part', () => {
    const times = everyTwoMinutesExcept(at('00:00:00'), at('00:02:00'));
    expect(gaps([dayBefore('23:59:29'), ...times])).toEqual([[DAY.start, at('00:02:00')]]);
    expect(gaps([...everyTwoMinutes(), dayAfter('00:00:31')])).toEqual([[at('23:58:00'), DAY.end]]);
  });
});
