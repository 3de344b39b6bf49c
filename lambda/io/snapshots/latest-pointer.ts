import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { FRESH_SECONDS, RUN_INTERVAL_SECONDS } from '../../core/contract/constants.ts';
import { ageSeconds, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { type Clock, TimeoutError, withTimeout } from '../platform/clock.ts';
import {
  FAILURE_KEY,
  type Item,
  POINTER_KEY,
  type RefreshFailure,
  readFailure,
  requireManifest,
  type SnapshotManifest,
} from './snapshot-items.ts';

export interface PointerReaderOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
}

/**
 * Reads the pointer to the newest snapshot from the table.
 *
 * @throws BrokenSnapshotError for unreadable data
 */
export class PointerReader {
  readonly #options: PointerReaderOptions;

  constructor(options: PointerReaderOptions) {
    this.#options = options;
  }

  /** The pointer's item. @returns undefined before the first refresh */
  pointer(): Promise<Item | undefined> {
    return this.get(POINTER_KEY, true);
  }

  /** The manifest of the newest snapshot. @returns undefined before the first refresh */
  async latest(): Promise<SnapshotManifest | undefined> {
    const item = await this.pointer();
    return item && requireManifest(item);
  }

  /** Why the last refresh failed; undefined if none has failed recently. */
  async lastFailure(): Promise<RefreshFailure | undefined> {
    const item = await this.get(FAILURE_KEY, true);
    return item && readFailure(item);
  }

  protected async get(Key: Item, ConsistentRead: boolean): Promise<Item | undefined> {
    const { client, table: TableName } = this.#options;
    return (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead }))).Item;
  }
}

/** The interval of the reads while the data is fresh. */
const POINTER_READ_MS = 5_000;
/** The interval of the reads from 5 s before the next prices are due. */
const POINTER_READ_DUE_MS = 500;

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
 * The newest manifest that this container has read. It reads the pointer before it serves old data.
 * After a failed or slow read it waits 5 s, so that requests hardly wait for a table that does not
 * respond.
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
   * @returns undefined before the first refresh
   * @throws what the reader throws; keeps the known manifest
   */
  async current(): Promise<SnapshotManifest | undefined> {
    const now = this.#clock.now();
    const isFresh = this.#known !== undefined && ageSeconds(this.#known.asOf, now) <= FRESH_SECONDS;
    // If the clock was set back, more than the whole interval remains.
    if (isFresh && now < this.#dueAt && this.#dueAt - now <= POINTER_READ_MS) return this.#known;
    const { startedAt, result } = this.#joinable(now) ?? this.#begin(now);
    if (!isFresh) return await result;
    try {
      return await withTimeout(this.#clock, startedAt + MAX_WAIT_MS - now, () => result);
    } catch (error) {
      this.#dueAt = this.#clock.now() + POINTER_READ_MS;
      if (error instanceof TimeoutError) return this.#known;
      throw error;
    }
  }

  get known(): SnapshotManifest | undefined {
    return this.#known;
  }

  lastFailure(): Promise<RefreshFailure | undefined> {
    return this.#reader.lastFailure();
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
    const finish = (found?: SnapshotManifest): void => {
      // Of two parallel reads, the later one has the newer result, even if it ends first.
      if (this.#reading !== read) return;
      this.#reading = undefined;
      if (found) this.#record(found);
    };
    read.result.then(finish, () => finish());
    return read;
  }

  /** Keeps a manifest, and plans the next read: often when new prices are due, else every 5 s. */
  #record(found: SnapshotManifest): void {
    const now = this.#clock.now();
    const nextPricesAt = found.asOf + RUN_INTERVAL_SECONDS * SECOND_MS;
    const whenDue = Math.max(now + POINTER_READ_DUE_MS, nextPricesAt - POINTER_READ_MS);
    this.#known = found;
    this.#dueAt = Math.min(now + POINTER_READ_MS, whenDue);
  }
}
