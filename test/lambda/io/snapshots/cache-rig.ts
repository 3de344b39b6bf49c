import { expect } from '@jest/globals';
import { encodeMarkets, splitLines } from '../../../../lambda/core/domain/market-lines.ts';
import type { ServiceError } from '../../../../lambda/core/domain/service-error.ts';
import { SnapshotCache } from '../../../../lambda/io/snapshots/snapshot-cache.ts';
import {
  BrokenSnapshotError,
  type SnapshotManifest,
} from '../../../../lambda/io/snapshots/snapshot-manifest.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { AS_OF, testManifest, testMarkets } from '../../../support/markets.ts';

/*
 * A container of the API keeps snapshots in a cache, so that it need not read the table for each
 * request. For example, it loads the newest one once:
 *
 *     const { reader, cache } = cacheRig();
 *     const id = reader.publish(AS_OF);
 *     expect((await cache.latest()).info.id).toBe(id);
 *     expect(reader.take()).toEqual(['latest', 'read']);
 */

/** What a test can break: one of the calls to the table, or (`broken`) the stored snapshots. */
export type Fault = 'latest' | 'manifestOf' | 'read' | 'broken';

/** Takes the place of `SnapshotReader`, which reads the table of snapshots. */
class FakeReader {
  readonly faults = new Set<Fault>();
  /** Reads of snapshots end after it is resolved. */
  gate: Promise<void> = Promise.resolve();
  readonly #manifests = new Map<string, SnapshotManifest>();
  readonly #calls: string[] = [];
  #latest: SnapshotManifest | undefined;

  /** Makes a snapshot with this number of markets the newest one. @returns its id */
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

  /** The calls since the last `take`, by the names of the methods. */
  take(): string[] {
    return this.#calls.splice(0);
  }

  #call(name: 'latest' | 'manifestOf' | 'read'): void {
    this.#calls.push(name);
    if (this.faults.has(name)) throw new Error(`The table fails: ${name}`);
  }
}

/** A new container. @param options `olderCacheSize`: how many older snapshots it keeps */
export function cacheRig(options: { readonly olderCacheSize?: number } = {}) {
  const clock = new ManualClock(AS_OF);
  const reader = new FakeReader();
  /** The messages of its log. */
  const problems: string[] = [];
  const logger = { warn: (message: string) => void problems.push(message) };
  return {
    clock,
    reader,
    problems,
    cache: new SnapshotCache({ reader, clock, logger, ...options }),
  };
}

/** A container that has loaded the newest snapshot. */
export async function loadedCache() {
  const rig = cacheRig();
  const id = rig.reader.publish(AS_OF);
  await rig.cache.latest();
  rig.reader.take();
  return { ...rig, id };
}

/** The code of the error, or 'served'. */
export const codeOf = (loading: Promise<unknown>) =>
  loading.then(() => 'served').catch(({ code }: ServiceError) => code);

export const expectError = (
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
