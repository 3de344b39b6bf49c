import { describe, expect, it } from '@jest/globals';
import { mapSnapshots, SnapshotCache } from '../../../../lambda/snapshots/snapshot-cache.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemorySnapshotStore } from '../../../support/memory-snapshot-store.ts';
import { codeOf, setup } from './cache-setup.ts';

/** A container that holds no newest snapshot, and some published ones that links name. */
async function linked(count: number, olderHeld?: number) {
  const rig = setup(0, olderHeld === undefined ? {} : { olderHeld });
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await rig.source.publish(rig.clock.now() + n)).id);
  const reads = async (...places: number[]): Promise<number> => {
    rig.source.take();
    await Promise.all(places.map((place) => rig.cache.byId(ids[place] ?? '')));
    return rig.source.take().filter((call) => call === 'read').length;
  };
  return { ...rig, reads };
}

/** What a load waits for, and how to end it. */
function hold() {
  let release = () => {};
  const pause = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { pause, release };
}

describe('the older snapshots of a container', () => {
  it.each([
    [undefined, 2],
    [1, 1],
    [3, 3],
  ])('are the last ones that were asked for: of %s as many as %i', async (olderHeld, held) => {
    const { reads } = await linked(held + 1, olderHeld);
    const places = Array.from({ length: held + 1 }, (_, n) => n);
    for (const place of places) expect(await reads(place)).toBe(1);
    for (const place of places.slice(1)) expect(await reads(place)).toBe(0);
    expect(await reads(0)).toBe(1);
  });

  it('are each held once, also when two requests have shared a load', async () => {
    const { reads } = await linked(2);
    expect(await reads(0)).toBe(1);
    expect(await reads(1, 1)).toBe(1);
    expect(await reads(0)).toBe(0);
  });

  it('give no room to the newest one, which two requests have loaded while a newer one came out', async () => {
    const { clock, source, cache, reads } = await linked(1, 1);
    expect(await reads(0)).toBe(1);
    const [slow, next] = [hold(), hold()];
    source.pause = slow.pause;
    await source.publish(clock.now() + 1);
    const both = [cache.latest(), cache.latest()];
    await clock.advance(5_000);
    source.pause = next.pause;
    await source.publish(clock.now());
    const newest = cache.latest();
    await clock.advance(0);
    slow.release();
    await Promise.all(both);
    source.pause = Promise.resolve();
    expect(await reads(0)).toBe(0);
    next.release();
    await newest;
  });
});

describe('a snapshot in another form', () => {
  it('is that of the cache, the newest one and one of a link', async () => {
    const { clock, source, cache } = setup();
    const manifest = await source.publish(clock.now(), 3);
    const lengths = mapSnapshots(cache, ({ length }) => length);
    expect(await lengths.latest()).toEqual({ manifest, view: 3 });
    expect(await lengths.byId(manifest.id)).toEqual({ manifest, view: 3 });
  });

  it('is missing where that of the cache is', async () => {
    const { cache } = setup();
    const lengths = mapSnapshots(cache, ({ length }) => length);
    expect(await codeOf(lengths.latest())).toBe('snapshot_missing');
    expect(await codeOf(lengths.byId('none'))).toBe('snapshot_gone');
  });
});

describe('a container that starts', () => {
  it('begins to load at once, so that the first request finds what it needs', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now());
    cache.warm();
    await clock.advance(0);
    expect(source.take()).toEqual(['latest', 'read']);
    await cache.latest();
    expect(source.take()).toEqual([]);
  });
});

describe('a failure to load', () => {
  it('is told in words once for each load that failed, not for each request', async () => {
    const { clock, source, cache, problems } = setup();
    await source.publish(clock.now());
    await cache.latest();
    await clock.advance(5_000);
    source.lose(await source.publish(clock.now()), 'chunk');
    for (let n = 0; n < 3; n += 1) await cache.latest();
    expect(problems).toEqual(['The newest snapshot could not be loaded']);
  });

  it('need not be told to anybody', async () => {
    const clock = new ManualClock();
    const source = new MemorySnapshotStore(clock);
    const rule = { freshSeconds: 120, staleIfErrorSeconds: 0 };
    const cache = new SnapshotCache({ source, clock, rule, view: ({ list }) => list });
    source.failLatest = true;
    source.failFind = true;
    expect(await codeOf(cache.latest())).toBe('snapshot_missing');
    expect(await codeOf(cache.byId('any'))).toBe('snapshot_missing');
  });
});
