import type { MissingMarkets } from '../../core/domain/missing-markets.ts';
import type { UnixSeconds } from '../../core/domain/time.ts';
import { checksumOf, compress, cutChunks } from './snapshot-codec.ts';
import { chunkItem, type Item, missingKey, type SnapshotManifest } from './snapshot-items.ts';

/** What a list lacks, as the table stores it. */
interface StoredMissing {
  /** The numbers. The manifest has no more, because every reader reads it. */
  readonly manifest: Pick<SnapshotManifest, 'missing' | 'missingText'>;
  /** The markets, in about 40 bytes each. */
  readonly items: readonly Item[];
}

/**
 * Stores what the list of a snapshot lacks in items of their own, and the numbers in its manifest.
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
