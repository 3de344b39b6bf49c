import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { expirySeconds, type UnixMs } from '../../core/domain/time.ts';
import { type Clock, withTimeout } from '../platform/clock.ts';
import { isConditionFailed, isConnectionClosed } from '../platform/dynamodb.ts';
import { RATE_LIMIT_KEYS } from '../platform/table-keys.ts';

export interface RequestWindowOptions {
  /** Must not retry: a repeated append counts twice. */
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly table: string;
  readonly clock: Clock;
  readonly lengthMs: number;
  readonly limit: number;
  readonly timeoutMs: number;
}

export interface Taken {
  readonly granted: number;
  /** The entries that count, oldest first; empty if not read. */
  readonly times: readonly UnixMs[];
}

const MAX_ATTEMPTS = 5;

/** A sliding window in DynamoDB: one item per key, with a list of times that is not sorted. */
export class RequestWindow {
  readonly #options: RequestWindowOptions;

  constructor(options: RequestWindowOptions) {
    this.#options = options;
  }

  /**
   * Adds up to `wanted` entries of now, usually by one append. A second write replaces a list that is too long by one
   * without expired entries.
   *
   * @throws TimeoutError, or what the table throws
   */
  take(key: string, wanted: number): Promise<Taken> {
    const { clock, timeoutMs } = this.#options;
    return withTimeout(clock, timeoutMs, async (signal) => {
      try {
        return await this.#take(key, wanted, signal);
      } catch (error) {
        if (!isConnectionClosed(error)) throw error;
        // Lambda may have frozen the container. If DynamoDB has executed the append, it counts twice, which is safe.
        return await this.#take(key, wanted, signal);
      }
    });
  }

  async #take(key: string, wanted: number, signal: AbortSignal): Promise<Taken> {
    const { clock, limit } = this.#options;
    const count = Math.min(wanted, limit);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const appended = await this.#append(key, Array(count).fill(clock.now()), signal);
      if (appended) return { granted: count, times: this.#counted(appended) };
      const stored = await this.#read(key, signal);
      if (stored.times.length <= limit - count) continue; // another request has replaced the list
      const times = this.#counted(stored.times);
      const granted = Math.min(count, Math.max(0, limit - times.length));
      if (granted === 0) return { granted, times };
      const replacement = [...times, ...Array<UnixMs>(granted).fill(clock.now())];
      const replaced = await this.#replace(key, stored, replacement, signal);
      if (replaced) return { granted, times: this.#counted(replaced) };
    }
    return { granted: 0, times: [] };
  }

  /** An entry exactly as old as the window does not count. An entry in the future (another container's clock) does. */
  #counted(times: readonly number[]): readonly UnixMs[] {
    const { clock, lengthMs } = this.#options;
    const oldest = clock.now() - lengthMs;
    return times.filter((time) => time > oldest).toSorted((a, b) => a - b);
  }

  /** @returns undefined if the list was too long */
  #append(key: string, added: readonly UnixMs[], signal: AbortSignal): Promise<readonly number[] | undefined> {
    const write = {
      UpdateExpression: 'SET #times = list_append(if_not_exists(#times, :none), :times), #expiresAt = :expiresAt',
      ConditionExpression: 'attribute_not_exists(#times) OR size(#times) <= :longest',
      ExpressionAttributeValues: {
        ':none': { L: [] },
        ':times': listOf(added),
        ':longest': { N: String(this.#options.limit - added.length) },
      },
    };
    return this.#write(key, write, signal);
  }

  /** Consistent: an older list would accept requests that the newest refuses. */
  async #read(key: string, signal: AbortSignal) {
    const { client, table: TableName } = this.#options;
    const command = new GetItemCommand({ TableName, Key: itemKey(key), ConsistentRead: true });
    const { Item: item } = await client.send(command, { abortSignal: signal });
    return { times: timesOf(item?.times), version: Number(item?.version?.N ?? 0) };
  }

  /** @returns undefined if another request has changed the list since the read */
  #replace(
    key: string,
    stored: { readonly times: readonly number[]; readonly version: number },
    times: readonly UnixMs[],
    signal: AbortSignal,
  ): Promise<readonly number[] | undefined> {
    const write = {
      UpdateExpression: 'SET #times = :times, version = :next, #expiresAt = :expiresAt',
      // An append changes the size, a replacement the version. A new item has no version.
      ConditionExpression: 'size(#times) = :size AND (attribute_not_exists(version) OR version = :version)',
      ExpressionAttributeValues: {
        ':times': listOf(times),
        ':size': { N: String(stored.times.length) },
        ':version': { N: String(stored.version) },
        ':next': { N: String(stored.version + 1) },
      },
    };
    return this.#write(key, write, signal);
  }

  async #write(
    key: string,
    write: Partial<UpdateItemCommandInput>,
    signal: AbortSignal,
  ): Promise<readonly number[] | undefined> {
    const { client, table: TableName, clock, lengthMs } = this.#options;
    // No entry counts after two windows, even by a slow clock.
    const expiresAt = { N: String(expirySeconds(clock.now(), 2 * lengthMs)) };
    const command = new UpdateItemCommand({
      ...write,
      TableName,
      Key: itemKey(key),
      ExpressionAttributeNames: { '#times': 'times', '#expiresAt': RATE_LIMIT_KEYS.ttl },
      ExpressionAttributeValues: { ...write.ExpressionAttributeValues, ':expiresAt': expiresAt },
      ReturnValues: 'ALL_NEW',
    });
    try {
      const { Attributes: item } = await client.send(command, { abortSignal: signal });
      return timesOf(item?.times);
    } catch (error) {
      if (isConditionFailed(error)) return undefined;
      throw error;
    }
  }
}

function itemKey(key: string) {
  return { [RATE_LIMIT_KEYS.partition]: { S: key } };
}

function listOf(times: readonly number[]) {
  return { L: times.map((time) => ({ N: String(time) })) };
}

function timesOf(list: AttributeValue | undefined): readonly number[] {
  return (list?.L ?? []).map(({ N: time }) => Number(time));
}
