import { describe, expect, it } from '@jest/globals';
import { snapshotId } from '../../../../lambda/domain/snapshot.ts';
import { codeOf, setup } from './cache-setup.ts';

describe('the snapshot of a container', () => {
  it('is missing before the first refresh', async () => {
    const { cache } = setup();
    expect(await codeOf(cache.latest())).toBe('snapshot_missing');
  });

  it('is loaded once, also for requests at once, and its view made once', async () => {
    const { clock, source, cache, viewsMade } = setup();
    await source.publish(clock.now());
    await Promise.all([cache.latest(), cache.latest(), cache.latest()]);
    await cache.latest();
    expect(source.take()).toEqual(['latest', 'read']);
    expect(viewsMade()).toBe(1);
  });

  it('looks at the pointer every five seconds and downloads only a changed version', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now());
    await cache.latest();
    source.take();
    await clock.advance(4_999);
    await cache.latest();
    expect(source.take()).toEqual([]);
    await clock.advance(1);
    await cache.latest();
    expect(source.take()).toEqual(['latest']);
    const next = await source.publish(clock.now());
    await clock.advance(5_000);
    expect((await cache.latest()).manifest.id).toBe(next.id);
    expect(source.take()).toEqual(['latest', 'read']);
  });

  it('looks before it would serve data older than two minutes', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now());
    await clock.advance(119_000);
    await cache.latest();
    await clock.advance(1_001);
    const next = await source.publish(clock.now());
    expect((await cache.latest()).manifest.id).toBe(next.id);
  });

  it('serves until its freshness and the grace of the next run are over, then 502 with the age', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now());
    await cache.latest();
    await clock.advance(150_000);
    expect(await codeOf(cache.latest())).toBe('responded');
    await clock.advance(1_000);
    await expect(cache.latest()).rejects.toMatchObject({
      code: 'snapshot_stale',
      message: expect.stringContaining('151 s old'),
    });
    await source.publish(clock.now());
    expect(await codeOf(cache.latest())).toBe('responded');
  });

  it('does not download what it could not serve', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now() - 151_000);
    expect(await codeOf(cache.latest())).toBe('snapshot_stale');
    expect(source.take()).toEqual(['latest']);
  });

  it('serves longer where the stage allows stale data', async () => {
    const { clock, source, cache } = setup(600);
    await source.publish(clock.now());
    await clock.advance(600_000);
    expect(await codeOf(cache.latest())).toBe('responded');
    await clock.advance(1_000);
    expect(await codeOf(cache.latest())).toBe('snapshot_stale');
  });

  it('takes data of a clock that is ahead for new', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now() + 60_000);
    expect(await codeOf(cache.latest())).toBe('responded');
  });

  it('keeps serving from memory while the store fails, then says that it cannot', async () => {
    const { clock, source, cache, problems } = setup();
    await source.publish(clock.now());
    await cache.latest();
    source.failLatest = true;
    await clock.advance(100_000);
    expect(await codeOf(cache.latest())).toBe('responded');
    expect(problems).toHaveLength(1);
    await clock.advance(51_000);
    expect(await codeOf(cache.latest())).toBe('snapshot_stale');
  });

  it('keeps the old snapshot while the new one cannot be loaded', async () => {
    const { clock, source, cache, problems } = setup();
    const old = await source.publish(clock.now());
    await cache.latest();
    source.failRead = true;
    await source.publish(clock.now() + 10_000);
    await clock.advance(10_000);
    expect((await cache.latest()).manifest.id).toBe(old.id);
    expect(problems).toHaveLength(1);
    source.failRead = false;
    await clock.advance(5_000);
    expect((await cache.latest()).manifest.id).not.toBe(old.id);
  });

  it('is missing, not wrong, when the only one cannot be loaded', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now());
    source.failRead = true;
    expect(await codeOf(cache.latest())).toBe('snapshot_missing');
    source.failRead = false;
    await clock.advance(1_000);
    expect(await codeOf(cache.latest())).toBe('responded');
  });

  it('is whole even when the pointer moves while it is loaded', async () => {
    const { clock, source, cache } = setup();
    let release = () => {};
    source.pause = new Promise((resolve) => {
      release = resolve;
    });
    const first = await source.publish(clock.now(), 3);
    const loading = cache.latest();
    await clock.advance(5_000);
    await source.publish(clock.now(), 2);
    release();
    const held = await loading;
    expect([held.manifest.id, held.view.length]).toEqual([first.id, 3]);
    await clock.advance(5_000);
    expect((await cache.latest()).view.length).toBe(2);
  });

  it('warms up without telling anybody of a failure', async () => {
    const { source, cache } = setup();
    source.failLatest = true;
    cache.warm();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await codeOf(cache.latest())).toBe('snapshot_missing');
  });
});

describe('an older snapshot', () => {
  it('is found by its id, then held', async () => {
    const { clock, source, cache } = setup();
    const old = await source.publish(clock.now(), 3);
    await clock.advance(120_000);
    await source.publish(clock.now(), 2);
    await cache.latest();
    source.take();
    expect((await cache.byId(old.id)).view.length).toBe(3);
    expect(source.take()).toEqual(['find', 'read']);
    await cache.byId(old.id);
    expect(source.take()).toEqual([]);
  });

  it('is still there for walks after a newer one took its place', async () => {
    const { clock, source, cache } = setup();
    const old = await source.publish(clock.now());
    await cache.latest();
    await clock.advance(120_000);
    await source.publish(clock.now());
    await cache.latest();
    source.take();
    await cache.byId(old.id);
    expect(source.take()).toEqual([]);
  });

  it('is gone when it is not kept, or when its hour is over', async () => {
    const { clock, source, cache } = setup();
    expect(await codeOf(cache.byId(snapshotId(clock.now(), Math.random)))).toBe('snapshot_gone');
    const old = await source.publish(clock.now());
    await cache.latest();
    await clock.advance(3_600_000);
    expect(await codeOf(cache.byId(old.id))).toBe('snapshot_gone');
  });
});
