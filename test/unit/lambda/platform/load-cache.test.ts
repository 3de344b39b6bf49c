import { describe, expect, it } from '@jest/globals';
import { LoadCache, type LoadCacheOptions } from '../../../../lambda/platform/load-cache.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

function rig(overrides: Partial<LoadCacheOptions<string>> = {}) {
  const clock = new ManualClock();
  const loads: string[] = [];
  const cache = new LoadCache<string>({
    clock,
    keptMs: 1_000,
    maxEntries: 2,
    maxSize: 100,
    sizeOf: (value) => value.length,
    ...overrides,
  });
  const get = (key: string, value = `${key}${loads.length}`) =>
    cache.get(key, async () => {
      loads.push(key);
      return value;
    });
  return { clock, loads, cache, get };
}

describe('what was loaded', () => {
  it('is kept for its time, counted from the load, and loaded again after it', async () => {
    const { clock, loads, get } = rig();
    expect(await get('a')).toEqual({ value: 'a0', keptForMs: 1_000 });
    await clock.advance(300);
    expect(await get('a')).toEqual({ value: 'a0', keptForMs: 700 });
    await clock.advance(700);
    expect(await get('a')).toEqual({ value: 'a0', keptForMs: 0 });
    await clock.advance(1);
    expect(await get('a')).toEqual({ value: 'a1', keptForMs: 1_000 });
    expect(loads).toEqual(['a', 'a']);
  });

  it('is not kept longer when the clock is set back', async () => {
    const { cache, clock, get } = rig();
    await get('a');
    clock.now = () => Date.parse('2026-11-21T11:00:00Z');
    expect((await cache.get('a', () => Promise.reject(new Error('not called')))).keptForMs).toBe(1_000);
  });

  it('may be undefined', async () => {
    const { clock } = rig();
    const cache = new LoadCache<undefined>({ clock, keptMs: 10, maxEntries: 1, maxSize: 1, sizeOf: () => 0 });
    let loads = 0;
    const load = async () => {
      loads += 1;
      return undefined;
    };
    await cache.get('a', load);
    await cache.get('a', load);
    expect(loads).toBe(1);
  });

  it('makes room when it was used least recently', async () => {
    const { loads, get } = rig();
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);
    expect(loads).toEqual(['a', 'b', 'c', 'b']);
  });

  it('makes room when all together weigh too much, and is not kept when it does so alone', async () => {
    const { loads, get } = rig({ maxEntries: 10 });
    for (const key of ['a', 'b', 'a']) await get(key, 'x'.repeat(60));
    await get('c', 'x'.repeat(101));
    await get('c', 'x'.repeat(101));
    expect(loads).toEqual(['a', 'b', 'a', 'c', 'c']);
  });
});

describe('a load', () => {
  it('is shared by all who ask for the same meanwhile; its freshness counts from its beginning', async () => {
    const { clock, cache, loads } = rig();
    const slow = (key: string) =>
      cache.get(key, async () => {
        loads.push(key);
        await new Promise<void>((resolve) => {
          clock.after(500, resolve);
        });
        return key;
      });
    const first = slow('a');
    const other = slow('b');
    await clock.advance(400);
    const second = slow('a');
    await clock.advance(100);
    expect(await Promise.all([first, second, other])).toEqual([
      { value: 'a', keptForMs: 500 },
      { value: 'a', keptForMs: 500 },
      { value: 'b', keptForMs: 500 },
    ]);
    expect(loads).toEqual(['a', 'b']);
  });

  it('that began too long ago is not joined, and what it brings in the end is not kept', async () => {
    const { cache, clock, loads } = rig();
    const ends: ((value: string) => void)[] = [];
    const load = () => {
      loads.push('a');
      return new Promise<string>((resolve) => ends.push(resolve));
    };
    const frozen = cache.get('a', load);
    await clock.advance(999);
    const joined = cache.get('a', load);
    await clock.advance(1);
    const fresh = cache.get('a', load);
    ends[1]?.('new');
    expect(await fresh).toEqual({ value: 'new', keptForMs: 1_000 });
    ends[0]?.('old');
    expect(await Promise.all([frozen, joined])).toEqual(Array(2).fill({ value: 'old', keptForMs: 0 }));
    expect((await cache.get('a', load)).value).toBe('new');
    expect(loads).toHaveLength(2);
  });

  it('that fails is told to all who wait and is not kept', async () => {
    const { cache, get } = rig();
    let reject = (_error: Error): void => undefined;
    const load = () => new Promise<string>((_, refuse) => (reject = refuse));
    const both = Promise.allSettled([
      cache.get('a', load),
      cache.get('a', () => Promise.resolve('never called')),
    ]);
    reject(new Error('no'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await get('a')).value).toBe('a0');
  });
});
