import { LRUCache } from 'lru-cache';
import { ageSeconds, isServable } from '../domain/freshness.ts';
import { ServiceError } from '../domain/service-error.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { LogThrottle } from '../platform/log-throttle.ts';
import type { Log } from '../platform/telemetry.ts';
import { MarketSnapshot } from '../query/market-snapshot.ts';
import type { SearchIndexer } from '../search/search-index.ts';
import { LatestPointer } from './latest-pointer.ts';
import { BrokenSnapshotError, goneError, missingError, staleError, unreadableError } from './snapshot-errors.ts';
import type { Manifest } from './snapshot-items.ts';
import { SnapshotReader, type SnapshotReaderOptions } from './snapshot-reader.ts';

/** The snapshots as an endpoint uses them. */
export type Snapshots = Pick<SnapshotCache, 'latest' | 'byId'>;

export interface SnapshotCacheOptions {
  readonly reader: Pick<SnapshotReader, 'latest' | 'find' | 'read' | 'lastFailure'>;
  readonly clock: Clock;
  /** Receives each failed read, also if the cache could still respond. */
  readonly logger: Pick<Log, 'warn'>;
  /** Only functions that search have one. */
  readonly indexer?: SearchIndexer | undefined;
  /** Older snapshots in memory, for paging links. Each takes about 5 MB per 2,000 markets. @default 0 */
  readonly olderCacheSize?: number | undefined;
}

/** Pause after a snapshot could not be loaded: a broken one stays broken, and more reads do not help a throttled table. */
const RETRY_LOAD_MS = 1_000;
/** During an outage of the table every request fails. Each container logs each problem at most once per interval. */
const LOG_INTERVAL_MS = 10_000;

/** The snapshots of one container. Each is loaded once, however many requests wait for it. */
export class SnapshotCache {
  readonly pointer: LatestPointer;
  readonly #options: SnapshotCacheOptions;
  readonly #loaded: LRUCache<string, MarketSnapshot, Manifest | undefined>;
  readonly #throttle: LogThrottle;
  #newest: MarketSnapshot | undefined;
  #failed: { readonly id: string; readonly error: unknown; readonly until: number } | undefined;

  constructor(options: SnapshotCacheOptions) {
    this.#options = options;
    this.pointer = new LatestPointer(options.reader, options.clock);
    this.#throttle = new LogThrottle(options.clock, LOG_INTERVAL_MS);
    this.#loaded = new LRUCache({
      max: 1 + (options.olderCacheSize ?? 0),
      fetchMethod: (id, _stale, { context }) => this.#load(id, context),
      // A load that other snapshots evict still gives its requests their snapshot.
      ignoreFetchAbort: true,
    });
  }

  /** Begins to load while the function starts, when Lambda gives it a full CPU. The first request repeats a failed load. */
  warm(): void {
    this.latest().catch(() => undefined);
  }

  /** @throws ServiceError `snapshot_missing` or `snapshot_stale` (502) when no snapshot is fresh enough */
  async latest(): Promise<MarketSnapshot> {
    let failure: unknown;
    try {
      const manifest = await this.pointer.current();
      if (manifest && manifest.id !== this.#newest?.info.id) await this.#follow(manifest);
    } catch (error) {
      failure = error;
      this.#log('The newest snapshot could not be read', error);
    }
    const newest = this.#newest;
    if (newest && this.#isServable(newest.info)) return newest;
    const known: Pick<Manifest, 'asOf'> | undefined = failure
      ? (newest?.info ?? this.pointer.known)
      : this.pointer.known;
    if (!known) throw failure ? unreadableError(failure) : missingError();
    if (!newest && this.#isServable(known)) throw unreadableError(failure);
    throw staleError(known.asOf, this.#options.clock.now(), failure);
  }

  /**
   * @throws ServiceError `snapshot_gone` (410) when the snapshot has expired or is broken, `snapshot_missing` (502) when
   *   the table cannot be read
   */
  async byId(id: string): Promise<MarketSnapshot> {
    try {
      const snapshot = this.#newest?.info.id === id ? this.#newest : await this.#fetch(id);
      if (snapshot.info.expiresAt * 1_000 <= this.#options.clock.now()) throw goneError();
      return snapshot;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      this.#log('A snapshot could not be read by its id', error);
      throw error instanceof BrokenSnapshotError ? goneError(error) : unreadableError(error);
    }
  }

  /** Loads what the pointer names, unless no request could use it. */
  async #follow(manifest: Manifest): Promise<void> {
    if (!this.#isServable(manifest)) return;
    // Paging links continue to read the previous snapshot.
    if (this.#newest) this.#loaded.set(this.#newest.info.id, this.#newest);
    const loaded = await this.#fetch(manifest.id, manifest);
    // Of two loads at once the older may end last. The pointer decides, not the times: a snapshot from a clock far ahead
    // gives way to one with an earlier time.
    if (this.#newest && this.#newest.info.id === this.pointer.known?.id) return;
    this.#newest = loaded;
  }

  /** @throws what the last load of this snapshot threw, while it is too early for another */
  async #fetch(id: string, manifest?: Manifest): Promise<MarketSnapshot> {
    const { clock } = this.#options;
    if (this.#failed?.id === id && clock.now() < this.#failed.until) throw this.#failed.error;
    try {
      const loaded = await this.#loaded.fetch(id, { context: manifest });
      if (!loaded) throw goneError();
      return loaded;
    } catch (error) {
      if (!(error instanceof ServiceError)) this.#failed = { id, error, until: clock.now() + RETRY_LOAD_MS };
      throw error;
    }
  }

  async #load(id: string, known: Manifest | undefined): Promise<MarketSnapshot | undefined> {
    const { reader, indexer } = this.#options;
    const manifest = known ?? (await reader.find(id));
    return manifest && new MarketSnapshot(manifest, await reader.read(manifest), indexer);
  }

  #log(message: string, error: unknown): void {
    if (this.#throttle.allow(message)) this.#options.logger.warn(message, { error });
  }

  #isServable({ asOf }: Pick<Manifest, 'asOf'>): boolean {
    return isServable(ageSeconds(asOf, this.#options.clock.now()));
  }
}

/** The snapshots of a function that responds from them. */
export function createSnapshotCache({
  client,
  table,
  ...options
}: Omit<SnapshotReaderOptions, 'now'> & Omit<SnapshotCacheOptions, 'reader' | 'clock'>): SnapshotCache {
  const reader = new SnapshotReader({ client, table, now: systemClock.now });
  return new SnapshotCache({ ...options, reader, clock: systemClock });
}
