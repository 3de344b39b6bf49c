import type { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Market } from '../../core/domain/market.ts';
import { decodeMarket } from '../../core/domain/market-lines.ts';
import { type SnapshotInfo, snapshotTime } from '../../core/domain/snapshot.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { fieldIf, inGroups } from '../../core/domain/values.ts';
import { queryItems, type RangeQuery } from '../platform/dynamodb.ts';
import type { PointerReaderOptions } from './latest-pointer.ts';
import {
  BrokenSnapshotError,
  type Item,
  PUBLISHED_PARTITION,
  type SnapshotManifest,
} from './snapshot-items.ts';
import { SnapshotReader } from './snapshot-reader.ts';

/** A snapshot that a run published. */
export interface Publication {
  readonly id: string;
  readonly asOf: UnixMs;
  /** When readers could first get it. Absent if the run ended before it listed the snapshot. */
  readonly publishedAt?: UnixMs;
  /** Absent if the table no longer has the snapshot. */
  readonly info?: SnapshotInfo;
}

/** Snapshots that the archive reads ahead, to hide the table's latency. Each text has 3 MB. */
const READ_AHEAD = 4;
/** The manifests that are read at the same time. */
const MANIFESTS_AT_ONCE = 16;

/** Reads published snapshots, including those that callers can no longer read. */
export class PublishedSnapshots {
  readonly #options: PointerReaderOptions;
  readonly #reader: SnapshotReader;
  readonly #manifests = new Map<string, SnapshotManifest>();

  constructor(options: PointerReaderOptions) {
    this.#options = options;
    this.#reader = new SnapshotReader(options);
  }

  /**
   * Snapshots of a period, and the nearest ones before and after it if they are known, by time. A
   * snapshot counts if an item lists it or a later snapshot names it as the previous one.
   *
   * @param to exclusive
   */
  async between(from: UnixMs, to: UnixMs): Promise<Publication[]> {
    const before = await this.#listed({ to: from - 1, newestFirst: true, limit: 1 });
    const after = await this.#listed({ from: to, limit: 1 });
    const byId = new Map<string, Publication>();
    let unread = [...before, ...(await this.#listed({ from, to: to - 1 })), ...after];
    while (unread.length > 0) {
      const previous: string[] = [];
      for (const group of inGroups(unread, MANIFESTS_AT_ONCE)) {
        for (const [snapshot, previousId] of await Promise.all(
          group.map((listed) => this.#withInfo(listed)),
        )) {
          byId.set(snapshot.id, snapshot);
          if (previousId !== undefined && snapshot.asOf >= from) previous.push(previousId);
        }
      }
      unread = previous.filter((id) => !byId.has(id)).map((id) => ({ id, asOf: snapshotTime(id) }));
    }
    return [...byId.values()].sort((a, b) => a.asOf - b.asOf);
  }

  /** The markets of each snapshot; undefined if lost or broken. @throws what the table throws */
  async *read(snapshots: readonly Publication[]): AsyncGenerator<Iterable<Market> | undefined> {
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

  async #listed(range: RangeQuery): Promise<Publication[]> {
    const publications: Publication[] = [];
    const { client, table } = this.#options;
    const send = (command: QueryCommand) => client.send(command);
    for await (const item of queryItems(table, PUBLISHED_PARTITION, range, send))
      publications.push(readItem(item));
    return publications;
  }

  /** @returns the snapshot, and the id of the one before it */
  async #withInfo(snapshot: Publication): Promise<readonly [Publication, string | undefined]> {
    const manifest = await ifReadable(() => this.#reader.manifestOf(snapshot.id));
    if (manifest) this.#manifests.set(snapshot.id, manifest);
    return [{ ...snapshot, ...fieldIf('info', manifest) }, manifest?.previousId];
  }

  async #text({ id }: Publication): Promise<Buffer | undefined> {
    const manifest = this.#manifests.get(id);
    return manifest && (await ifReadable(() => this.#reader.readText(manifest)));
  }
}

function readItem({ n, snapshotId, publishedAt }: Item): Publication {
  const time = publishedAt?.N === undefined ? undefined : Number(publishedAt.N);
  return { id: snapshotId?.S ?? '', asOf: Number(n?.N), ...fieldIf('publishedAt', time) };
}

/** Undefined for broken data; other errors are thrown. */
async function ifReadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BrokenSnapshotError) return undefined;
    throw error;
  }
}

/** Line by line, because all lines of a day would be several GB of strings. */
function* decodeEach(text: Buffer): Generator<Market> {
  for (let start = 0; start < text.length; ) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    yield decodeMarket(text.toString('utf8', start, end));
    start = end + 1;
  }
}
