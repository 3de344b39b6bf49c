/** The snapshots (all markets with their prices at one time) in a container's memory. */
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../core/domain/service-error.ts';
import { ageSeconds, isServable, toUnixMs, type UnixMs } from '../../core/domain/time.ts';
import { MarketSnapshot } from '../../core/query/market-snapshot.ts';
import type { SearchIndex } from '../../core/search/search-index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Log, LogThrottle } from '../platform/telemetry.ts';
import { LatestPointer } from './latest-pointer.ts';
import { goneError, missingError, staleError, unreadableError } from './snapshot-errors.ts';
import { BrokenSnapshotError, type SnapshotManifest } from './snapshot-manifest.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

/** What endpoints use of the cache. */
export type Snapshots = Pick<SnapshotCache, 'latest' | 'byId'>;

export interface SnapshotCacheOptions {
  /** Reads the table. The pointer uses `latest` and `lastFailure`. */
  readonly reader: Pick<SnapshotReader, 'latest' | 'manifestOf' | 'read' | 'lastFailure'>;
  readonly clock: Clock;
  readonly logger: Pick<Log, 'warn'>;
  /** Only for functions that search. */
  readonly searchIndex?: SearchIndex | undefined;
  /**
   * How many older snapshots stay in memory, for paging links: 5 MB each per 2,000 markets.
   *
   * @default 0
   */
  readonly olderCacheSize?: number | undefined;
}

/**
 * The pause after a failed load. A broken snapshot stays broken, and more reads would not help a
 * throttled table.
 */
const RETRY_LOAD_MS = 1_000;
/**
 * If the table does not respond, every request fails. Each container logs each problem at most once
 * per interval.
 */
const LOG_INTERVAL_MS = 10_000;

/**
 * Serves the newest snapshot, and older ones that paging links name, from memory. Loads each
 * snapshot once for all requests that wait for it. Its pointer says which snapshot is the newest.
 */
export class SnapshotCache {
  /** Public for the status tool of `/mcp`, which reads only manifests. */
  readonly pointer: LatestPointer;
  readonly #options: SnapshotCacheOptions;
  readonly #cache: LRUCache<string, MarketSnapshot, SnapshotManifest | undefined>;
  readonly #throttle: LogThrottle;
  /** The newest snapshot that is loaded. The pointer may already name a newer one. */
  #newest: MarketSnapshot | undefined;
  /** The last load that failed. */
  #failedLoad: { readonly id: string; readonly error: unknown; readonly until: UnixMs } | undefined;

  constructor(options: SnapshotCacheOptions) {
    this.#options = options;
    this.pointer = new LatestPointer(options.reader, options.clock);
    this.#throttle = new LogThrottle(options.clock, LOG_INTERVAL_MS);
    this.#cache = new LRUCache({
      // The newest snapshot is loaded through the cache, too.
      max: 1 + (options.olderCacheSize ?? 0),
      fetchMethod: (id, _stale, { context }) => this.#readFromTable(id, context),
      // An evicted load still gives its requests their snapshot.
      ignoreFetchAbort: true,
    });
  }

  /**
   * Loads the newest snapshot while the function starts, when Lambda gives it a full CPU. The first
   * request repeats a failed load.
   */
  warm(): void {
    this.latest().catch(() => undefined);
  }

  /**
   * The newest snapshot.
   *
   * @throws ServiceError `snapshot_missing` or `snapshot_stale` (502) if no snapshot is fresh
   * enough
   */
  async latest(): Promise<MarketSnapshot> {
    let failure: unknown;
    try {
      const manifest = await this.pointer.current();
      if (manifest && manifest.id !== this.#newest?.info.id) await this.#loadNewest(manifest);
    } catch (error) {
      failure = error;
      this.#log('The container could not read the newest snapshot', error);
    }
    if (this.#newest && this.#isServable(this.#newest.info)) return this.#newest;
    throw this.#unavailable(failure);
  }

  /**
   * A snapshot by its id, as paging links name it.
   *
   * @throws ServiceError `snapshot_gone` (410) if the snapshot has expired or is broken, or
   * `snapshot_missing` (502) if the table cannot be read
   */
  async byId(id: string): Promise<MarketSnapshot> {
    try {
      const snapshot = this.#newest?.info.id === id ? this.#newest : await this.#loadOnce(id);
      if (this.#hasExpired(snapshot.info)) throw goneError();
      return snapshot;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      this.#log('The container could not read a snapshot by its id', error);
      throw error instanceof BrokenSnapshotError ? goneError(error) : unreadableError(error);
    }
  }

  /**
   * The error for callers if no snapshot is fresh enough.
   *
   * @param failure why this container could not read the newest snapshot; undefined if it could
   */
  #unavailable(failure: unknown): ServiceError {
    const loaded = this.#newest?.info;
    const { known } = this.pointer;
    // After a failure, callers learn the age of the loaded snapshot, if there is one.
    const newest = failure ? (loaded ?? known) : known;
    if (!newest) return failure ? unreadableError(failure) : missingError();
    // The table has fresh data, but this container could not load it.
    if (!loaded && this.#isServable(newest)) return unreadableError(failure);
    return staleError(newest.asOf, this.#options.clock.now(), failure);
  }

  /** Loads the snapshot that the pointer names, unless it is too old for any request. */
  async #loadNewest(manifest: SnapshotManifest): Promise<void> {
    if (!this.#isServable(manifest)) return;
    // Paging links continue to read the previous snapshot.
    if (this.#newest) this.#cache.set(this.#newest.info.id, this.#newest);
    const loaded = await this.#loadOnce(manifest.id, manifest);
    // Meanwhile a parallel load may have set `#newest` to the snapshot that the pointer now names.
    // This older one must not replace it. `asOf` cannot decide which is newer, because the clock of
    // a refresher may be far ahead.
    if (this.#newest && this.#newest.info.id === this.pointer.known?.id) return;
    // A new container indexes here, while it starts with a full CPU.
    this.#options.searchIndex?.prepare(loaded.markets);
    this.#newest = loaded;
  }

  /**
   * A snapshot from memory, or from the table if no request has loaded it.
   *
   * @throws the error of the last load of this snapshot, during the pause after it
   */
  async #loadOnce(id: string, manifest?: SnapshotManifest): Promise<MarketSnapshot> {
    const { clock } = this.#options;
    if (this.#failedLoad?.id === id && clock.now() < this.#failedLoad.until)
      throw this.#failedLoad.error;
    let loaded: MarketSnapshot | undefined;
    try {
      loaded = await this.#cache.fetch(id, { context: manifest });
    } catch (error) {
      this.#failedLoad = { id, error, until: clock.now() + RETRY_LOAD_MS };
      throw error;
    }
    // A missing snapshot needs no pause, because the table has not failed. `#failedLoad` holds
    // only one snapshot, and an expired link must not end the pause of the newest one.
    if (!loaded) throw goneError();
    return loaded;
  }

  /** Reads a snapshot whose manifest may be `known`. @returns undefined if it does not exist */
  async #readFromTable(
    id: string,
    known: SnapshotManifest | undefined,
  ): Promise<MarketSnapshot | undefined> {
    const { reader, searchIndex } = this.#options;
    const manifest = known ?? (await reader.manifestOf(id));
    if (!manifest || this.#hasExpired(manifest)) return undefined;
    return new MarketSnapshot(manifest, await reader.read(manifest), searchIndex);
  }

  #log(message: string, error: unknown): void {
    if (this.#throttle.allow(message)) this.#options.logger.warn(message, { error });
  }

  #hasExpired({ expiresAt }: Pick<SnapshotManifest, 'expiresAt'>): boolean {
    return toUnixMs(expiresAt) <= this.#options.clock.now();
  }

  #isServable({ asOf }: Pick<SnapshotManifest, 'asOf'>): boolean {
    return isServable(ageSeconds(asOf, this.#options.clock.now()));
  }
}
