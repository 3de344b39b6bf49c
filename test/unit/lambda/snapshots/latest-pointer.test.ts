import { describe, expect, it } from '@jest/globals';
import { LatestPointer } from '../../../../lambda/snapshots/latest-pointer.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemorySnapshotStore } from '../../../support/memory-snapshot-store.ts';

const FRESH_SECONDS = 120;

/** A pointer that has found a snapshot of so many seconds, and looked just now. */
async function looked(ageSeconds: number) {
  const clock = new ManualClock();
  const source = new MemorySnapshotStore(clock);
  const pointer = new LatestPointer(source, clock, { freshSeconds: FRESH_SECONDS, staleIfErrorSeconds: 0 });
  const found = await source.publish(clock.now() - ageSeconds * 1_000);
  await pointer.current();
  source.take();
  const looks = async (): Promise<number> => {
    await pointer.current();
    return source.take().length;
  };
  return { clock, source, pointer, found, looks };
}

describe('the pointer is looked at', () => {
  it.each([
    ['new', 0, 5_000],
    // The next prices are due from 55 s on: half of 120 s, less the 5 s of a look.
    ['not quite half as old as it may be', 49.999, 5_000],
    ['nearly half as old as it may be, so that the next is due', 54.5, 500],
    ['as old as it may be', 119.4, 500],
  ])('at most so often while the data is %s (%d s): every %i ms', async (_, age, everyMs) => {
    const { clock, looks } = await looked(age);
    await clock.advance(everyMs - 1);
    expect(await looks()).toBe(0);
    await clock.advance(1);
    expect(await looks()).toBe(1);
    expect(await looks()).toBe(0);
  });

  it('each time once the data is older than its freshness', async () => {
    const { clock, looks } = await looked(FRESH_SECONDS);
    expect(await looks()).toBe(0);
    await clock.advance(1);
    expect([await looks(), await looks()]).toEqual([1, 1]);
  });

  it('once for all who ask at the same time', async () => {
    const { clock, source, pointer, found } = await looked(0);
    await clock.advance(5_000);
    const all = await Promise.all([pointer.current(), pointer.current()]);
    expect(all).toEqual([found, found]);
    expect(source.take()).toEqual(['latest']);
  });
});

describe('a look', () => {
  it('that finds nothing, or fails, leaves what was known', async () => {
    const { clock, source, pointer, found } = await looked(0);
    source.losePointer();
    await clock.advance(5_000);
    expect(await pointer.current()).toEqual(found);
    source.failLatest = true;
    await clock.advance(5_000);
    await expect(pointer.current()).rejects.toThrow('DynamoDB is not there');
    expect(pointer.latest).toEqual(found);
  });

  it('that fails counts as one', async () => {
    const { clock, source, pointer, found } = await looked(0);
    source.failLatest = true;
    await clock.advance(5_000);
    await expect(pointer.current()).rejects.toThrow('DynamoDB is not there');
    await clock.advance(4_999);
    expect(await pointer.current()).toEqual(found);
  });

  it('is joined for a second and a half, but not when the container was frozen in the middle of it', async () => {
    const { clock, source, pointer, found } = await looked(60);
    await clock.advance(5_000);
    const held = Promise.withResolvers<void>();
    source.pauseLatest = held.promise;
    const looks = [pointer.current()];
    await clock.advance(1_499);
    looks.push(pointer.current());
    expect(source.take()).toEqual(['latest']);

    source.pauseLatest = Promise.resolve();
    const newer = await source.publish(clock.now());
    source.take();
    await clock.advance(1);
    const anew = pointer.current();
    expect(source.take()).toEqual(['latest']);
    expect(await anew).toEqual(newer);
    held.resolve();
    // What it brings in the end is older than what is known by now.
    expect(await Promise.all(looks)).toEqual([newer, newer]);
    expect([pointer.latest, newer.id === found.id]).toEqual([newer, false]);
  });

  it('finds nothing before the first snapshot', async () => {
    const clock = new ManualClock();
    const source = new MemorySnapshotStore(clock);
    const rule = { freshSeconds: FRESH_SECONDS, staleIfErrorSeconds: 0 };
    const pointer = new LatestPointer(source, clock, rule);
    expect([await pointer.current(), await pointer.current()]).toEqual([undefined, undefined]);
    expect(source.take()).toEqual(['latest', 'latest']);
  });
});
