import { ageSeconds, type FreshnessRule, isServable } from '../domain/freshness.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Clock } from '../platform/clock.ts';
import { SingleFlight } from '../platform/single-flight.ts';
import { BrokenSnapshotError } from './broken-snapshot-error.ts';
import type { DecodedSnapshot } from './codec.ts';
import type { Manifest } from './dynamodb-items.ts';
import { FailedLoads } from './failed-loads.ts';
import { LatestPointer } from './latest-pointer.ts';
import { goneError, missingError, staleError, unreadableError } from './snapshot-errors.ts';
import type { SnapshotSource } from './snapshot-reader.ts';

/** A snapshot in memory, in the form its function responds from. */
export interface HeldSnapshot<V> {
  readonly manifest: Manifest;
  readonly view: V;
}

/** The snapshots as an endpoint asks for them. */
export type Snapshots<V> = Pick<SnapshotCache<V>, 'latest' | 'byId'>;

/** The same snapshots in another form, where one function serves several endpoints. */
export function mapSnapshots<V, W>(snapshots: Snapshots<V>, form: (view: V) => W): Snapshots<W> {
  const map = ({ manifest, view }: HeldSnapshot<V>) => ({ manifest, view: form(view) });
  return {
    latest: async () => map(await snapshots.latest()),
    byId: async (id) => map(await snapshots.byId(id)),
  };
}

export interface SnapshotCacheOptions<V> {
  readonly source: SnapshotSource;
  readonly clock: Clock;
  readonly rule: FreshnessRule;
  /** Makes of a loaded snapshot what the function needs; done once a snapshot, not once a request. */
  readonly view: (decoded: DecodedSnapshot) => V;
  /** Older snapshots to hold for walks over pages; each is about 1 MB per 2,000 markets. @default 2 */
  readonly olderHeld?: number;
  /** Told about each failure to load or look, whether or not a response could still be given in spite of it. */
  readonly onProblem?: (message: string, error: unknown) => void;
}

const OLDER_HELD = 2;

/** The decoded snapshots of one container. One load at a time; only a changed version is downloaded. */
export class SnapshotCache<V> {
  readonly #options: SnapshotCacheOptions<V>;
  readonly #pointer: LatestPointer;
  readonly #loads = new SingleFlight<HeldSnapshot<V>>();
  #newest: HeldSnapshot<V> | undefined;
  #older: readonly HeldSnapshot<V>[] = [];
  readonly #failures: FailedLoads;

  constructor(options: SnapshotCacheOptions<V>) {
    this.#options = options;
    this.#pointer = new LatestPointer(options.source, options.clock, options.rule);
    this.#failures = new FailedLoads(options.clock);
  }

  /** Begins loading at module scope, where Lambda lends a full CPU. A failure is met again by the first request. */
  warm(): void {
    this.latest().catch(() => undefined);
  }

  /** @throws ServiceError `snapshot_missing` or `snapshot_stale` (502) when there is nothing fresh to serve */
  async latest(): Promise<HeldSnapshot<V>> {
    const { clock, rule } = this.#options;
    let failure: unknown;
    try {
      const manifest = await this.#pointer.current();
      if (manifest && manifest.id !== this.#newest?.manifest.id) await this.#follow(manifest);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      failure = error;
      this.#options.onProblem?.('The newest snapshot could not be loaded', error);
    }
    if (!this.#newest) throw failure ? unreadableError(failure) : missingError();
    if (!this.#servable(this.#newest.manifest))
      throw staleError(this.#newest.manifest, clock.now(), rule, failure);
    return this.#newest;
  }

  /**
   * @throws ServiceError `snapshot_gone` (410) when the snapshot is no longer kept or whole, `snapshot_missing` (502)
   *   when the store cannot be read
   */
  async byId(id: string): Promise<HeldSnapshot<V>> {
    const held = [this.#newest, ...this.#older].find((snapshot) => snapshot?.manifest.id === id);
    if (held) {
      this.#kept(held.manifest);
      return held;
    }
    try {
      const manifest = this.#kept(await this.#options.source.find(id));
      const loaded = await this.#load(manifest);
      this.#keepOlder(loaded);
      return loaded;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      this.#options.onProblem?.('A snapshot of a link could not be loaded', error);
      throw error instanceof BrokenSnapshotError ? goneError(error) : unreadableError(error);
    }
  }

  /** @throws ServiceError `snapshot_gone` (410) unless it is there and has not expired */
  #kept(manifest: Manifest | undefined): Manifest {
    if (!manifest || manifest.expiresAt * 1_000 <= this.#options.clock.now()) throw goneError();
    return manifest;
  }

  /** Loads what the pointer names; a failure is ignored while the snapshot in memory is still fresh. */
  async #follow(manifest: Manifest): Promise<void> {
    const canWait = this.#newest !== undefined && this.#servable(this.#newest.manifest);
    if (!this.#servable(manifest)) {
      if (canWait) return;
      throw staleError(manifest, this.#options.clock.now(), this.#options.rule);
    }
    if (canWait && this.#failures.recall(manifest.id)) return;
    this.#hold(await this.#load(manifest));
  }

  /** @throws whatever the last load threw, while it is too early for another */
  async #load(manifest: Manifest): Promise<HeldSnapshot<V>> {
    const failure = this.#failures.recall(manifest.id);
    if (failure) throw failure.error;
    const { source, view } = this.#options;
    return await this.#loads.run(manifest.id, async () => {
      try {
        const loaded = { manifest, view: view(await source.read(manifest)) };
        this.#failures.forget(manifest.id);
        return loaded;
      } catch (error) {
        this.#failures.note(manifest.id, error);
        throw error;
      }
    });
  }

  #hold(loaded: HeldSnapshot<V>): void {
    // Of two loads that overlapped, the later to end may be the older. The pointer decides, not the times: a
    // snapshot from a clock far ahead gives way to one with an earlier time.
    if (this.#newest && this.#newest.manifest.id === this.#pointer.latest?.id) return;
    if (this.#newest && this.#newest !== loaded) this.#keepOlder(this.#newest);
    this.#newest = loaded;
  }

  #keepOlder(snapshot: HeldSnapshot<V>): void {
    const others = this.#older.filter((other) => other.manifest.id !== snapshot.manifest.id);
    this.#older = [snapshot, ...others].slice(0, this.#options.olderHeld ?? OLDER_HELD);
  }

  #servable(manifest: Manifest): boolean {
    return isServable(ageSeconds(manifest.asOf, this.#options.clock.now()), this.#options.rule);
  }
}
