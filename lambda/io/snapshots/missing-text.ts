import type { MissingMarkets } from '../../core/domain/missing-markets.ts';
import type { UnixSeconds } from '../../core/domain/time.ts';
import { checksumOf, compress, cutChunks } from './snapshot-codec.ts';
import { chunkItem, type Item, missingKey, type SnapshotManifest } from './snapshot-items.ts';

/** The markets that a list should have and lacks, as the table stores them. */
interface StoredMissing {
  /** The numbers. The manifest has no more, because every reader reads it. */
  readonly manifest: Pick<SnapshotManifest, 'missing' | 'missingText'>;
  /** The markets, in about 40 bytes each. */
  readonly items: readonly Item[];
}

/**
 * The markets that the list of a snapshot lacks, in the form of the table.
 *
 * @param missing undefined for a complete list
 */
export function storedMissing(
  snapshotId: string,
  missing: MissingMarkets | undefined,
  expiresAt: UnixSeconds,
): StoredMissing {
  if (!missing) return { manifest: {}, items: [] };
  const { markets, ...others } = missing;
  const text = Buffer.from(JSON.stringify(markets));
  const chunks = cutChunks(compress(text));
  return {
    manifest: {
      missing: { ...others, markets: markets.length },
      missingText: { chunks: chunks.length, checksum: checksumOf(text) },
    },
    items: chunks.map((chunk, n) => chunkItem(missingKey(snapshotId, n), chunk, expiresAt)),
  };
}
