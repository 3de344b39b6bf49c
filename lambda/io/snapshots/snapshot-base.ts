/**
 * The base: the text of an earlier snapshot, against which the writer compresses later ones (ADR 4).
 * Only the difference is stored. The base is in the table, because readers need it too.
 */
import {
  expirySeconds,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  toUnixMs,
  type UnixMs,
  type UnixSeconds,
} from '../../core/domain/time.ts';
import { type Clock, withTimeout } from '../platform/clock.ts';
import { checksumOf, compress } from './snapshot-codec.ts';
import { baseKey, chunkItems, type Item } from './snapshot-items.ts';
import type { BaseReference } from './snapshot-manifest.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

/** The writer replaces a base of this age, because differences grow with time. */
const BASE_MAX_AGE_MS = HOUR_MS;
/**
 * Above this share of a full snapshot, the writer replaces the base. If all prices move, a
 * difference is a fifth after a minute and two fifths after an hour. So a lower limit would replace
 * the base in most runs and save nothing.
 */
const BASE_MAX_DIFFERENCE = 1 / 2;

/** A base expires this much later than needed: clocks differ, and a run takes time to publish. */
const BASE_MARGIN_MS = 10 * MINUTE_MS;
/** If reading the base takes longer, the writer replaces it. */
const BASE_TIMEOUT_MS = 5 * SECOND_MS;
/** A lost base breaks all snapshots that name it, so the writer reads it again after this time. */
const BASE_CHECK_MS = 10 * MINUTE_MS;

/** A snapshot to compress. Its base must exist until it is deleted. */
interface SnapshotText {
  readonly id: string;
  readonly text: Buffer;
  readonly deletedAt: UnixSeconds;
}

/** A snapshot's text, compressed against a base. */
interface BasedText {
  readonly data: Buffer;
  readonly base: BaseReference;
  /** The items of the base's own text; empty if the table already has them. */
  readonly baseItems: readonly Item[];
}

/** Compresses snapshots against the base, and decides when a new base replaces it. */
export class SnapshotBase {
  readonly #reader: Pick<SnapshotReader, 'readBase'>;
  readonly #clock: Clock;
  /** The base that this container wrote or read last. */
  #known: { readonly id: string; readonly text: Buffer; readonly checkedAt: UnixMs } | undefined;

  constructor(reader: Pick<SnapshotReader, 'readBase'>, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /**
   * Compresses a text against the base of the previous snapshot. If there is no such base, or it
   * cannot be used any more, the text becomes the new base.
   */
  async compress(snapshot: SnapshotText, previous: BaseReference | undefined): Promise<BasedText> {
    const based = previous && (await this.#compressAgainst(previous, snapshot));
    return based ?? this.#compressAsBase(snapshot);
  }

  /** @returns undefined if the base cannot be used any more */
  async #compressAgainst(
    base: BaseReference,
    { text, deletedAt }: SnapshotText,
  ): Promise<BasedText | undefined> {
    const ageMs = this.#clock.now() - base.writtenAt;
    // If the base was written before the archive was switched on, it expires too early.
    const isUsable = ageMs >= 0 && ageMs < BASE_MAX_AGE_MS && base.expiresAt >= deletedAt;
    const baseText = isUsable ? await this.#textOf(base) : undefined;
    if (!baseText) return undefined;
    const data = compress(text, baseText);
    if (data.length > base.bytes * BASE_MAX_DIFFERENCE) return undefined;
    return { data, base, baseItems: [] };
  }

  /**
   * Makes the text of a snapshot the new base, and compresses it against itself, so that readers
   * need not know which snapshot a base comes from.
   */
  #compressAsBase({ id, text, deletedAt }: SnapshotText): BasedText {
    const full = compress(text);
    // All snapshots that name the base expire earlier.
    const expiresAt = expirySeconds(toUnixMs(deletedAt), BASE_MAX_AGE_MS + BASE_MARGIN_MS);
    const baseItems = chunkItems(full, (chunk) => baseKey(id, chunk), expiresAt);
    const base: BaseReference = {
      id,
      chunks: baseItems.length,
      checksum: checksumOf(text),
      expiresAt,
      writtenAt: this.#clock.now(),
      bytes: full.length,
    };
    this.#known = { id, text, checkedAt: base.writtenAt };
    return { data: compress(text, text), base, baseItems };
  }

  /** The text of a base. @returns undefined if the table does not return it in time */
  async #textOf(base: BaseReference): Promise<Buffer | undefined> {
    const known = this.#known;
    if (known?.id === base.id && this.#clock.now() - known.checkedAt < BASE_CHECK_MS)
      return known.text;
    try {
      const read = () => this.#reader.readBase(base);
      const text = await withTimeout(this.#clock, BASE_TIMEOUT_MS, read);
      this.#known = { id: base.id, text, checkedAt: this.#clock.now() };
      return text;
    } catch {
      return undefined;
    }
  }
}
