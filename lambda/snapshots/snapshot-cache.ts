import { POINTER_LOOK_SECONDS } from '../contract/constants.ts';
import { ageSeconds, type FreshnessRule, isServable, longestAge } from '../domain/freshness.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Clock } from '../platform/clock.ts';
import { SingleFlight } from '../platform/single-flight.ts';
import type { DecodedSnapshot } from './codec.ts';
import type { Manifest } from './dynamodb-items.ts';
import { LatestPointer } from './latest-pointer.ts';
import type { SnapshotSource } from './snapshot-reader.ts';

/** A snapshot in memory, in the form its function answers from. */
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
  /** Told about failures that an answer could still be given in spite of. */
  readonly onProblem?: (message: string, error: unknown) => void;
}

const OLDER_HELD = 2;

/** The decoded snapshots of one container. One load at a time; only a changed version is downloaded. */
export class SnapshotCache<V> {
  private readonly options: SnapshotCacheOptions<V>;
  private readonly pointer: LatestPointer;
  private readonly loads = new SingleFlight<HeldSnapshot<V>>();
  private newest: HeldSnapshot<V> | undefined;
  private older: readonly HeldSnapshot<V>[] = [];
  private failedAt = Number.NEGATIVE_INFINITY;

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
      if (manifest && manifest.id !== this.newest?.manifest.id) await this.follow(manifest);
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

  /** Loads what the pointer names; whatever hinders it does not matter as long as what is held is fresh. */
  private async follow(manifest: Manifest): Promise<void> {
    const { clock, rule } = this.options;
    const canWait = this.newest !== undefined && this.servable(this.newest.manifest);
    if (!this.servable(manifest)) {
      if (canWait) return;
      throw staleError(manifest, clock, rule);
    }
    // A snapshot that is broken stays so: it is not downloaded again for every request.
    if (canWait && clock.now() - this.failedAt < POINTER_LOOK_SECONDS * 1_000) return;
    try {
      this.hold(await this.load(manifest));
    } catch (error) {
      this.failedAt = clock.now();
      throw error;
    }
  }

  private load(manifest: Manifest): Promise<HeldSnapshot<V>> {
    const { source, view } = this.options;
    return this.loads.run(manifest.id, async () => ({ manifest, view: view(await source.read(manifest)) }));
  }

  private hold(loaded: HeldSnapshot<V>): void {
    // Of two loads that overlapped, the later to end may be the older. The pointer decides, not the times: a
    // snapshot from a clock far ahead gives way to one with an earlier time.
    if (this.newest && this.newest.manifest.id === this.pointer.latest?.id) return;
    if (this.newest && this.newest !== loaded) this.keepOlder(this.newest);
    this.newest = loaded;
  }

  private keepOlder(snapshot: HeldSnapshot<V>): void {
    const others = this.older.filter((other) => other.manifest.id !== snapshot.manifest.id);
    this.older = [snapshot, ...others].slice(0, this.options.olderHeld ?? OLDER_HELD);
  }

  private servable(manifest: Manifest): boolean {
    return isServable(ageSeconds(manifest.asOf, this.options.clock.now()), this.options.rule);
  }
}

function staleError(manifest: Manifest, clock: Clock, rule: FreshnessRule, cause?: unknown): ServiceError {
  const age = Math.round(ageSeconds(manifest.asOf, clock.now()));
  const message = Number.isFinite(age)
    ? `The newest market data is ${age} s old, more than the ${longestAge(rule)} s allowed: no newer refresh has succeeded; try again in a minute.`
    : 'The newest market data bears a time that lies in the future, so its age is unknown; try again in two minutes.';
  return new ServiceError('snapshot_stale', message, { cause });
}
