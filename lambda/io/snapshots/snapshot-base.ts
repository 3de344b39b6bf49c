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
import { checksumOf, compress, cutChunks } from './snapshot-codec.ts';
import { type BaseReference, baseKey, chunkItem, type Item } from './snapshot-items.ts';
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

/** A snapshot's text, compressed against a base. */
interface BasedText {
  readonly data: Buffer;
  readonly base: BaseReference;
  /** Empty unless the base is new. */
  readonly baseItems: readonly Item[];
}

/** Compresses snapshots against the text of an earlier one, the base (ADR 4). */
export class SnapshotBase {
  readonly #reader: Pick<SnapshotReader, 'readBase'>;
  readonly #clock: Clock;
  /** The base that this container wrote or read last. */
  #known: { readonly id: string; readonly text: Buffer; readonly checkedAt: UnixMs } | undefined;

  constructor(reader: Pick<SnapshotReader, 'readBase'>, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** Compresses a text against the base. @returns undefined if a new base is due */
  async compress(
    text: Buffer,
    base: BaseReference,
    deletedAt: UnixSeconds,
  ): Promise<BasedText | undefined> {
    const ageMs = this.#clock.now() - base.writtenAt;
    // If the base was written before the archive was switched on, it expires too early.
    const isUsable = ageMs >= 0 && ageMs < BASE_MAX_AGE_MS && base.expiresAt >= deletedAt;
    const baseText = isUsable ? await this.#textOf(base) : undefined;
    const data = baseText && compress(text, baseText);
    return data && data.length <= base.bytes * BASE_MAX_DIFFERENCE
      ? { data, base, baseItems: [] }
      : undefined;
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

  /** Makes the text of this snapshot the new base. */
  replace(id: string, text: Buffer, snapshotDeletedAt: UnixSeconds): BasedText {
    const data = compress(text);
    const chunks = cutChunks(data);
    const base: BaseReference = {
      id,
      chunks: chunks.length,
      checksum: checksumOf(text),
      // All snapshots that name the base expire earlier.
      expiresAt: expirySeconds(toUnixMs(snapshotDeletedAt), BASE_MAX_AGE_MS + BASE_MARGIN_MS),
      writtenAt: this.#clock.now(),
      bytes: data.length,
    };
    this.#known = { id, text, checkedAt: base.writtenAt };
    const baseItems = chunks.map((chunk, n) => chunkItem(baseKey(id, n), chunk, base.expiresAt));
    return { data: compress(text, text), base, baseItems };
  }
}
