import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Snapshot } from '../domain/snapshot.ts';
import type { Published, SnapshotPublisher } from '../refresh/ports.ts';
import { encodeSnapshot } from './codec.ts';
import { chunkItem, type Manifest, POINTER_KEY, pointerItem, readManifest, readShrunkRuns } from './items.ts';

export interface SnapshotWriterOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly now: () => number;
  /** How long the chunks are kept. */
  readonly keptSeconds: number;
}

/** The refresher's side of the table: chunks first, then the pointer, so that a reader never sees half a snapshot. */
export class SnapshotWriter implements SnapshotPublisher {
  private readonly options: SnapshotWriterOptions;

  constructor(options: SnapshotWriterOptions) {
    this.options = options;
  }

  async latest(): Promise<Published | undefined> {
    const item = await this.pointer();
    return item && { ...readManifest(item), shrunkRuns: readShrunkRuns(item) };
  }

  async publish(snapshot: Snapshot): ReturnType<SnapshotPublisher['publish']> {
    const { client, table, now, keptSeconds } = this.options;
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
    await Promise.all(
      chunks.map((data, n) =>
        client.send(new PutItemCommand({ TableName: table, Item: chunkItem(manifest, n, data) })),
      ),
    );
    const written = await this.putPointer(
      manifest,
      0,
      // "Not newer" rather than "older": a retry of a write that had in fact succeeded must succeed as well.
      'attribute_not_exists(asOf) OR asOf <= :asOf',
      { ':asOf': { N: String(manifest.asOf) } },
    );
    return { outcome: written ? 'published' : 'superseded', bytes, chunks: chunks.length };
  }

  async recordShrunkRun(published: Published): Promise<void> {
    const item = await this.pointer();
    if (!item) return;
    await this.putPointer(readManifest(item), published.shrunkRuns + 1, 'snapshotId = :id', {
      ':id': { S: published.id },
    });
  }

  private async pointer() {
    const { client, table } = this.options;
    const command = new GetItemCommand({ TableName: table, Key: POINTER_KEY, ConsistentRead: true });
    return (await client.send(command)).Item;
  }

  private async putPointer(
    manifest: Manifest,
    shrunkRuns: number,
    condition: string,
    values: Record<string, { N: string } | { S: string }>,
  ): Promise<boolean> {
    try {
      await this.options.client.send(
        new PutItemCommand({
          TableName: this.options.table,
          Item: pointerItem(manifest, shrunkRuns),
          ConditionExpression: condition,
          ExpressionAttributeValues: values,
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}
