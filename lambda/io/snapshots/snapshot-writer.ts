/** Writes snapshots (all markets with their prices at one time) for the refresher. */
import { ARCHIVE_TTL_SECONDS, SNAPSHOT_TTL_SECONDS } from '../../core/contract/constants.ts';
import type { Market } from '../../core/domain/market.ts';
import { decodeMarket, encodeMarkets } from '../../core/domain/market-lines.ts';
import type { MissingMarkets } from '../../core/domain/missing-markets.ts';
import type { SnapshotInfo } from '../../core/domain/snapshot.ts';
import { expirySeconds, SECOND_MS, type UnixMs, type UnixSeconds } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import { encodeMissing } from './missing-text.ts';
import { type PointerInfo, PointerWriter, type SnapshotWriterOptions } from './pointer-writer.ts';
import { SnapshotBase } from './snapshot-base.ts';
import { checksumOf } from './snapshot-codec.ts';
import {
  chunkItems,
  type Item,
  manifestAttribute,
  readManifest,
  readShrunkRuns,
  requireManifest,
  snapshotKey,
} from './snapshot-items.ts';
import { BrokenSnapshotError, type SnapshotManifest } from './snapshot-manifest.ts';

/** What a run publishes. The markets are in list order. */
export interface SnapshotDraft extends Omit<SnapshotInfo, 'markets' | 'missing'> {
  readonly markets: readonly Market[];
  readonly missing?: MissingMarkets;
}

/** What became of a snapshot. */
export interface PublishResult {
  /** `superseded` if another run has published newer data. */
  readonly outcome: 'published' | 'superseded';
  /** Compressed size, including a new base. */
  readonly bytes: number;
}

/** The newest snapshot, as the next run reads it. */
interface NewestSnapshot {
  readonly info: PointerInfo;
  readonly markets: readonly Market[];
}

/** Callers can read a snapshot until `expiresAt`, the archive until `deletedAt`. */
type Expiry = Readonly<Record<'expiresAt' | 'deletedAt', UnixSeconds>>;

/** A snapshot as the table stores it. */
interface EncodedSnapshot {
  readonly manifest: SnapshotManifest;
  readonly items: readonly Item[];
  readonly bytes: PublishResult['bytes'];
}

/**
 * Publishes snapshots. It writes the items of a snapshot first and moves the pointer to it last, so
 * that a reader never finds half a snapshot.
 */
export class SnapshotWriter extends PointerWriter {
  readonly #base: SnapshotBase;
  /** What this container published last. */
  #published: { readonly id: string; readonly markets: readonly Market[] } | undefined;

  constructor(options: SnapshotWriterOptions) {
    super(options);
    this.#base = new SnapshotBase(this.reader, options.clock);
  }

  /**
   * The newest snapshot.
   *
   * @returns undefined if there is none, or if it is broken and a new one must replace it
   * @throws TimeoutError after the deadline, or the table's error: the stored snapshot may be good
   */
  async newest(deadline: UnixMs): Promise<NewestSnapshot | undefined> {
    try {
      return await this.within(deadline, () => this.#readNewest());
    } catch (error) {
      if (!(error instanceof BrokenSnapshotError)) throw error;
      this.options.logger.warn('The newest snapshot is broken', { error });
      return undefined;
    }
  }

  async #readNewest(): Promise<NewestSnapshot | undefined> {
    const item = await this.reader.pointer();
    if (!item) return undefined;
    const manifest = requireManifest(item);
    const [markets, missing] = await Promise.all([
      this.#marketsOf(manifest),
      this.reader.readMissing(manifest),
    ]);
    // The manifest only counts the missing markets. The next run needs the markets themselves.
    const { missing: _counts, ...info } = manifest;
    const shrunkRuns = readShrunkRuns(item);
    return { info: { ...info, ...fieldIf('missing', missing), shrunkRuns }, markets };
  }

  /** The markets of a snapshot, from memory if this container published it. */
  async #marketsOf(manifest: SnapshotManifest): Promise<readonly Market[]> {
    if (this.#published?.id === manifest.id) return this.#published.markets;
    return (await this.reader.read(manifest)).map(decodeMarket);
  }

  /**
   * Writes a snapshot, and then moves the pointer to it.
   *
   * @throws TimeoutError after the deadline, or what the table throws
   */
  async publish(draft: SnapshotDraft, deadline: UnixMs): Promise<PublishResult> {
    const expiry = this.#expiry();
    const pointer = await this.within(deadline, () => this.reader.pointer());
    const previous = pointer && readManifest(pointer);
    const { manifest, items, bytes } = await this.#encode(draft, previous, expiry, deadline);
    await Promise.all(items.map((item) => this.put({ Item: item }, deadline)));
    const isPublished = await this.movePointer(manifest, pointer, deadline);
    if (!isPublished) return { outcome: 'superseded', bytes };
    this.#published = { id: draft.id, markets: draft.markets };
    if (this.options.isArchived) await this.recordPublished(draft, expiry.deletedAt, deadline);
    return { outcome: 'published', bytes };
  }

  /** The expiry of a snapshot that is written now. */
  #expiry(): Expiry {
    const now = this.options.clock.now();
    const expiresAt = expirySeconds(now, SNAPSHOT_TTL_SECONDS * SECOND_MS);
    const deletedAt = this.options.isArchived
      ? expirySeconds(now, ARCHIVE_TTL_SECONDS * SECOND_MS)
      : expiresAt;
    return { expiresAt, deletedAt };
  }

  /**
   * Encodes a snapshot as items: its text, which is compressed against the text of an earlier
   * snapshot (the base), the base if it is new, and the missing markets.
   */
  async #encode(
    { markets, missing, ...info }: SnapshotDraft,
    previous: SnapshotManifest | undefined,
    { expiresAt, deletedAt }: Expiry,
    deadline: UnixMs,
  ): Promise<EncodedSnapshot> {
    const text = encodeMarkets(markets);
    const { data, base, baseItems } = await this.within(deadline, () =>
      this.#base.compress({ id: info.id, text, deletedAt }, previous?.base),
    );
    const chunks = chunkItems(data, (chunk) => snapshotKey(info.id, chunk), deletedAt);
    const encodedMissing = encodeMissing(info.id, missing, deletedAt);
    const manifest: SnapshotManifest = {
      ...info,
      ...encodedMissing.manifest,
      markets: markets.length,
      chunks: chunks.length,
      checksum: checksumOf(text),
      expiresAt,
      base,
      // After a retry, the newest snapshot can be this one.
      ...fieldIf('previousId', previous?.id === info.id ? previous.previousId : previous?.id),
    };
    // Readers find a snapshot by id through its first item.
    const [first, ...others] = chunks;
    const snapshotItems = [{ ...first, ...manifestAttribute(manifest) }, ...others];
    const newBaseBytes = baseItems.length > 0 ? base.bytes : 0;
    return {
      manifest,
      items: [...baseItems, ...snapshotItems, ...encodedMissing.items],
      bytes: data.length + newBaseBytes,
    };
  }
}
