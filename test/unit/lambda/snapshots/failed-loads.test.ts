import { describe, expect, it } from '@jest/globals';
import { FailedLoads } from '../../../../lambda/snapshots/failed-loads.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const REMEMBERED = 8;

function setup() {
  const clock = new ManualClock();
  return { clock, failures: new FailedLoads(clock) };
}

describe('a load that has failed', () => {
  it('is recalled with its error for a second, and no longer', async () => {
    const { clock, failures } = setup();
    const error = new Error('no chunk');
    failures.note('a', error);
    await clock.advance(999);
    expect(failures.recall('a')?.error).toBe(error);
    expect(failures.recall('b')).toBeUndefined();
    await clock.advance(1);
    expect(failures.recall('a')).toBeUndefined();
  });

  it('is recalled for twice as long each time, up to half a minute', async () => {
    const { clock, failures } = setup();
    const pauses: number[] = [];
    for (let times = 0; times < 7; times += 1) {
      failures.note('a', times);
      const start = clock.now();
      while (failures.recall('a')) await clock.advance(500);
      pauses.push((clock.now() - start) / 1_000);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });

  it('is recalled with the last of its errors', () => {
    const { failures } = setup();
    failures.note('a', 'first');
    failures.note('a', 'second');
    expect(failures.recall('a')?.error).toBe('second');
  });

  it('begins anew after a success', async () => {
    const { clock, failures } = setup();
    failures.note('a', 1);
    failures.note('a', 2);
    failures.forget('a');
    expect(failures.recall('a')).toBeUndefined();
    failures.note('a', 3);
    await clock.advance(1_000);
    expect(failures.recall('a')).toBeUndefined();
  });

  it('is remembered beside seven others; then the one is forgotten that failed longest ago', () => {
    const { failures } = setup();
    const recalled = () => 'abcdefghi'.split('').filter((id) => failures.recall(id));
    for (const id of 'abcdefgh') failures.note(id, id);
    expect(recalled()).toHaveLength(REMEMBERED);
    failures.note('a', 'again');
    failures.note('i', 'i');
    expect(recalled().join('')).toBe('acdefghi');
  });
});
