/** The list in DynamoDB by which all containers together count a client's requests. */
import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expirySeconds, MINUTE_MS, type UnixMs } from '../../core/domain/time.ts';
import { type Clock, withTimeout } from '../platform/clock.ts';
import { isConditionFailed, isConnectionClosed } from '../platform/dynamodb-errors.ts';
import { RATE_LIMIT_KEYS } from '../platform/storage-layout.ts';

/** The length of the window: an entry counts for this long. */
export const LIMIT_WINDOW_MS = MINUTE_MS;

export interface RequestWindowOptions {
  /** Must not retry, because a repeated append counts twice. */
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly table: string;
  readonly clock: Clock;
  readonly limit: number;
  /** The longest wait for the table. */
  readonly timeoutMs: number;
}

/** What became of a request that tried to take a place in the window. */
export interface Taken {
  readonly granted: boolean;
  /** Entries that count, oldest first; empty if the list changed before each write. */
  readonly times: readonly UnixMs[];
}

/** How often a request tries to change a list that other requests change at the same time. */
const MAX_ATTEMPTS = 5;

/**
 * A sliding window in DynamoDB: one item per key (a client), with an unsorted list of the times of
 * its requests.
 *
 * A request appends its time on condition that the list is not full. Expired times stay in the list
 * until it is full. Then the request reads the list and replaces it by one without them.
 */
export class RequestWindow {
  readonly #options: RequestWindowOptions;

  constructor(options: RequestWindowOptions) {
    this.#options = options;
  }

  /**
   * Adds an entry for now, if there is room.
   *
   * @throws TimeoutError, or the table's error
   */
  take(key: string): Promise<Taken> {
    return withTimeout(this.#options.clock, this.#options.timeoutMs, (signal) =>
      this.#tryToTake(key, signal).catch((error: unknown) => {
        if (!isConnectionClosed(error)) throw error;
        // Lambda may have frozen the container. If DynamoDB executed the append, it counts twice,
        // which is safe.
        return this.#tryToTake(key, signal);
      }),
    );
  }

  async #tryToTake(key: string, signal: AbortSignal): Promise<Taken> {
    const { clock, limit } = this.#options;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const appended = await this.#write(key, append(clock.now(), limit), signal);
      if (appended) return { granted: true, times: this.#counted(appended) };
      const stored = await this.#read(key, signal);
      // Another request has replaced the list meanwhile, so an append can succeed.
      if (stored.times.length < limit) continue;
      const times = this.#counted(stored.times);
      if (times.length >= limit) return { granted: false, times };
      const replaced = await this.#write(key, replace(stored, [...times, clock.now()]), signal);
      if (replaced) return { granted: true, times: this.#counted(replaced) };
    }
    return { granted: false, times: [] };
  }

  /**
   * The entries that count, oldest first. An entry exactly as old as the window does not count. One
   * in the future, from another container's clock, does.
   */
  #counted(times: readonly UnixMs[]): readonly UnixMs[] {
    const oldest = this.#options.clock.now() - LIMIT_WINDOW_MS;
    return times.filter((time) => time > oldest).toSorted((a, b) => a - b);
  }

  /**
   * Reads a list. The read is consistent, because an older list could accept requests that the
   * newest refuses.
   */
  async #read(key: string, abortSignal: AbortSignal): Promise<StoredList> {
    const { client, table: TableName } = this.#options;
    const command = new GetItemCommand({ TableName, Key: itemKey(key), ConsistentRead: true });
    const { Item: item } = await client.send(command, { abortSignal });
    return { times: timesOf(item?.times), version: Number(item?.version?.N ?? 0) };
  }

  /** @returns the new list; undefined if the condition of the write failed */
  async #write(
    key: string,
    write: Write,
    abortSignal: AbortSignal,
  ): Promise<readonly UnixMs[] | undefined> {
    const { client, table: TableName, clock } = this.#options;
    // After two windows no entry counts, even for a slow clock.
    const expiresAt = numberOf(expirySeconds(clock.now(), 2 * LIMIT_WINDOW_MS));
    const command = new UpdateItemCommand({
      ...write,
      TableName,
      Key: itemKey(key),
      ReturnValues: 'ALL_NEW',
      ExpressionAttributeNames: { '#times': 'times', '#expiresAt': RATE_LIMIT_KEYS.ttl },
      ExpressionAttributeValues: { ...write.ExpressionAttributeValues, ':expiresAt': expiresAt },
    });
    try {
      return timesOf((await client.send(command, { abortSignal })).Attributes?.times);
    } catch (error) {
      if (isConditionFailed(error)) return undefined;
      throw error;
    }
  }
}

/** The list of a client, as the table has it. */
interface StoredList {
  /** In any order. */
  readonly times: readonly UnixMs[];
  /** How often the list was replaced. */
  readonly version: number;
}

/** A change of a list, as DynamoDB describes it. */
interface Write {
  readonly UpdateExpression: string;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeValues: Readonly<Record<string, AttributeValue>>;
}

/** Adds an entry, unless the list is full. */
function append(now: UnixMs, limit: number): Write {
  return {
    UpdateExpression:
      'SET #times = list_append(if_not_exists(#times, :none), :times), #expiresAt = :expiresAt',
    ConditionExpression: 'attribute_not_exists(#times) OR size(#times) < :limit',
    ExpressionAttributeValues: {
      ':none': { L: [] },
      ':times': listOf([now]),
      ':limit': numberOf(limit),
    },
  };
}

/**
 * Replaces a list, unless another request has changed it: an append changes the size, a replacement
 * the version. A new item has no version.
 */
function replace(stored: StoredList, times: readonly UnixMs[]): Write {
  return {
    UpdateExpression: 'SET #times = :times, version = :next, #expiresAt = :expiresAt',
    ConditionExpression:
      'size(#times) = :size AND (attribute_not_exists(version) OR version = :version)',
    ExpressionAttributeValues: {
      ':times': listOf(times),
      ':size': numberOf(stored.times.length),
      ':version': numberOf(stored.version),
      ':next': numberOf(stored.version + 1),
    },
  };
}

// Values in DynamoDB's form, and back.

function itemKey(key: string): Record<string, AttributeValue> {
  return { [RATE_LIMIT_KEYS.partition]: { S: key } };
}

function numberOf(value: number): AttributeValue {
  return { N: `${value}` };
}

function listOf(times: readonly UnixMs[]): AttributeValue {
  return { L: times.map(numberOf) };
}

function timesOf(list: AttributeValue | undefined): readonly UnixMs[] {
  return (list?.L ?? []).map(({ N: time }) => Number(time));
}
