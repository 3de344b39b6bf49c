import { randomUUID } from 'node:crypto';
import type {
  GetItemCommandInput,
  PutItemCommandInput,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { type Clock, sleep } from '../clock.ts';
import { withTimeout } from '../timeout.ts';
import { Connection, type Credentials } from './connection.ts';
import { DynamoDbError } from './dynamodb-error.ts';
import type { Item } from './item.ts';
import { readItem, toWire } from './wire.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Whether a call that the table throttles is made again. @default true */
  readonly retryThrottled?: boolean;
}

/** What this service asks of DynamoDB. */
export interface DynamoDb {
  /** @throws DynamoDbError, TimeoutError, the signal's reason, or the error of the connection */
  get(input: GetItemCommandInput, options?: CallOptions): Promise<Item | undefined>;
  /** @throws as `get`; ConditionFailedError when its condition does not hold */
  put(input: PutItemCommandInput, options?: CallOptions): Promise<void>;
  /** @returns the attributes that `ReturnValues` asks for @throws as `put` */
  update(input: UpdateItemCommandInput, options?: CallOptions): Promise<Item | undefined>;
}

export interface DynamoDbClientOptions {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly random: () => number;
  /** Attempts of a call, the first among them. */
  readonly maxAttempts: number;
  /** That an attempt has for its whole response, ms. */
  readonly attemptMs: number;
}

/** Longest pause before the first retry, ms; each further one may take twice as long. A busy table needs more of it. */
const BACKOFF_MS = 100;
const THROTTLED_BACKOFF_MS = 500;

/**
 * Three operations over signed HTTPS instead of the AWS SDK, which takes half of a cold start and of a bundle
 * (docs/adr/0022-own-dynamodb-client.md). Calls that fail for a reason that passes are made again.
 */
export class DynamoDbClient implements DynamoDb {
  readonly #options: DynamoDbClientOptions;
  readonly #connection: Connection;

  constructor(options: DynamoDbClientOptions) {
    this.#options = options;
    this.#connection = new Connection(options.endpoint, options.region, options.credentials);
  }

  async get(input: GetItemCommandInput, options?: CallOptions): Promise<Item | undefined> {
    return readItem((await this.#call('GetItem', input, options)).Item);
  }

  async put(input: PutItemCommandInput, options?: CallOptions): Promise<void> {
    await this.#call('PutItem', input, options);
  }

  async update(input: UpdateItemCommandInput, options?: CallOptions): Promise<Item | undefined> {
    return readItem((await this.#call('UpdateItem', input, options)).Attributes);
  }

  /** Closes all connections; calls under way fail. */
  destroy(): void {
    this.#connection.destroy();
  }

  async #call(operation: string, input: object, options: CallOptions = {}) {
    const { clock, random, maxAttempts, attemptMs } = this.#options;
    const { signal, retryThrottled = true } = options;
    const request = { operation, body: JSON.stringify(toWire(input)), callId: randomUUID() };
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      let backoffMs = BACKOFF_MS;
      try {
        return await withTimeout(clock, attemptMs, (timeout) =>
          this.#connection.send(request, signal ? AbortSignal.any([signal, timeout]) : timeout),
        );
      } catch (error) {
        signal?.throwIfAborted();
        if (attempt >= maxAttempts || !isPassing(error, retryThrottled)) throw error;
        if (error instanceof DynamoDbError && error.throttled) backoffMs = THROTTLED_BACKOFF_MS;
      }
      await sleep(clock, random() * backoffMs * 2 ** (attempt - 1));
    }
  }
}

/** Whether the same call may go well a moment later: not when DynamoDB refuses the call itself. */
function isPassing(error: unknown, retryThrottled: boolean): boolean {
  if (!(error instanceof DynamoDbError)) return true; // the connection, or no response in time
  return error.throttled ? retryThrottled : error.status >= 500;
}
