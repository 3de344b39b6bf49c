import { FRESH_SECONDS, PRICE_INTERVAL_SECONDS } from '../contract/constants.ts';
import { ageSeconds } from '../domain/freshness.ts';
import { type Clock, TimeoutError, withTimeout } from '../platform/clock.ts';
import type { Manifest, RefreshFailure } from './snapshot-items.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

/** A container reads the pointer at most this often, in seconds, while its data is fresh. */
const POINTER_READ_SECONDS = 5;
/** The same, once the next prices are due. */
const POINTER_READ_DUE_SECONDS = 0.5;

/**
 * A request does not wait for a read that began longer ago, in ms. Lambda may have frozen the container in the middle of
 * it, so that its result is as old as its beginning.
 */
const MAX_JOIN_MS = 1_500;
/** A request waits at most this long for a read, in ms, while the data in memory is fresh. */
const MAX_WAIT_MS = 1_000;

interface Read {
  /** Unix ms. */
  readonly startedAt: number;
  readonly result: Promise<Manifest | undefined>;
}

/**
 * The newest manifest that this container has read. It is read again at most every 5 s, every 0.5 s once the next prices
 * are due, and always before data older than its freshness would be served. After a read that failed or took longer than
 * 1 s, the next one is due after 5 s, so that requests hardly wait for an unreachable table while their data is fresh.
 */
export class LatestPointer {
  readonly #reader: Pick<SnapshotReader, 'latest' | 'lastFailure'>;
  readonly #clock: Clock;
  #known: Manifest | undefined;
  /** Number of the read that found the known manifest. */
  #knownFrom = 0;
  #endedAt = Number.NEGATIVE_INFINITY;
  /** Whether the last read failed or took too long. */
  #failed = false;
  #read: Read | undefined;
  #reads = 0;

  constructor(reader: Pick<SnapshotReader, 'latest' | 'lastFailure'>, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** @returns undefined before the first refresh @throws what the reader throws; the known manifest is kept */
  async current(): Promise<Manifest | undefined> {
    if (!this.#isDue()) return this.#known;
    const now = this.#clock.now();
    const { startedAt, result } = this.#joinable(now) ?? this.#begin(now);
    if (!this.#known || ageSeconds(this.#known.asOf, now) > FRESH_SECONDS) return await result;
    try {
      return await withTimeout(this.#clock, startedAt + MAX_WAIT_MS - now, () => result);
    } catch (error) {
      this.#failed = true;
      this.#endedAt = this.#clock.now();
      if (!(error instanceof TimeoutError)) throw error;
      return this.#known;
    }
  }

  #joinable(now: number): Read | undefined {
    const read = this.#read;
    return read && now >= read.startedAt && now - read.startedAt < MAX_JOIN_MS ? read : undefined;
  }

  #begin(now: number): Read {
    const read = { startedAt: now, result: this.#start() };
    this.#read = read;
    const end = (): void => {
      if (this.#read === read) this.#read = undefined;
    };
    read.result.then(end, end);
    return read;
  }

  /** What the last read found. */
  get known(): Manifest | undefined {
    return this.#known;
  }

  lastFailure(): Promise<RefreshFailure | undefined> {
    return this.#reader.lastFailure();
  }

  #isDue(): boolean {
    if (!this.#known) return true;
    const now = this.#clock.now();
    const age = ageSeconds(this.#known.asOf, now);
    if (age > FRESH_SECONDS) return true;
    const nextIsDue = !this.#failed && age >= PRICE_INTERVAL_SECONDS - POINTER_READ_SECONDS;
    const interval = nextIsDue ? POINTER_READ_DUE_SECONDS : POINTER_READ_SECONDS;
    return Math.abs(now - this.#endedAt) >= 1_000 * interval;
  }

  async #start(): Promise<Manifest | undefined> {
    this.#reads += 1;
    const read = this.#reads;
    try {
      const found = await this.#reader.latest();
      // Of two reads at once, the one that began later has the newer result, even if it ends first.
      if (found && read > this.#knownFrom) {
        this.#known = found;
        this.#knownFrom = read;
      }
      this.#failed = false;
      return this.#known;
    } finally {
      this.#endedAt = this.#clock.now();
    }
  }
}
