import { describe, expect, it } from '@jest/globals';
import type { SearchIndex } from '../../../../lambda/core/search/search-index.ts';
import { SnapshotCache } from '../../../../lambda/io/snapshots/snapshot-cache.ts';
import { AS_OF } from '../../../support/markets.ts';
import { cacheRig, codeOf, expectError, type Fault, loadedCache } from './cache-rig.ts';

// A container of the API keeps the newest snapshot in memory. While it is fresh, the container
// looks for a newer one at most every 5 s. A fake reader of the table notes its calls: `latest` for
// the pointer to the newest snapshot, `read` for a snapshot. `take` returns those since the last
// `take`.
describe('the newest snapshot of a container', () => {
  it('is missing before the first refresh', async () => {
    const { cache } = cacheRig();
    await expectError(
      cache.latest(),
      'snapshot_missing',
      /no market data yet.*Try again in 10 seconds/,
      10,
    );
  });

  it('is loaded once for all requests, and again only when it has changed', async () => {
    const { clock, reader, cache } = cacheRig();
    reader.publish(AS_OF);
    const [one, other] = await Promise.all([cache.latest(), cache.latest()]);
    expect(one).toBe(other);
    expect(reader.take()).toEqual(['latest', 'read']);
    await clock.advance(5_000);
    await cache.latest();
    expect(reader.take()).toEqual(['latest']);
    const id = reader.publish(clock.now());
    await clock.advance(5_000);
    expect((await cache.latest()).info.id).toBe(id);
    expect(reader.take()).toEqual(['latest', 'read']);
  });

  it('is served for 150 s, and is then a 502 with its age [sentences 6, 35]', async () => {
    const { clock, reader, cache } = await loadedCache();
    await clock.advance(150_000);
    expect(await codeOf(cache.latest())).toBe('served');
    await clock.advance(1);
    const message = /151 s old.*no newer refresh has succeeded.*Try again in 60 seconds/;
    await expectError(cache.latest(), 'snapshot_stale', message, 60);
    reader.publish(clock.now());
    expect(await codeOf(cache.latest())).toBe('served');
  });

  it('is not loaded when it could not be served, and the error names its age', async () => {
    const { clock, reader, cache } = await loadedCache();
    await clock.advance(200_000);
    reader.publish(clock.now() - 160_000);
    await expect(cache.latest()).rejects.toThrow('160 s old');
    expect(reader.take()).toEqual(['latest']);
  });

  it('from a clock far ahead is not served and does not replace a fresh one', async () => {
    const { clock, reader, cache } = cacheRig();
    reader.publish(AS_OF + 3_600_000);
    await expectError(cache.latest(), 'snapshot_stale', /in the future/, 60);
    const good = reader.publish(AS_OF);
    await cache.latest();
    reader.publish(AS_OF + 3_600_000);
    await clock.advance(5_000);
    expect((await cache.latest()).info.id).toBe(good);
  });

  it('warms up without an unhandled rejection', async () => {
    const { reader, cache } = cacheRig();
    reader.faults.add('latest');
    cache.warm();
    await new Promise(setImmediate);
    expect(reader.take()).toEqual(['latest']);
  });

  it('has its search index before a request searches', async () => {
    const { clock, reader } = cacheRig();
    /** The numbers of markets in the snapshots that were indexed. */
    const indexed: number[] = [];
    const prepare = (markets: readonly unknown[]) => void indexed.push(markets.length);
    const searchIndex = { prepare } as unknown as SearchIndex;
    const cache = new SnapshotCache({ reader, clock, logger: { warn() {} }, searchIndex });
    reader.publish(AS_OF, 2);
    await cache.latest();
    await cache.latest();
    expect(indexed).toEqual([2]);
  });

  it('is not replaced by an older one whose load ended later', async () => {
    const { clock, reader, cache } = await loadedCache();
    await clock.advance(5_000);
    const slowRead = Promise.withResolvers<void>();
    // Reads wait for this promise.
    reader.gate = slowRead.promise;
    reader.publish(clock.now(), 1);
    const slow = cache.latest();
    await clock.advance(5_000);
    reader.gate = Promise.resolve();
    const newest = reader.publish(clock.now(), 2);
    expect((await cache.latest()).info.id).toBe(newest);
    slowRead.resolve();
    expect((await slow).info.id).toBe(newest);
    expect((await cache.latest()).info.id).toBe(newest);
  });
});

describe('a table that fails', () => {
  it('is logged every 10 s while the snapshot in memory is served', async () => {
    const { clock, reader, cache, problems } = await loadedCache();
    reader.faults.add('latest');
    // How many lines the log has after 5, 10 and 15 s.
    for (const logged of [1, 1, 2]) {
      await clock.advance(5_000);
      expect(await codeOf(cache.latest())).toBe('served');
      const message = 'The container could not read the newest snapshot';
      expect(problems).toEqual(Array(logged).fill(message));
    }
    // 15 s have passed. The snapshot becomes 151 s old.
    await clock.advance(136_000);
    await expectError(
      cache.latest(),
      'snapshot_stale',
      /151 s old.*cannot be read.*Try again in 5 seconds/,
      5,
    );
  });

  it.each<Fault>(['latest', 'read', 'broken'])(
    'is 502 for a container without a snapshot (%s)',
    async (fault) => {
      const { clock, reader, cache } = cacheRig();
      reader.publish(AS_OF);
      reader.faults.add(fault);
      await expectError(cache.latest(), 'snapshot_missing', /cannot be read at the moment/, 5);
      reader.faults.clear();
      await clock.advance(1_000);
      expect(await codeOf(cache.latest())).toBe('served');
    },
  );

  it('with a broken new snapshot shows the former one, and is read once a second', async () => {
    const { clock, reader, cache, id: former } = await loadedCache();
    await clock.advance(5_000);
    reader.publish(clock.now());
    reader.faults.add('broken');
    reader.take();
    for (let n = 0; n < 5; n += 1) expect((await cache.latest()).info.id).toBe(former);
    expect(reader.take()).toEqual(['latest', 'read']);
    await clock.advance(999);
    await cache.latest();
    expect(reader.take()).not.toContain('read');
    await clock.advance(1);
    await cache.latest();
    expect(reader.take()).toContain('read');
  });
});
