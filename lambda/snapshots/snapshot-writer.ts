import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { CLOCK_TOLERANCE_SECONDS } from '../contract/constants.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { systemClock } from '../platform/clock.ts';
import { withTimeout } from '../platform/timeout.ts';
import type { Published, SnapshotPublisher } from '../refresh/ports.ts';
import { encodeSnapshot } from './codec.ts';
import {
  chunkItem,
  findManifest,
  type Manifest,
  POINTER_KEY,
  pointerItem,
  readShrunkRuns,
} from './dynamodb-items.ts';

export interface SnapshotWriterOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly now: () => number;
  /** How long the chunks are kept. */
  readonly keptSeconds: number;
}

/** For callers that are not a run with an end. */
const NO_DEADLINE = Number.POSITIVE_INFINITY;

/** The refresher's side of the table: chunks first, then the pointer, so that a reader never sees half a snapshot. */
export class SnapshotWriter implements SnapshotPublisher {
  private readonly options: SnapshotWriterOptions;

  constructor(options: SnapshotWriterOptions) {
    this.options = options;
  }

  async latest(deadline = NO_DEADLINE): Promise<Published | undefined> {
    const found = await this.pointer(deadline);
    // A pointer that cannot be read is as good as none: the next publication puts it right.
    return found?.manifest && { ...found.manifest, shrunkRuns: readShrunkRuns(found.item) };
  }

  async publish(snapshot: Snapshot, deadline = NO_DEADLINE): ReturnType<SnapshotPublisher['publish']> {
    const { now, keptSeconds } = this.options;
    const { chunks, checksum, bytes } = encodeSnapshot(snapshot.entries);
    const manifest: Manifest = {
      id: snapshot.id,
      asOf: snapshot.asOf,
      markets: snapshot.entries.length,
      counts: snapshot.counts,
      chunks: chunks.length,
      checksum,
      expiresAt: Math.ceil(now() / 1_000) + keptSeconds,
    };
    await Promise.all(chunks.map((data, n) => this.put({ Item: chunkItem(manifest, n, data) }, deadline)));
    const written = await this.putPointer(
      {
        Item: pointerItem(manifest, 0),
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
    return { outcome: written ? 'published' : 'superseded', bytes, chunks: chunks.length };
  }

  async recordShrunkRun(published: Published, deadline = NO_DEADLINE): Promise<void> {
    const manifest = (await this.pointer(deadline))?.manifest;
    if (!manifest) return;
    await this.putPointer(
      {
        Item: pointerItem(manifest, published.shrunkRuns + 1),
        ConditionExpression: 'snapshotId = :id',
        ExpressionAttributeValues: { ':id': { S: published.id } },
      },
      deadline,
    );
  }

  private async pointer(deadline: number) {
    const { client, table, now } = this.options;
    const command = new GetItemCommand({ TableName: table, Key: POINTER_KEY, ConsistentRead: true });
    const { Item: item } = await withTimeout(systemClock, deadline - now(), (abortSignal) =>
      client.send(command, { abortSignal }),
    );
    return item && { item, manifest: findManifest(item) };
  }

  /** @returns false when its condition did not hold */
  private async putPointer(input: PutInput, deadline: number): Promise<boolean> {
    try {
      await this.put(input, deadline);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  private async put(input: PutInput, deadline: number): Promise<void> {
    const { client, table, now } = this.options;
    const command = new PutItemCommand({ TableName: table, ...input });
    await withTimeout(systemClock, deadline - now(), (abortSignal) => client.send(command, { abortSignal }));
  }
}

type PutInput = Omit<ConstructorParameters<typeof PutItemCommand>[0], 'TableName'>;
