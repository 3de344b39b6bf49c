/** Finds and reads the snapshots (markets with their prices at one time) of a past period. */
import type { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Market } from '../../core/domain/market.ts';
import { decodeMarket } from '../../core/domain/market-lines.ts';
import { type SnapshotInfo, snapshotTime } from '../../core/domain/snapshot.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { fieldIf, inGroups } from '../../core/domain/values.ts';
import type { PointerReaderOptions } from './pointer-reader.ts';
import { queryItems, type RangeQuery } from './range-query.ts';
import { type Item, PUBLISHED_PARTITION } from './snapshot-items.ts';
import { BrokenSnapshotError, type SnapshotManifest } from './snapshot-manifest.ts';
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
  /** The manifests that `between` has read, by snapshot id. */
  readonly #manifests = new Map<string, SnapshotManifest>();

  constructor(options: PointerReaderOptions) {
    this.#options = options;
    this.#reader = new SnapshotReader(options);
  }

  /**
   * The snapshots of a period by time, and the nearest ones before and after it, if they are known.
   * A snapshot is found in the list of published ones, or because a later one names it as the
   * previous snapshot.
   *
   * @param to exclusive
   */
  async between(from: UnixMs, to: UnixMs): Promise<Publication[]> {
    const before = await this.#listed({ to: from - 1, newestFirst: true, firstOnly: true });
    const after = await this.#listed({ from: to, firstOnly: true });
    const found = new Map<string, Publication>();
    let unread = [...before, ...(await this.#listed({ from, to: to - 1 })), ...after];
    while (unread.length > 0) {
      const read = await this.#withInfo(unread);
      for (const snapshot of read) found.set(snapshot.id, snapshot);
      unread = [];
      for (const { id, asOf } of read) {
        const previousId = this.#manifests.get(id)?.previousId;
        // One snapshot before the period is enough.
        if (previousId === undefined || asOf < from || found.has(previousId)) continue;
        unread.push({ id: previousId, asOf: snapshotTime(previousId) });
      }
    }
    return [...found.values()].sort((a, b) => a.asOf - b.asOf);
  }

  /**
   * Yields the markets of each snapshot; undefined if it is lost or broken. `between` must have
   * returned the snapshots. Reads the texts of the next snapshots while the caller handles one.
   *
   * @throws what the table throws
   */
  async *read(snapshots: readonly Publication[]): AsyncGenerator<Iterable<Market> | undefined> {
    const started = snapshots.slice(0, READ_AHEAD).map((snapshot) => this.#beginText(snapshot));
    const waiting = snapshots.slice(READ_AHEAD);
    while (started.length > 0) {
      const text = await started.shift();
      yield text && decodeEach(text);
      const next = waiting.shift();
      if (next) started.push(this.#beginText(next));
    }
  }

  /** The snapshots in the table's list of published ones. */
  async #listed(range: RangeQuery): Promise<Publication[]> {
    const publications: Publication[] = [];
    const { client, table } = this.#options;
    const send = (command: QueryCommand) => client.send(command);
    for await (const item of queryItems(table, PUBLISHED_PARTITION, range, send))
      publications.push(publicationOf(item));
    return publications;
  }

  /** Adds their info to snapshots, a group at a time. */
  async #withInfo(snapshots: readonly Publication[]): Promise<Publication[]> {
    const all: Publication[] = [];
    for (const group of inGroups(snapshots, MANIFESTS_AT_ONCE)) {
      const read = await Promise.all(group.map((snapshot) => this.#readInfo(snapshot)));
      all.push(...read);
    }
    return all;
  }

  async #readInfo(snapshot: Publication): Promise<Publication> {
    const manifest = await ifReadable(() => this.#reader.manifestOf(snapshot.id));
    if (manifest) this.#manifests.set(snapshot.id, manifest);
    return { ...snapshot, ...fieldIf('info', manifest) };
  }

  /** Begins to read a text. If that fails, the error waits until `read` awaits the text. */
  #beginText(snapshot: Publication): Promise<Buffer | undefined> {
    const text = this.#text(snapshot);
    // Otherwise Node would end the process for an unhandled rejection.
    text.catch(() => undefined);
    return text;
  }

  async #text({ id }: Publication): Promise<Buffer | undefined> {
    const manifest = this.#manifests.get(id);
    return manifest && (await ifReadable(() => this.#reader.readText(manifest)));
  }
}

/** The publication that an item of the table lists. Its sort key is `asOf`. */
function publicationOf({ n, snapshotId, publishedAt }: Item): Publication {
  const time = publishedAt?.N === undefined ? undefined : Number(publishedAt.N);
  return { id: snapshotId?.S ?? '', asOf: Number(n?.N), ...fieldIf('publishedAt', time) };
}

/** What `read` returns; undefined for broken data. @throws other errors of `read` */
async function ifReadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BrokenSnapshotError) return undefined;
    throw error;
  }
}

/** Decodes a snapshot line by line: all lines of a day's snapshots would be several GB of strings. */
function* decodeEach(text: Buffer): Generator<Market> {
  for (let start = 0; start < text.length; ) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    yield decodeMarket(text.toString('utf8', start, end));
    start = end + 1;
  }
}
