import { describe, expect, it } from '@jest/globals';
import { SnapshotCache } from '../../../../lambda/io/snapshots/snapshot-cache.ts';
import { AS_OF } from '../../../support/markets.ts';
import { cacheRig, codeOf, expectError, type Fault } from './cache-rig.ts';

// The links to further pages of a list name a snapshot by its id, so that all pages show the same
// data. A container reads it from the table, unless it is the newest one, which is in memory.
describe('a snapshot by its id', () => {
  it('is loaded once for all requests, even if the container keeps none', async () => {
    const { reader, cache } = cacheRig({ olderCacheSize: 0 });
    const [a, b] = [reader.publish(AS_OF), reader.publish(AS_OF + 1)];
    const snapshots = await Promise.all([a, a, b].map((id) => cache.byId(id)));
    expect(snapshots.map(({ info }) => info.id)).toEqual([a, a, b]);
    expect(reader.take().toSorted()).toEqual(['manifestOf', 'manifestOf', 'read', 'read']);
  });

  /** A container that has served four snapshots, one a minute. @returns also their ids */
  async function rigAfterFour(options?: Parameters<typeof cacheRig>[0]) {
    const rig = cacheRig(options);
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      ids.push(rig.reader.publish(rig.clock.now()));
      await rig.cache.latest();
      await rig.clock.advance(60_000);
    }
    rig.reader.take();
    return { ...rig, ids: ids as [string, string, string, string] };
  }

  it('is read again after a newer one: by default, a container keeps only the newest', async () => {
    const { reader, cache, ids } = await rigAfterFour();
    await cache.byId(ids[2]);
    expect(reader.take()).toEqual(['manifestOf', 'read']);
  });

  it('is in memory if it is one of as many older ones as the container keeps', async () => {
    const { reader, cache, ids } = await rigAfterFour({ olderCacheSize: 2 });
    await cache.byId(ids[2]);
    await cache.byId(ids[1]);
    expect(reader.take()).toEqual([]);
    await cache.byId(ids[0]);
    expect(reader.take()).toEqual(['manifestOf', 'read']);
  });

  // The links that callers have just received name that snapshot.
  it('is in memory if it was the newest until now, even if others were read since', async () => {
    const { clock, reader, cache } = cacheRig({ olderCacheSize: 1 });
    const others = [reader.publish(AS_OF - 2), reader.publish(AS_OF - 1)];
    const former = reader.publish(AS_OF);
    await cache.latest();
    for (const id of others) await cache.byId(id);
    reader.publish(AS_OF + 1);
    await clock.advance(5_000);
    await cache.latest();
    reader.take();
    await cache.byId(former);
    expect(reader.take()).toEqual([]);
  });

  it('is 410 after its hour, even when it is in memory, and when it never existed', async () => {
    const { clock, reader, cache } = cacheRig();
    const id = reader.publish(AS_OF);
    await cache.byId(id);
    await clock.advance(3_599_999);
    expect(await codeOf(cache.byId(id))).toBe('served');
    await clock.advance(1);
    await expectError(cache.byId(id), 'snapshot_gone', /no longer kept/);
    // DynamoDB deletes later. Another container does not read the markets.
    reader.take();
    const other = new SnapshotCache({ reader, clock, logger: { warn() {} } });
    await expectError(other.byId(id), 'snapshot_gone', /no longer kept/);
    expect(reader.take()).toEqual(['manifestOf']);
    expect(await codeOf(cache.byId('20200101T000000000Z-00000000'))).toBe('snapshot_gone');
  });

  it.each<Fault>(['manifestOf', 'read'])(
    'is 502 while the table fails (%s), and then served',
    async (fault) => {
      const { clock, reader, cache, problems } = cacheRig();
      const id = reader.publish(AS_OF);
      reader.faults.add(fault);
      await expect(cache.byId(id)).rejects.toMatchObject({
        code: 'snapshot_missing',
        retryAfterSeconds: 5,
      });
      expect(problems).toEqual(['The container could not read a snapshot by its id']);
      reader.faults.clear();
      // For a second, the container does not read this snapshot again, only others.
      expect(await codeOf(cache.byId(reader.publish(AS_OF + 1)))).toBe('served');
      await clock.advance(1_000);
      expect(await codeOf(cache.byId(id))).toBe('served');
    },
  );

  it('is 410 when it is broken, read once for several requests', async () => {
    const { reader, cache } = cacheRig();
    const id = reader.publish(AS_OF);
    reader.faults.add('broken');
    for (let n = 0; n < 3; n += 1)
      await expectError(cache.byId(id), 'snapshot_gone', /can no longer be read/);
    expect(reader.take()).toEqual(['manifestOf', 'read']);
  });
});
