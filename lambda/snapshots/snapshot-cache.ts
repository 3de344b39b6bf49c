import type { Clock } from '../clock.ts';
import { ageSeconds, type FreshnessRule, isServable } from '../domain/freshness.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { DecodedSnapshot } from './codec.ts';
import type { Manifest } from './items.ts';
import { LatestPointer } from './latest-pointer.ts';
import type { SnapshotSource } from './snapshot-reader.ts';

/** A snapshot in memory, in the form its function answers from. */
export interface HeldSnapshot<V> {
  readonly manifest: Manifest;
  readonly view: V;
}

export interface SnapshotCacheOptions<V> {
  readonly source: SnapshotSource;
  readonly clock: Clock;
  readonly rule: FreshnessRule;
  /** Makes of a loaded snapshot what the function needs; done once a snapshot, not once a request. */
  readonly view: (decoded: DecodedSnapshot) => V;
  /** Told about failures that an answer could still be given in spite of. */
  readonly onProblem?: (message: string, error: unknown) => void;
}

/** Older snapshots held for walks over the pages; each is about 1 MB per 2,000 markets. */
const OLDER_HELD = 2;

/** The decoded snapshots of one container. One load at a time; only a changed version is downloaded. */
export class SnapshotCache<V> {
  private readonly options: SnapshotCacheOptions<V>;
  private readonly pointer: LatestPointer;
  private readonly loads = new Map<string, Promise<HeldSnapshot<V>>>();
  private newest: HeldSnapshot<V> | undefined;
  private older: readonly HeldSnapshot<V>[] = [];

  constructor(options: SnapshotCacheOptions<V>) {
    this.options = options;
    this.pointer = new LatestPointer(options.source, options.clock, options.rule);
  }

  /** Begins loading at module scope, where Lambda lends a full CPU. A failure is met again by the first request. */
  warm(): void {
    this.latest().catch(() => undefined);
  }

  /** @throws ServiceError `snapshot_missing` or `snapshot_stale` (502) when there is nothing fresh to answer with */
  async latest(): Promise<HeldSnapshot<V>> {
    const { clock, rule, onProblem } = this.options;
    let failure: unknown;
    try {
      const manifest = await this.pointer.current();
      if (manifest && manifest.id !== this.newest?.manifest.id) {
        if (!this.servable(manifest)) throw staleError(manifest, clock, rule);
        this.hold(await this.load(manifest));
      }
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      failure = error;
      onProblem?.('The newest snapshot could not be loaded', error);
    }
    if (!this.newest) {
      const message = failure
        ? 'The market data cannot be read at the moment; try again in a few seconds.'
        : 'There is no market data yet: the first refresh has not ended; try again in a minute.';
      throw new ServiceError('snapshot_missing', message, { cause: failure });
    }
    if (!this.servable(this.newest.manifest)) throw staleError(this.newest.manifest, clock, rule, failure);
    return this.newest;
  }

  /** @throws ServiceError `snapshot_gone` (410) when the snapshot is no longer kept */
  async byId(id: string): Promise<HeldSnapshot<V>> {
    const held = [this.newest, ...this.older].find((snapshot) => snapshot?.manifest.id === id);
    const manifest = held?.manifest ?? (await this.options.source.find(id));
    if (!manifest || manifest.expiresAt * 1_000 <= this.options.clock.now()) {
      throw new ServiceError(
        'snapshot_gone',
        'The snapshot of this link is no longer kept; start again from the first page.',
      );
    }
    if (held) return held;
    const loaded = await this.load(manifest);
    this.keepOlder(loaded);
    return loaded;
  }

  private load(manifest: Manifest): Promise<HeldSnapshot<V>> {
    const underWay = this.loads.get(manifest.id);
    if (underWay !== undefined) return underWay;
    const { source, view } = this.options;
    const load = source
      .read(manifest)
      .then((decoded) => ({ manifest, view: view(decoded) }))
      .finally(() => this.loads.delete(manifest.id));
    this.loads.set(manifest.id, load);
    return load;
  }

  private hold(loaded: HeldSnapshot<V>): void {
    if (this.newest && this.newest.manifest.asOf > loaded.manifest.asOf) return;
    if (this.newest && this.newest !== loaded) this.keepOlder(this.newest);
    this.newest = loaded;
  }

  private keepOlder(snapshot: HeldSnapshot<V>): void {
    const others = this.older.filter((other) => other.manifest.id !== snapshot.manifest.id);
    this.older = [snapshot, ...others].slice(0, OLDER_HELD);
  }

  private servable(manifest: Manifest): boolean {
    return isServable(ageSeconds(manifest.asOf, this.options.clock.now()), this.options.rule);
  }
}

function staleError(manifest: Manifest, clock: Clock, rule: FreshnessRule, cause?: unknown): ServiceError {
  const age = Math.round(ageSeconds(manifest.asOf, clock.now()));
  return new ServiceError(
    'snapshot_stale',
    `The newest market data is ${age} s old, more than the ${Math.max(rule.freshSeconds, rule.staleIfErrorSeconds)} s allowed, since the upstream could not be read; try again in a minute.`,
    { cause },
  );
}
