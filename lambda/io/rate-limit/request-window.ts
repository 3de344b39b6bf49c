import {
  type DynamoDBClient,
  GetItemCommand,
  type ThrottlingReason,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { expirySeconds, type UnixMs } from '../../core/domain/time.ts';
import type { Clock } from '../platform/clock.ts';
import { isConditionFailed } from '../platform/dynamodb.ts';
import { RATE_LIMIT_KEYS } from '../platform/table-keys.ts';

export interface RequestWindowOptions {
  /** Must not retry: a repeated append counts twice. */
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly table: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly lengthMs: number;
  readonly limit: number;
  /** If true, the list is known to be full and is not read. @default never */
  readonly isFull?: (key: string) => boolean;
}

export interface Taken {
  /** How many entries were added. */
  readonly granted: number;
  /** Entries that count, oldest first; empty if not read. */
  readonly times: readonly UnixMs[];
}

/** The times are not sorted. The version counts replacements. */
interface StoredWindow {
  readonly times: readonly number[];
  readonly version: number;
}

type Write = Required<
  Pick<UpdateItemCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'>
>;

/** Attempts to change a list that other requests change at the same time. */
const MAX_ATTEMPTS = 5;

/** A sliding window in DynamoDB: one item per key. All methods throw what the table throws. */
export class RequestWindow {
  readonly #options: RequestWindowOptions;

  constructor(options: RequestWindowOptions) {
    this.#options = options;
  }

  /**
   * Adds up to `wanted` entries with the present time. Usually this is one conditional append. If the list is too long,
   * a second write replaces it without the expired entries.
   */
  async take(key: string, wanted: number, signal: AbortSignal): Promise<Taken> {
    const { clock, limit, isFull } = this.#options;
    const count = Math.min(wanted, limit);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const appended = await this.#append(key, entries(clock.now(), count), signal);
      if (appended) return { granted: count, times: this.#counted(appended) };
      if (isFull?.(key)) break;
      const stored = await this.#read(key, signal);
      if (stored.times.length <= limit - count) continue; // another request has replaced the list
      const times = this.#counted(stored.times);
      const granted = Math.min(count, Math.max(0, limit - times.length));
      if (granted === 0) return { granted, times };
      const replacement = [...times, ...entries(clock.now(), granted)];
      const replaced = await this.#replace(key, stored, replacement, signal);
      if (replaced) return { granted, times: this.#counted(replaced) };
    }
    return { granted: 0, times: [] };
  }

  /**
   * An entry exactly as old as the window no longer counts. An entry in the future (another container's clock) does.
   */
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
  async #read(key: string, signal: AbortSignal): Promise<StoredWindow> {
    const { client, table } = this.#options;
    const command = new GetItemCommand({
      TableName: table,
      Key: { [RATE_LIMIT_KEYS.partition]: { S: key } },
      ConsistentRead: true,
    });
    const { Item: item } = await client.send(command, { abortSignal: signal });
    return { times: timesOf(item?.times), version: Number(item?.version?.N ?? 0) };
  }

  /** @returns undefined if another request has changed the list since the read */
  #replace(key: string, stored: StoredWindow, times: readonly UnixMs[], signal: AbortSignal) {
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

  async #write(key: string, write: Write, signal: AbortSignal): Promise<readonly number[] | undefined> {
    const { client, table, clock, lengthMs } = this.#options;
    const command = new UpdateItemCommand({
      TableName: table,
      Key: { [RATE_LIMIT_KEYS.partition]: { S: key } },
      ...write,
      ExpressionAttributeNames: { '#times': 'times', '#expiresAt': RATE_LIMIT_KEYS.ttl },
      ExpressionAttributeValues: {
        ...write.ExpressionAttributeValues,
        // No entry counts after two windows, even by a slow clock.
        ':expiresAt': { N: String(expirySeconds(clock.now(), 2 * lengthMs)) },
      },
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

/**
 * Retries if the connection was closed: Lambda may have frozen the container. If DynamoDB has executed the first
 * append, the request counts twice, which is safe.
 */
export async function onceMoreIfClosed<T>(take: () => Promise<T>): Promise<T> {
  try {
    return await take();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) {
      return await take();
    }
    throw error;
  }
}

const THROTTLED = ['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'];

/** The SDK spells it in lower case only in `ThrottlingException`. */
interface Throttled extends Error {
  readonly ThrottlingReasons?: readonly ThrottlingReason[];
  readonly throttlingReasons?: readonly ThrottlingReason[];
}

/**
 * What DynamoDB throttles, by `ThrottlingReasons`. Only requests for the same key write to that key.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
 */
export function throttlingOf(error: unknown): 'key' | 'table' | 'unknown' | undefined {
  if (!(error instanceof Error && THROTTLED.includes(error.name))) return undefined;
  const { ThrottlingReasons, throttlingReasons }: Throttled = error;
  const reasons = ThrottlingReasons ?? throttlingReasons ?? [];
  if (reasons.length === 0) return 'unknown';
  return reasons.every(({ reason }) => reason?.endsWith('KeyRangeThroughputExceeded')) ? 'key' : 'table';
}

type AttributeList = { readonly L?: readonly { readonly N?: string }[] | undefined };

function entries(time: UnixMs, count: number): readonly UnixMs[] {
  return Array.from({ length: count }, () => time);
}

function listOf(times: readonly number[]) {
  return { L: times.map((time) => ({ N: String(time) })) };
}

function timesOf(list: AttributeList | undefined): readonly number[] {
  return (list?.L ?? []).map(({ N: time }) => Number(time));
}
