import { hash } from 'node:crypto';
import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { LRUCache } from 'lru-cache';
import { expirySeconds, MINUTE_MS, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { type Clock, withTimeout } from '../platform/clock.ts';
import { isConditionFailed, isConnectionClosed, throttlingOf } from '../platform/dynamodb.ts';
import { RATE_LIMIT_KEYS } from '../platform/table-keys.ts';
import { type Log, LogThrottle, type ServiceMetrics } from '../platform/telemetry.ts';

export const LIMIT_WINDOW_MS = MINUTE_MS;

export interface Decision {
  readonly allowed: boolean;
  readonly remaining: number;
  /** When the oldest counted request leaves the window. */
  readonly resetAt: UnixMs;
}

/** Whole seconds, 1 to 60. */
export function resetSeconds({ resetAt }: Decision, now: UnixMs): number {
  return Math.min(LIMIT_WINDOW_MS / SECOND_MS, Math.max(1, Math.ceil((resetAt - now) / SECOND_MS)));
}

interface RateLimiterOptions extends Omit<RequestWindowOptions, 'lengthMs' | 'isFull'> {
  readonly logger: Pick<Log, 'info' | 'warn'>;
  readonly metrics: Pick<ServiceMetrics, 'add' | 'flush'>;
}

const REFUSALS_CACHE_SIZE = 10_000;
/** For refusals that do not follow from the list. */
const SHORT_REFUSAL_MS = 1_000;
/** A limiter pauses after this many clients in a row without a decision. */
const MAX_FAILING_CLIENTS = 3;
const PAUSE_MS = 5_000;
const WARNING_INTERVAL_MS = 10_000;

/** At most `limit` accepted requests per client in any 60 s, over all containers. */
export class RateLimiter {
  readonly limit: number;
  readonly #options: RateLimiterOptions;
  readonly #window: RequestWindow;
  readonly #throttle: LogThrottle;
  readonly #refusals = new LRUCache<string, { readonly decision: Decision; readonly until: UnixMs }>({
    max: REFUSALS_CACHE_SIZE,
  });
  /** Clients without a decision since the table's last one. */
  readonly #failing = new Set<string>();
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: RateLimiterOptions) {
    this.limit = options.limit;
    this.#options = options;
    const isFull = (key: string) => this.#remembered(key) !== undefined;
    this.#window = new RequestWindow({ ...options, lengthMs: LIMIT_WINDOW_MS, isFull });
    this.#throttle = new LogThrottle(options.clock, WARNING_INTERVAL_MS);
  }

  /** A remembered refusal, without a call to the table. */
  immediateRefusal(address: string): Decision | undefined {
    return this.#remembered(this.#keyOf(address));
  }

  /**
   * Counts a request. Never rejects.
   *
   * @returns undefined if the table does not decide: then the request is served
   */
  async check(address: string): Promise<Decision | undefined> {
    const key = this.#keyOf(address);
    const remembered = this.#remembered(key);
    if (remembered) return remembered;
    const { clock, logger } = this.#options;
    if (clock.now() < this.#pausedUntil) return this.#unavailable('Paused after failures in a row');
    try {
      const decision = this.#decide(key, await this.#window.take(key, 1));
      this.#failing.clear();
      // 24 bits distinguish the clients in the log. About 256 IPv4 addresses share each value.
      if (!decision.allowed) logger.info('Refused by the rate limit', { caller: key.slice(0, 6) });
      return decision;
    } catch (error) {
      return this.#failed(key, error);
    }
  }

  #decide(key: string, { granted, times }: Taken): Decision {
    const [oldest] = times;
    // Another request was refused meanwhile, or the list changed before each write.
    if (oldest === undefined) return this.#remembered(key) ?? this.#shortRefusal(key);
    const leavesAt = oldest + LIMIT_WINDOW_MS;
    if (granted === 0) return this.#refused(key, leavesAt, leavesAt);
    const resetAt = Math.min(this.#options.clock.now() + LIMIT_WINDOW_MS, leavesAt);
    return { allowed: true, remaining: Math.max(0, this.limit - times.length), resetAt };
  }

  /** Serves the request only if the whole table has a problem. */
  #failed(key: string, error: unknown): Decision | undefined {
    const throttling = throttlingOf(error);
    // DynamoDB throttles one key from about 1,000 writes a second, which is far above any limit.
    if (throttling === 'key') return this.#shortRefusal(key);
    this.#failing.add(key);
    const isOutage = this.#failing.size >= MAX_FAILING_CLIENTS;
    if (isOutage) this.#pausedUntil = this.#options.clock.now() + PAUSE_MS;
    return throttling === 'unknown' && !isOutage ? this.#shortRefusal(key) : this.#unavailable(error);
  }

  #refused(key: string, resetAt: UnixMs, until: UnixMs): Decision {
    const decision = { allowed: false, remaining: 0, resetAt };
    this.#refusals.set(key, { decision, until });
    return decision;
  }

  #shortRefusal(key: string): Decision {
    const now = this.#options.clock.now();
    return this.#refused(key, now + LIMIT_WINDOW_MS, now + SHORT_REFUSAL_MS);
  }

  #remembered(key: string): Decision | undefined {
    const refusal = this.#refusals.get(key);
    return refusal && this.#options.clock.now() < refusal.until ? refusal.decision : undefined;
  }

  #unavailable(error: unknown): undefined {
    const { logger, metrics } = this.#options;
    metrics.add('RateLimitUnavailable', 1);
    metrics.flush();
    if (this.#throttle.allow('unavailable')) {
      logger.warn('The rate limit is unavailable: requests are served without it', { error });
    }
  }

  /**
   * A pseudonym that keeps addresses out of the table and the log. It is not a secret: with the table's name, all IPv4
   * addresses can be tried.
   */
  #keyOf(address: string): string {
    return hash('sha256', `${this.#options.table} ${address}`, 'hex').slice(0, 32);
  }
}

export interface RequestWindowOptions {
  /** Must not retry: a repeated append counts twice. */
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly table: string;
  readonly clock: Clock;
  readonly lengthMs: number;
  readonly limit: number;
  readonly timeoutMs: number;
  /** If true, the list is known to be full and is not read. @default never */
  readonly isFull?: (key: string) => boolean;
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
    const { clock, limit, isFull } = this.#options;
    const count = Math.min(wanted, limit);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const appended = await this.#append(key, Array(count).fill(clock.now()), signal);
      if (appended) return { granted: count, times: this.#counted(appended) };
      if (isFull?.(key)) break;
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
