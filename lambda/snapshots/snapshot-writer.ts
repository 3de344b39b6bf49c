import type { PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import { CLOCK_TOLERANCE_SECONDS } from '../contract/constants.ts';
import type { Snapshot, SnapshotEntry } from '../domain/snapshot.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { DynamoDb } from '../platform/dynamodb/client.ts';
import { ConditionFailedError } from '../platform/dynamodb/dynamodb-error.ts';
import { withTimeout } from '../platform/timeout.ts';
import type { Published, SnapshotPublisher } from '../refresh/ports.ts';
import { BaseKeeper } from './base-keeper.ts';
import { encodeDelta } from './codec.ts';
import {
  chunkItem,
  findManifest,
  type Item,
  isCurrent,
  type Manifest,
  POINTER_KEY,
  pointerItem,
  readShrunkRuns,
} from './dynamodb-items.ts';
import { SnapshotLoader } from './snapshot-loader.ts';
import { entryAt, tableOf } from './stored-markets.ts';

export interface SnapshotWriterOptions {
  readonly client: DynamoDb;
  readonly table: string;
  readonly now: () => number;
  /** How long the chunks are kept. */
  readonly keptSeconds: number;
  /** That deadlines are kept by. @default the system's */
  readonly clock?: Clock;
}

/** For callers that are not a run with an end. */
const NO_DEADLINE = Number.POSITIVE_INFINITY;

/**
 * The refresher's side of the table: the base where a new one is due, then the chunks, then the pointer, so that a reader
 * never sees half a snapshot.
 */
export class SnapshotWriter implements SnapshotPublisher {
  readonly #options: SnapshotWriterOptions;
  readonly #clock: Clock;
  readonly #loader: SnapshotLoader;
  readonly #bases: BaseKeeper;
  /** What this container has published last. */
  #newest: { readonly id: string; readonly entries: readonly SnapshotEntry[] } | undefined;

  constructor(options: SnapshotWriterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#loader = new SnapshotLoader((key, consistent) => this.#get(key, consistent, NO_DEADLINE), true);
    this.#bases = new BaseKeeper({
      loader: this.#loader,
      put: (Item, deadline) => this.#put({ Item }, deadline),
      now: options.now,
    });
  }

  async latest(deadline = NO_DEADLINE): Promise<Published | undefined> {
    return (await this.#pointer(deadline))?.published;
  }

  async newest(deadline = NO_DEADLINE): ReturnType<SnapshotPublisher['newest']> {
    const found = await this.#pointer(deadline);
    if (!found) return undefined;
    const { manifest, published } = found;
    if (this.#newest?.id === manifest.id) return { published, entries: this.#newest.entries };
    const { table } = await withTimeout(this.#clock, deadline - this.#options.now(), () =>
      this.#loader.load(manifest),
    );
    return {
      published,
      entries: Array.from({ length: table.length }, (_, position) => entryAt(table, position)),
    };
  }

  async publish(snapshot: Snapshot, deadline = NO_DEADLINE): ReturnType<SnapshotPublisher['publish']> {
    const { now, keptSeconds } = this.#options;
    const { entries, ...about } = snapshot;
    const expiresAt = Math.ceil(now() / 1_000) + keptSeconds;
    const before = await this.#pointer(deadline);
    const newest = before?.manifest.base;
    const known = newest && isCurrent(newest) ? newest : undefined;
    const base = await this.#bases.baseFor(snapshot.id, tableOf(entries), known, expiresAt, deadline);
    const { chunks, checksum, bytes } = encodeDelta(base.table, base.delta);
    const manifest: Manifest = {
      ...about,
      markets: entries.length,
      chunks: chunks.length,
      checksum,
      expiresAt,
      base: base.reference,
    };
    await Promise.all(chunks.map((data, n) => this.#put({ Item: chunkItem(manifest, n, data) }, deadline)));
    const written = await this.#putPointer(
      {
        // New prices for the same catalogue say nothing about the runs that did not believe theirs.
        Item: pointerItem(manifest, isSameCatalogue(before, manifest) ? before.published.shrunkRuns : 0),
        // "Not newer" rather than "older": a retry of a write that had in fact succeeded must succeed as well.
        // What a clock far ahead has published would otherwise stand until that time has come.
        ConditionExpression: 'attribute_not_exists(asOf) OR asOf <= :asOf OR asOf > :future',
        ExpressionAttributeValues: {
          ':asOf': { N: String(manifest.asOf) },
          ':future': { N: String(now() + CLOCK_TOLERANCE_SECONDS * 1_000) },
        },
      },
      deadline,
    );
    if (written) this.#newest = { id: snapshot.id, entries };
    return {
      outcome: written ? 'published' : 'superseded',
      bytes: bytes + base.written.bytes,
      chunks: chunks.length + base.written.chunks,
    };
  }

  async recordShrunkRun(published: Published, deadline = NO_DEADLINE): Promise<void> {
    const manifest = (await this.#pointer(deadline))?.manifest;
    if (!manifest) return;
    await this.#putPointer(
      {
        Item: pointerItem(manifest, published.shrunkRuns + 1),
        ConditionExpression: 'snapshotId = :id',
        ExpressionAttributeValues: { ':id': { S: published.id } },
      },
      deadline,
    );
  }

  /** A pointer that cannot be read is as good as none: the next publication puts it right. */
  async #pointer(deadline: number): Promise<{ manifest: Manifest; published: Published } | undefined> {
    const item = await this.#get(POINTER_KEY, true, deadline);
    const manifest = item && findManifest(item);
    return manifest && { manifest, published: { ...manifest, shrunkRuns: readShrunkRuns(item) } };
  }

  /** @returns false when its condition did not hold */
  async #putPointer(input: PutInput, deadline: number): Promise<boolean> {
    try {
      await this.#put(input, deadline);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailedError) return false;
      throw error;
    }
  }

  async #get(Key: Item, ConsistentRead: boolean, deadline: number): Promise<Item | undefined> {
    const { client, table, now } = this.#options;
    return await withTimeout(this.#clock, deadline - now(), (signal) =>
      client.get({ TableName: table, Key, ConsistentRead }, { signal }),
    );
  }

  async #put(input: PutInput, deadline: number): Promise<void> {
    const { client, table, now } = this.#options;
    await withTimeout(this.#clock, deadline - now(), (signal) =>
      client.put({ TableName: table, ...input }, { signal }),
    );
  }
}

function isSameCatalogue<P extends { readonly manifest: Manifest }>(
  before: P | undefined,
  { catalogueAsOf }: Manifest,
): before is P {
  return catalogueAsOf !== undefined && before?.manifest.catalogueAsOf === catalogueAsOf;
}

type PutInput = Omit<PutItemCommandInput, 'TableName'>;
