import { describe, expect, it } from '@jest/globals';
import { codeOf, setup } from './fake-source.ts';

const HOUR_MS = 3_600_000;

describe('a store that fails', () => {
  it('is not asked by every request as long as what is held is fresh', async () => {
    const { clock, source, cache } = setup();
    source.publish(clock.now());
    await cache.latest();
    source.failLatest = true;
    await clock.advance(5_000);
    source.take();
    for (let n = 0; n < 3; n++) await cache.latest();
    expect(source.take()).toEqual(['latest']);
    await clock.advance(5_000);
    await cache.latest();
    expect(source.take()).toEqual(['latest']);
  });

  it('is asked by every request once there is nothing fresh', async () => {
    const { clock, source, cache } = setup();
    source.publish(clock.now());
    await cache.latest();
    source.failLatest = true;
    await clock.advance(151_000);
    source.take();
    for (let n = 0; n < 3; n++) expect(await codeOf(cache.latest())).toBe('snapshot_stale');
    expect(source.take()).toEqual(['latest', 'latest', 'latest']);
  });
});

describe('a newest snapshot that is broken', () => {
  it('is not downloaded again by every request', async () => {
    const { clock, source, cache } = setup();
    const old = source.publish(clock.now());
    await cache.latest();
    await clock.advance(5_000);
    source.publish(clock.now());
    source.failRead = true;
    source.take();
    for (let n = 0; n < 3; n++) expect((await cache.latest()).manifest.id).toBe(old.id);
    expect(source.take()).toEqual(['latest', 'read']);
  });

  it('is a 502 once the old one has outlived its freshness, and says how old that is', async () => {
    const { clock, source, cache } = setup();
    source.publish(clock.now());
    await cache.latest();
    source.failRead = true;
    await clock.advance(120_000);
    source.publish(clock.now());
    await clock.advance(31_000);
    await expect(cache.latest()).rejects.toMatchObject({
      code: 'snapshot_stale',
      message: expect.stringContaining('151 s old'),
    });
  });
});

describe('a snapshot from the far future', () => {
  it('is not answered with: nobody can tell its age', async () => {
    const { clock, source, cache } = setup();
    source.publish(clock.now() + HOUR_MS);
    await expect(cache.latest()).rejects.toMatchObject({
      code: 'snapshot_stale',
      message: expect.stringContaining('in the future'),
    });
    expect(source.take()).toEqual(['latest']);
  });

  it('does not take the place of one that is fresh', async () => {
    const { clock, source, cache } = setup();
    const good = source.publish(clock.now());
    await cache.latest();
    source.publish(clock.now() + HOUR_MS);
    await clock.advance(5_000);
    expect((await cache.latest()).manifest.id).toBe(good.id);
  });

  it('gives way to one with an earlier time, also where it is held', async () => {
    const { clock, source, cache } = setup();
    source.publish(clock.now() + 240_000);
    await cache.latest();
    const good = source.publish(clock.now());
    await clock.advance(5_000);
    expect((await cache.latest()).manifest.id).toBe(good.id);
  });
});

describe('two loads that overlap', () => {
  it('leave the newer one, whichever ends last', async () => {
    const { clock, source, cache } = setup();
    let release = () => {};
    source.pause = new Promise((resolve) => {
      release = resolve;
    });
    source.publish(clock.now(), 3);
    const slow = cache.latest();
    await clock.advance(5_000);
    source.pause = Promise.resolve();
    const newer = source.publish(clock.now(), 2);
    expect((await cache.latest()).manifest.id).toBe(newer.id);
    release();
    expect((await slow).manifest.id).toBe(newer.id);
    expect((await cache.latest()).view.length).toBe(2);
  });
});
