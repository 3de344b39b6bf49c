/**
 * Which snapshot (all markets with their prices at one time) a container serves: it knows the newest
 * one that it has read from the table, and reads again from time to time.
 */
import { FRESH_SECONDS, RUN_INTERVAL_SECONDS } from '../../core/contract/constants.ts';
import { ageSeconds, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { type Clock, TimeoutError, withTimeout } from '../platform/clock.ts';
import type { PointerReader } from './pointer-reader.ts';
import type { RefreshFailure, SnapshotManifest } from './snapshot-manifest.ts';

/** The interval between reads of the table, and the pause after a failed or slow read. */
const READ_INTERVAL_MS = 5_000;
/** The interval shortly before and after the next prices are due. */
const DUE_READ_INTERVAL_MS = 500;
/** The short interval begins this long before the next prices are due. */
const DUE_LEAD_MS = 5_000;

/**
 * A request joins a read that began at most this long ago. An older read may hang, because Lambda
 * may have frozen the container during it.
 */
const MAX_JOIN_MS = 1_500;
/** A request waits at most this long for a read while the data in memory is fresh. */
const MAX_WAIT_MS = 1_000;

/** A read of the pointer under way. */
interface Read {
  readonly startedAt: UnixMs;
  readonly result: Promise<SnapshotManifest | undefined>;
}

/**
 * The manifest (the description without the markets) of the newest snapshot. While the known one is
 * fresh, requests get it without a read until the next read is due. If it is old, each request waits
 * for a read.
 */
export class LatestPointer {
  readonly #reader: Pick<PointerReader, 'latest' | 'lastFailure'>;
  readonly #clock: Clock;
  #known: SnapshotManifest | undefined;
  /** When the next read is due, while the data is fresh. */
  #dueAt: UnixMs = Number.NEGATIVE_INFINITY;
  /** The read that began last, until it ends. */
  #reading: Read | undefined;

  constructor(reader: Pick<PointerReader, 'latest' | 'lastFailure'>, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /**
   * The manifest of the newest snapshot.
   *
   * @returns undefined before the first refresh
   * @throws what the reader throws; keeps the known manifest
   */
  async current(): Promise<SnapshotManifest | undefined> {
    const now = this.#clock.now();
    const isFresh = this.#known !== undefined && ageSeconds(this.#known.asOf, now) <= FRESH_SECONDS;
    if (isFresh && !this.#isDue(now)) return this.#known;
    const { startedAt, result } = this.#joinable(now) ?? this.#begin(now);
    if (!isFresh) return await result;
    try {
      return await withTimeout(this.#clock, startedAt + MAX_WAIT_MS - now, () => result);
    } catch (error) {
      // So that requests hardly wait for a table that does not respond.
      this.#dueAt = this.#clock.now() + READ_INTERVAL_MS;
      if (error instanceof TimeoutError) return this.#known;
      throw error;
    }
  }

  /** The manifest that this container read last, without a new read. */
  get known(): SnapshotManifest | undefined {
    return this.#known;
  }

  /** Why the last refresh failed; undefined if none has failed recently. */
  lastFailure(): Promise<RefreshFailure | undefined> {
    return this.#reader.lastFailure();
  }

  #isDue(now: UnixMs): boolean {
    const leftMs = this.#dueAt - now;
    // More than an interval remains only if the clock was set back.
    return leftMs <= 0 || leftMs > READ_INTERVAL_MS;
  }

  /** The read under way, unless it may hang. */
  #joinable(now: UnixMs): Read | undefined {
    const read = this.#reading;
    return read && now >= read.startedAt && now - read.startedAt < MAX_JOIN_MS ? read : undefined;
  }

  /** Begins a read, and records its result when it arrives. */
  #begin(startedAt: UnixMs): Read {
    const read = { startedAt, result: this.#reader.latest() };
    this.#reading = read;
    const end = (found?: SnapshotManifest) => this.#end(read, found);
    read.result.then(end, () => end());
    return read;
  }

  /** Keeps the manifest that a read has found, and plans the next read. */
  #end(read: Read, found: SnapshotManifest | undefined): void {
    // Of two parallel reads, the later one has the newer result, even if it ends first.
    if (this.#reading !== read) return;
    this.#reading = undefined;
    if (!found) return;
    const now = this.#clock.now();
    const nextPricesAt = found.asOf + RUN_INTERVAL_SECONDS * SECOND_MS;
    const dueReadAt = Math.max(now + DUE_READ_INTERVAL_MS, nextPricesAt - DUE_LEAD_MS);
    this.#known = found;
    this.#dueAt = Math.min(now + READ_INTERVAL_MS, dueReadAt);
  }
}
