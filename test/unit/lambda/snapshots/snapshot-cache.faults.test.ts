import { describe, expect, it } from '@jest/globals';
import { snapshotId } from '../../../../lambda/domain/snapshot.ts';
import { codeOf, setup } from './cache-setup.ts';

const HOUR_MS = 3_600_000;

describe('a store that fails', () => {
  it('is not asked by every request as long as what is held is fresh', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now());
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
    await source.publish(clock.now());
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
    const old = await source.publish(clock.now());
    await cache.latest();
    await clock.advance(5_000);
    source.lose(await source.publish(clock.now()), 'chunk');
    source.take();
    for (let n = 0; n < 3; n++) expect((await cache.latest()).manifest.id).toBe(old.id);
    expect(source.take()).toEqual(['latest', 'read']);
  });

  it('is not downloaded again by every request of a container that has none either', async () => {
    const { clock, source, cache } = setup();
    source.lose(await source.publish(clock.now()), 'base');
    for (let n = 0; n < 10; n++) expect(await codeOf(cache.latest())).toBe('snapshot_missing');
    expect(source.take().filter((call) => call === 'read')).toHaveLength(1);
  });

  it('is tried again at growing distances, up to half a minute', async () => {
    const { clock, source, cache } = setup(3_600);
    source.lose(await source.publish(clock.now()), 'base');
    const at: number[] = [];
    for (let second = 0; second <= 120; second += 1) {
      source.take();
      await codeOf(cache.latest());
      if (source.take().includes('read')) at.push(second);
      await clock.advance(1_000);
    }
    expect(at).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
  });

  it('gives way at once to the next one, and is forgotten when it can be read after all', async () => {
    const { clock, source, cache } = setup();
    source.lose(await source.publish(clock.now()), 'base');
    expect(await codeOf(cache.latest())).toBe('snapshot_missing');
    const next = await source.publish(clock.now() + 1);
    await clock.advance(5_000);
    expect((await cache.latest()).manifest.id).toBe(next.id);
  });

  it('is a 502 once the old one has outlived its freshness, and says how old that is', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now());
    await cache.latest();
    source.failRead = true;
    await clock.advance(120_000);
    await source.publish(clock.now());
    await clock.advance(31_000);
    await expect(cache.latest()).rejects.toMatchObject({
      code: 'snapshot_stale',
      message:
        'The newest market data that could be read is 151 s old, more than the 150 s allowed: the data of later refreshes cannot be read at the moment; try again in a few seconds.',
    });
  });
});

describe('the message of stale data', () => {
  it('says that no refresh has succeeded where the store says so', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now());
    await cache.latest();
    await clock.advance(151_000);
    await expect(cache.latest()).rejects.toMatchObject({
      code: 'snapshot_stale',
      message: expect.stringContaining('no newer refresh has succeeded'),
      details: { ageSeconds: 151 },
    });
  });

  it('blames no refresh while the store cannot be asked', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now());
    await cache.latest();
    source.failLatest = true;
    await clock.advance(151_000);
    await expect(cache.latest()).rejects.toMatchObject({
      code: 'snapshot_stale',
      message: expect.stringContaining('cannot be read at the moment'),
      details: { ageSeconds: 151 },
    });
  });
});

describe('a paging link', () => {
  async function linked() {
    const rig = setup();
    const old = await rig.source.publish(rig.clock.now());
    rig.source.take();
    return { ...rig, old };
  }

  it.each(['failFind', 'failRead'] as const)('is a 502 while the store fails (%s)', async (trouble) => {
    const { source, cache, old, problems } = await linked();
    source[trouble] = true;
    await expect(cache.byId(old.id)).rejects.toMatchObject({
      code: 'snapshot_missing',
      message: expect.stringContaining('cannot be read at the moment'),
    });
    expect(problems).toEqual(['A snapshot of a link could not be loaded']);
  });

  it('works again when the store does', async () => {
    const { clock, source, cache, old } = await linked();
    source.failRead = true;
    await codeOf(cache.byId(old.id));
    source.failRead = false;
    await clock.advance(1_000);
    expect((await cache.byId(old.id)).manifest.id).toBe(old.id);
  });

  it('is a 410 when a chunk has expired in between, read once for several requests', async () => {
    const { source, cache, old } = await linked();
    source.lose(old, 'base');
    for (let n = 0; n < 10; n++) {
      await expect(cache.byId(old.id)).rejects.toMatchObject({
        code: 'snapshot_gone',
        message: expect.stringContaining('no longer whole'),
      });
    }
    expect(source.take().filter((call) => call === 'read')).toHaveLength(1);
  });

  it('is a 410 without a cause when the snapshot is simply no longer kept', async () => {
    const { clock, cache, problems } = await linked();
    await expect(cache.byId(snapshotId(clock.now(), Math.random))).rejects.toMatchObject({
      code: 'snapshot_gone',
      cause: undefined,
    });
    expect(problems).toEqual([]);
  });
});

describe('a snapshot from the far future', () => {
  it('is not served: nobody can tell its age', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now() + HOUR_MS);
    await expect(cache.latest()).rejects.toMatchObject({
      code: 'snapshot_stale',
      message: expect.stringContaining('in the future'),
    });
    expect(source.take()).toEqual(['latest']);
  });

  it('does not take the place of one that is fresh', async () => {
    const { clock, source, cache } = setup();
    const good = await source.publish(clock.now());
    await cache.latest();
    await source.publish(clock.now() + HOUR_MS);
    await clock.advance(5_000);
    expect((await cache.latest()).manifest.id).toBe(good.id);
  });

  it('gives way to one with an earlier time, also where it is held', async () => {
    const { clock, source, cache } = setup();
    await source.publish(clock.now() + 240_000);
    await cache.latest();
    source.losePointer();
    const good = await source.publish(clock.now());
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
    await source.publish(clock.now(), 3);
    const slow = cache.latest();
    await clock.advance(5_000);
    source.pause = Promise.resolve();
    const newer = await source.publish(clock.now(), 2);
    expect((await cache.latest()).manifest.id).toBe(newer.id);
    release();
    expect((await slow).manifest.id).toBe(newer.id);
    expect((await cache.latest()).view.length).toBe(2);
  });
});
