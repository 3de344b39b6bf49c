/**
 * Past prices, which runs of the refresher store so that later runs can compute changes. Samples are
 * prices that runs read themselves, one item every 10 minutes. The backfill has the histories of
 * Polymarket for the time before the first sample.
 */
import { hash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type DynamoDBClient, PutItemCommand, type QueryCommand } from '@aws-sdk/client-dynamodb';
import { DAY_MS, expirySeconds, type UnixMs } from '../../core/domain/time.ts';
import { type Clock, withTimeout } from '../platform/clock.ts';
import { SNAPSHOT_KEYS } from '../platform/storage-layout.ts';
import { queryItems, type RangeQuery } from './range-query.ts';

/**
 * Days after which items expire. The longest change has 30 days. After a day, samples replace the
 * daily backfill.
 */
const TTL_DAYS = { SAMPLE: 32, BACKFILL_DAY: 2, BACKFILL_MONTH: 32 } as const;

type PricePartition = keyof typeof TTL_DAYS;

/** An item of a partition. */
export interface StoredPriceItem {
  /** The sort key, a time: Unix seconds of a sample, Unix ms of the backfill. */
  readonly n: number;
  /** As `encodeText` returns it. */
  readonly data: Uint8Array;
}

interface PriceTable {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly clock: Clock;
}

/**
 * The hex digits of a key. They have 48 bits: the probability that two of 10,000 markets share a
 * key is one in five million.
 */
export const KEY_CHARACTERS = 12;

/**
 * The key of a token in samples and backfill. It is hashed, because tokens of an event can begin
 * with the same digits.
 */
export function priceKey(tokenId: string): string {
  return hash('sha256', tokenId, 'hex').slice(0, KEY_CHARACTERS);
}

/** Compresses a text. */
export function encodeText(text: string): Buffer {
  return zstdCompressSync(text);
}

/** Reverses `encodeText`. @throws Error unless `encodeText` wrote the bytes */
export function decodeText(data: Uint8Array): string {
  return zstdDecompressSync(data).toString();
}

/**
 * Writes and reads the items of samples and backfill. They are in the table of the snapshots.
 *
 * @throws TimeoutError, or what the SDK throws
 */
export class StoredPrices {
  readonly #options: PriceTable;

  constructor(options: PriceTable) {
    this.#options = options;
  }

  /** Writes an item. */
  async put(
    partition: PricePartition,
    { n, data }: StoredPriceItem,
    deadline: UnixMs,
  ): Promise<void> {
    const { client, table, clock } = this.#options;
    const expiresAt = expirySeconds(clock.now(), TTL_DAYS[partition] * DAY_MS);
    const command = new PutItemCommand({
      TableName: table,
      Item: {
        [SNAPSHOT_KEYS.partition]: { S: partition },
        [SNAPSHOT_KEYS.sort]: { N: String(n) },
        [SNAPSHOT_KEYS.ttl]: { N: String(expiresAt) },
        data: { B: data },
      },
    });
    await this.#within(deadline, (abortSignal) => client.send(command, { abortSignal }));
  }

  /** Yields the items of a range as they arrive. @param deadline of each call */
  async *query(
    partition: PricePartition,
    range: RangeQuery,
    deadline: UnixMs,
  ): AsyncGenerator<StoredPriceItem> {
    const { client, table } = this.#options;
    const send = (command: QueryCommand) =>
      this.#within(deadline, (abortSignal) => client.send(command, { abortSignal }));
    for await (const { n, data } of queryItems(table, partition, range, send)) {
      yield { n: Number(n?.N), data: data?.B ?? new Uint8Array() };
    }
  }

  #within<T>(deadline: UnixMs, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock } = this.#options;
    return withTimeout(clock, deadline - clock.now(), work);
  }
}
