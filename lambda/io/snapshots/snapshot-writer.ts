import {
  type DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { ARCHIVE_TTL_SECONDS, SNAPSHOT_TTL_SECONDS } from '../../core/contract/constants.ts';
import type { Market } from '../../core/domain/market.ts';
import { decodeMarket, encodeMarkets } from '../../core/domain/market-lines.ts';
import type { MissingMarkets } from '../../core/domain/missing-markets.ts';
import type { SnapshotInfo } from '../../core/domain/snapshot.ts';
import {
  CLOCK_TOLERANCE_SECONDS,
  DAY_MS,
  expirySeconds,
  SECOND_MS,
  type UnixMs,
  type UnixSeconds,
} from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import { type Clock, withTimeout } from '../platform/clock.ts';
import { isConditionFailed } from '../platform/dynamodb-errors.ts';
import type { Log } from '../platform/telemetry.ts';
import { storedMissing } from './missing-text.ts';
import { SnapshotBase } from './snapshot-base.ts';
import { checksumOf, cutChunks } from './snapshot-codec.ts';
import {
  BrokenSnapshotError,
  chunkItem,
  failureItem,
  type Item,
  manifestAttribute,
  pointerItem,
  publishedItem,
  type RefreshFailure,
  readManifest,
  readShrunkRuns,
  requireManifest,
  type SnapshotManifest,
  snapshotKey,
} from './snapshot-items.ts';
import { SnapshotReader } from './snapshot-reader.ts';

interface SnapshotWriterOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly clock: Clock;
  readonly logger: Pick<Log, 'warn'>;
  /** Lists snapshots for the archive and keeps them longer. */
  readonly isArchived: boolean;
}

/** What a run publishes. The markets are in list order. */
export interface SnapshotDraft extends Omit<SnapshotInfo, 'markets' | 'missing'> {
  readonly markets: readonly Market[];
  readonly missing?: MissingMarkets;
}

/** The newest snapshot without its markets. */
export interface PointerInfo extends Omit<SnapshotInfo, 'missing'> {
  readonly missing?: MissingMarkets;
  /** Later runs that did not publish because their catalogue had too few markets. */
  readonly shrunkRuns: number;
}

/** What became of a snapshot. */
export interface PublishResult {
  /** `superseded` if another run has published newer data. */
  readonly outcome: 'published' | 'superseded';
  /** Compressed size, including a new base. */
  readonly bytes: number;
}

/** Callers can read a snapshot until `expiresAt`, the archive until `deletedAt`. */
type Expiry = Readonly<Record<'expiresAt' | 'deletedAt', UnixSeconds>>;

/** A snapshot as the table stores it. */
interface EncodedSnapshot {
  readonly manifest: SnapshotManifest;
  readonly items: readonly Item[];
  readonly bytes: PublishResult['bytes'];
}

type PutInput = Omit<PutItemCommandInput, 'TableName'>;

/** The reason of a failure is deleted after this time. */
const FAILURE_TTL_MS = DAY_MS;
/** A run that has published waits at most this long for the archive's item. */
const RECORD_TIMEOUT_MS = 2 * SECOND_MS;

/**
 * When the pointer may move: neither prices nor catalogue go back in time. A repeated write
 * succeeds. A pointer from a clock that is too fast does not block later runs.
 */
const POINTER_CONDITION = [
  'attribute_not_exists(pk)',
  '(asOf < :asOf AND catalogueAsOf <= :catalogueAsOf)',
  'snapshotId = :id',
  'asOf > :future',
].join(' OR ');

/**
 * Writes snapshots to the table. It moves the pointer last, so that a reader never finds half a
 * snapshot.
 */
export class SnapshotWriter {
  readonly #options: SnapshotWriterOptions;
  readonly #reader: SnapshotReader;
  readonly #base: SnapshotBase;
  /** What this container published last. */
  #published: { readonly id: string; readonly markets: readonly Market[] } | undefined;

  constructor(options: SnapshotWriterOptions) {
    this.#options = options;
    this.#reader = new SnapshotReader(options);
    this.#base = new SnapshotBase(this.#reader, options.clock);
  }

  /**
   * The newest snapshot.
   *
   * @returns undefined if there is none, or if it is broken and a new one must replace it
   * @throws TimeoutError after the deadline, or the table's error: the stored snapshot may be good
   */
  async newest(
    deadline: UnixMs,
  ): Promise<{ readonly info: PointerInfo; readonly markets: readonly Market[] } | undefined> {
    try {
      return await this.#within(deadline, async () => {
        const item = await this.#reader.pointer();
        if (!item) return undefined;
        const manifest = requireManifest(item);
        const [markets, missing] = await Promise.all([
          this.#marketsOf(manifest),
          this.#reader.readMissing(manifest),
        ]);
        const { missing: _counts, ...info } = manifest;
        const shrunkRuns = readShrunkRuns(item);
        return { info: { ...info, ...fieldIf('missing', missing), shrunkRuns }, markets };
      });
    } catch (error) {
      if (!(error instanceof BrokenSnapshotError)) throw error;
      this.#options.logger.warn('The newest snapshot is broken', { error });
      return undefined;
    }
  }

  /**
   * Writes a snapshot, and then moves the pointer to it.
   *
   * @throws TimeoutError after the deadline, or what the table throws
   */
  async publish(draft: SnapshotDraft, deadline: UnixMs): Promise<PublishResult> {
    const expiry = this.#expiry();
    const pointer = await this.#within(deadline, () => this.#reader.pointer());
    const previous = pointer && readManifest(pointer);
    const { manifest, items, bytes } = await this.#encode(draft, previous, expiry, deadline);
    await Promise.all(items.map((item) => this.#put({ Item: item }, deadline)));
    const isPublished = await this.#movePointer(manifest, pointer, deadline);
    if (!isPublished) return { outcome: 'superseded', bytes };
    this.#published = { id: draft.id, markets: draft.markets };
    if (this.#options.isArchived) await this.#recordPublished(draft, expiry.deletedAt, deadline);
    return { outcome: 'published', bytes };
  }

  /** The expiry of a snapshot that is written now. */
  #expiry(): Expiry {
    const now = this.#options.clock.now();
    const expiresAt = expirySeconds(now, SNAPSHOT_TTL_SECONDS * SECOND_MS);
    const deletedAt = this.#options.isArchived
      ? expirySeconds(now, ARCHIVE_TTL_SECONDS * SECOND_MS)
      : expiresAt;
    return { expiresAt, deletedAt };
  }

  /** Encodes a snapshot: against the base of the previous one, or with a new base. */
  async #encode(
    { markets, missing, ...info }: SnapshotDraft,
    previous: SnapshotManifest | undefined,
    { expiresAt, deletedAt }: Expiry,
    deadline: UnixMs,
  ): Promise<EncodedSnapshot> {
    const text = encodeMarkets(markets);
    const compressed =
      previous &&
      (await this.#within(deadline, () => this.#base.compress(text, previous.base, deletedAt)));
    const { data, base, baseItems } = compressed ?? this.#base.replace(info.id, text, deletedAt);
    const chunks = cutChunks(data);
    const missingText = storedMissing(info.id, missing, deletedAt);
    const manifest: SnapshotManifest = {
      ...info,
      ...missingText.manifest,
      markets: markets.length,
      chunks: chunks.length,
      checksum: checksumOf(text),
      expiresAt,
      base,
      // After a retry, the newest snapshot can be this one.
      ...fieldIf('previousId', previous?.id === info.id ? previous.previousId : previous?.id),
    };
    const chunkItems = chunks.map((chunk, n) => ({
      ...chunkItem(snapshotKey(info.id, n), chunk, deletedAt),
      // Readers find a snapshot by id through its first item.
      ...(n === 0 ? manifestAttribute(manifest) : {}),
    }));
    const newBaseBytes = baseItems.length > 0 ? base.bytes : 0;
    return {
      manifest,
      items: [...baseItems, ...chunkItems, ...missingText.items],
      bytes: data.length + newBaseBytes,
    };
  }

  /** Counts a run that did not publish because its catalogue had too few markets. */
  async recordShrunkRun({ id, shrunkRuns }: PointerInfo, deadline: UnixMs): Promise<void> {
    const item = await this.#within(deadline, () => this.#reader.pointer());
    const manifest = item && readManifest(item);
    if (manifest?.id !== id) return;
    const put = {
      Item: pointerItem(manifest, shrunkRuns + 1),
      ConditionExpression: 'snapshotId = :id',
      ExpressionAttributeValues: { ':id': { S: id } },
    };
    await this.#putIf(put, deadline);
  }

  /** Stores why a run failed, for `/api/status` while there is no snapshot. */
  async recordFailure(failure: RefreshFailure, deadline: UnixMs): Promise<void> {
    const expiresAt = expirySeconds(this.#options.clock.now(), FAILURE_TTL_MS);
    await this.#put({ Item: failureItem(failure, expiresAt) }, deadline);
  }

  /**
   * Moves the pointer to a snapshot.
   *
   * @param pointer its item before
   * @returns false if another run has published a newer snapshot
   */
  async #movePointer(
    manifest: SnapshotManifest,
    pointer: Item | undefined,
    deadline: UnixMs,
  ): Promise<boolean> {
    const previous = pointer && readManifest(pointer);
    // New prices do not confirm a catalogue, so its count of shrunken runs stays.
    const isSameCatalogue = previous?.catalogueAsOf === manifest.catalogueAsOf;
    const item = pointerItem(manifest, pointer && isSameCatalogue ? readShrunkRuns(pointer) : 0);
    // Replaces an unreadable pointer, whatever its times.
    if (pointer && !previous) return await this.#putIf({ Item: item }, deadline);
    const values = {
      ':asOf': { N: String(manifest.asOf) },
      ':catalogueAsOf': { N: String(manifest.catalogueAsOf) },
      ':id': { S: manifest.id },
      ':future': { N: String(this.#options.clock.now() + CLOCK_TOLERANCE_SECONDS * SECOND_MS) },
    };
    const condition = { ConditionExpression: POINTER_CONDITION, ExpressionAttributeValues: values };
    return await this.#putIf({ Item: item, ...condition }, deadline);
  }

  /** Never throws: without the item, the archive finds the snapshot through the next one. */
  async #recordPublished(
    info: Pick<SnapshotInfo, 'id' | 'asOf'>,
    expiresAt: UnixSeconds,
    deadline: UnixMs,
  ): Promise<void> {
    const { clock, logger } = this.#options;
    try {
      const item = publishedItem(info, clock.now(), expiresAt);
      await this.#put({ Item: item }, Math.min(deadline, clock.now() + RECORD_TIMEOUT_MS));
    } catch (error) {
      logger.warn('The archive will not find this snapshot in its list', { id: info.id, error });
    }
  }

  async #marketsOf(manifest: SnapshotManifest): Promise<readonly Market[]> {
    if (this.#published?.id === manifest.id) return this.#published.markets;
    return (await this.#reader.read(manifest)).map(decodeMarket);
  }

  /** Writes an item on a condition. @returns false if the condition does not hold */
  async #putIf(input: PutInput, deadline: UnixMs): Promise<boolean> {
    try {
      await this.#put(input, deadline);
      return true;
    } catch (error) {
      if (isConditionFailed(error)) return false;
      throw error;
    }
  }

  async #put(input: PutInput, deadline: UnixMs): Promise<void> {
    const { client, table } = this.#options;
    const command = new PutItemCommand({ TableName: table, ...input });
    await this.#within(deadline, (abortSignal) => client.send(command, { abortSignal }));
  }

  #within<T>(deadline: UnixMs, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock } = this.#options;
    return withTimeout(clock, deadline - clock.now(), work);
  }
}
