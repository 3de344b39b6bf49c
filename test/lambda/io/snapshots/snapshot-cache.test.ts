import { describe, expect, it } from '@jest/globals';
import { encodeMarkets, splitLines } from '../../../../lambda/core/domain/market-lines.ts';
import type { ServiceError } from '../../../../lambda/core/domain/service-error.ts';
import type { SearchIndex } from '../../../../lambda/core/search/search-index.ts';
import { SnapshotCache } from '../../../../lambda/io/snapshots/snapshot-cache.ts';
import type { SnapshotManifest } from '../../../../lambda/io/snapshots/snapshot-items.ts';
import { BrokenSnapshotError } from '../../../../lambda/io/snapshots/snapshot-items.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { AS_OF, testManifest, testMarkets } from '../../../support/markets.ts';

type Fault = 'latest' | 'manifestOf' | 'read' | 'broken';

/** The table of snapshots as a reader shows it, with switches for its faults. */
class FakeReader {
  readonly faults = new Set<Fault>();
  readonly #manifests = new Map<string, SnapshotManifest>();
  #calls: string[] = [];
  #latest: SnapshotManifest | undefined;
  /** Reads of lines end when it is resolved. */
  gate: Promise<void> = Promise.resolve();

  publish(asOf: number, markets = 3): string {
    this.#latest = testManifest(testMarkets(markets), asOf);
    this.#manifests.set(this.#latest.id, this.#latest);
    return this.#latest.id;
  }

  async latest() {
    this.#call('latest');
    return this.#latest;
  }

  async manifestOf(id: string) {
    this.#call('manifestOf');
    return this.#manifests.get(id);
  }

  async read({ markets }: SnapshotManifest) {
    this.#call('read');
    if (this.faults.has('broken')) throw new BrokenSnapshotError('An item is missing');
    await this.gate;
    return splitLines(encodeMarkets(testMarkets(markets)));
  }

  async lastFailure() {
    return undefined;
  }

  /** The calls since the last time. */
  take(): string[] {
    return this.#calls.splice(0);
  }

  #call(name: 'latest' | 'manifestOf' | 'read'): void {
    this.#calls.push(name);
    if (this.faults.has(name)) throw new Error(`The table fails: ${name}`);
  }
}

function setup(olderCacheSize?: number) {
  const clock = new ManualClock(AS_OF);
  const reader = new FakeReader();
  const problems: string[] = [];
  const logger = { warn: (message: string) => void problems.push(message) };
  return {
    clock,
    reader,
    problems,
    cache: new SnapshotCache({ reader, clock, logger, olderCacheSize }),
  };
}

/** The code of the error, or `served`. */
const codeOf = (loading: Promise<unknown>) =>
  loading.then(() => 'served').catch(({ code }: ServiceError) => code);

const expectError = (
  loading: Promise<unknown>,
  code: string,
  message: RegExp,
  retryAfterSeconds?: number,
) =>
  expect(loading).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
    retryAfterSeconds,
  });

/** A container that has loaded the newest snapshot. */
async function loaded(olderCacheSize?: number) {
  const rig = setup(olderCacheSize);
  const id = rig.reader.publish(AS_OF);
  await rig.cache.latest();
  rig.reader.take();
  return { ...rig, id };
}

describe('the newest snapshot of a container', () => {
  it('is missing before the first refresh, and the error says when to try again', async () => {
    const { cache } = setup();
    await expectError(
      cache.latest(),
      'snapshot_missing',
      /no market data yet.*Try again in 10 seconds/,
      10,
    );
  });

  it('is loaded once for all requests, and again only when it has changed', async () => {
    const { clock, reader, cache } = setup();
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

  it('is served for 150 s, then 502 with its age and the time to try again [sentences 6, 35]', async () => {
    const { clock, reader, cache } = await loaded();
    await clock.advance(150_000);
    expect(await codeOf(cache.latest())).toBe('served');
    await clock.advance(1);
    const message = /151 s old.*no newer refresh has succeeded.*Try again in 60 seconds/;
    await expectError(cache.latest(), 'snapshot_stale', message, 60);
    reader.publish(clock.now());
    expect(await codeOf(cache.latest())).toBe('served');
  });

  it('is not loaded when it could not be served, and the error names its age', async () => {
    const { clock, reader, cache } = await loaded();
    await clock.advance(200_000);
    reader.publish(clock.now() - 160_000);
    await expect(cache.latest()).rejects.toThrow('160 s old');
    expect(reader.take()).toEqual(['latest']);
  });

  it('from a clock far ahead is not served and does not replace a fresh one', async () => {
    const { clock, reader, cache } = setup();
    reader.publish(AS_OF + 3_600_000);
    await expectError(cache.latest(), 'snapshot_stale', /in the future/, 60);
    const good = reader.publish(AS_OF);
    await cache.latest();
    reader.publish(AS_OF + 3_600_000);
    await clock.advance(5_000);
    expect((await cache.latest()).info.id).toBe(good);
  });

  it('warms up without an unhandled rejection', async () => {
    const { reader, cache } = setup();
    reader.faults.add('latest');
    cache.warm();
    await new Promise(setImmediate);
    expect(reader.take()).toEqual(['latest']);
  });

  it('has its search index before a request searches', async () => {
    const { clock, reader } = setup();
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
    const { clock, reader, cache } = await loaded();
    await clock.advance(5_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    reader.gate = promise;
    reader.publish(clock.now(), 1);
    const slow = cache.latest();
    await clock.advance(5_000);
    reader.gate = Promise.resolve();
    const newest = reader.publish(clock.now(), 2);
    expect((await cache.latest()).info.id).toBe(newest);
    resolve();
    expect((await slow).info.id).toBe(newest);
    expect((await cache.latest()).info.id).toBe(newest);
  });
});

describe('a table that fails', () => {
  it('does not stop the service while the snapshot in memory may be served, and is logged every 10 s', async () => {
    const { clock, reader, cache, problems } = await loaded();
    reader.faults.add('latest');
    for (const logged of [1, 1, 2]) {
      await clock.advance(5_000);
      expect(await codeOf(cache.latest())).toBe('served');
      expect(problems).toEqual(
        Array(logged).fill('The container could not read the newest snapshot'),
      );
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
      const { clock, reader, cache } = setup();
      reader.publish(AS_OF);
      reader.faults.add(fault);
      await expectError(cache.latest(), 'snapshot_missing', /cannot be read at the moment/, 5);
      reader.faults.clear();
      await clock.advance(1_000);
      expect(await codeOf(cache.latest())).toBe('served');
    },
  );

  it('keeps the former snapshot while the new one is broken, and reads it at most once a second', async () => {
    const { clock, reader, cache, id: former } = await loaded();
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

describe('a snapshot by its id', () => {
  it('is loaded once for all requests, even if the container keeps none', async () => {
    const { reader, cache } = setup(0);
    const [a, b] = [reader.publish(AS_OF), reader.publish(AS_OF + 1)];
    const snapshots = await Promise.all([a, a, b].map((id) => cache.byId(id)));
    expect(snapshots.map(({ info }) => info.id)).toEqual([a, a, b]);
    expect(reader.take().toSorted()).toEqual(['manifestOf', 'manifestOf', 'read', 'read']);
  });

  // By default, a container keeps no older snapshots.
  it.each([
    [undefined, 0],
    [2, 2],
  ])('is one of at most %s others in memory', async (olderCacheSize, kept) => {
    const { clock, reader, cache } = setup(olderCacheSize);
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      ids.push(reader.publish(clock.now()));
      await cache.latest();
      await clock.advance(60_000);
    }
    reader.take();
    for (const id of ids.slice(0, -1).toReversed().slice(0, kept)) await cache.byId(id);
    expect(reader.take()).toEqual([]);
    await cache.byId(ids.at(-2 - kept) ?? '');
    expect(reader.take()).toEqual(['manifestOf', 'read']);
  });

  it('is kept when it was the newest, whatever other snapshots were read meanwhile', async () => {
    const { clock, reader, cache } = setup(1);
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
    const { clock, reader, cache } = setup();
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
      const { clock, reader, cache, problems } = setup();
      const id = reader.publish(AS_OF);
      reader.faults.add(fault);
      await expect(cache.byId(id)).rejects.toMatchObject({
        code: 'snapshot_missing',
        retryAfterSeconds: 5,
      });
      expect(problems).toEqual(['The container could not read a snapshot by its id']);
      reader.faults.clear();
      expect(await codeOf(cache.byId(reader.publish(AS_OF + 1)))).toBe('served');
      await clock.advance(1_000);
      expect(await codeOf(cache.byId(id))).toBe('served');
    },
  );

  it('is 410 when it is broken, read once for several requests', async () => {
    const { reader, cache } = setup();
    const id = reader.publish(AS_OF);
    reader.faults.add('broken');
    for (let n = 0; n < 3; n += 1)
      await expectError(cache.byId(id), 'snapshot_gone', /can no longer be read/);
    expect(reader.take()).toEqual(['manifestOf', 'read']);
  });
});
