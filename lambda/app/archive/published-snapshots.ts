import type { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Market } from '../../core/domain/market.ts';
import { decodeMarket } from '../../core/domain/market-lines.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { queryItems } from '../../io/platform/dynamodb.ts';
import { BrokenSnapshotError } from '../../io/snapshots/snapshot-errors.ts';
import { PUBLISHED_PARTITION } from '../../io/snapshots/snapshot-items.ts';
import { SnapshotReader } from '../../io/snapshots/snapshot-reader.ts';

export interface PublishedSnapshot {
  readonly id: string;
  readonly asOf: UnixMs;
}

/** Against the table's latency; 3 MB of text each. */
const READ_AHEAD = 4;

/** Includes those that callers can no longer read. */
export class PublishedSnapshots {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #reader: SnapshotReader;

  constructor({ client, table }: { readonly client: DynamoDBClient; readonly table: string }) {
    this.#client = client;
    this.#table = table;
    // At time 0, no snapshot has expired.
    this.#reader = new SnapshotReader({ client, table, now: () => 0 });
  }

  /** By time. @param to not included */
  async between(from: UnixMs, to: UnixMs): Promise<PublishedSnapshot[]> {
    const found: PublishedSnapshot[] = [];
    const send = (command: QueryCommand) => this.#client.send(command);
    for await (const { n, snapshotId } of queryItems(this.#table, PUBLISHED_PARTITION, { from, to: to - 1 }, send)) {
      found.push({ id: snapshotId?.S ?? '', asOf: Number(n?.N) });
    }
    return found;
  }

  /** Undefined for a broken snapshot. @throws what the table throws */
  async *read(snapshots: readonly PublishedSnapshot[]): AsyncGenerator<Iterable<Market> | undefined> {
    const started: Promise<Buffer | undefined>[] = [];
    for (const n of snapshots.keys()) {
      for (const next of snapshots.slice(n + started.length, n + READ_AHEAD)) {
        const text = this.#text(next);
        // The loop throws the rejection later.
        text.catch(() => undefined);
        started.push(text);
      }
      const text = await started.shift();
      yield text && decodeEach(text);
    }
  }

  async #text({ id }: PublishedSnapshot): Promise<Buffer | undefined> {
    try {
      const manifest = await this.#reader.manifestOf(id);
      return manifest && (await this.#reader.readText(manifest));
    } catch (error) {
      if (error instanceof BrokenSnapshotError) return undefined;
      throw error;
    }
  }
}

/** Line by line: all lines of a day would be several GB of strings. */
function* decodeEach(text: Buffer): Generator<Market> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    yield decodeMarket(text.toString('utf8', start, end));
    start = end + 1;
  }
}
