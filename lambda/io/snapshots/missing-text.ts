/**
 * Stores the missing markets of a snapshot: those that its list should have, because the lists before
 * had them, and lacks. Only the next run reads them, so they have items of their own.
 */
import type { MissingMarkets } from '../../core/domain/missing-markets.ts';
import type { UnixSeconds } from '../../core/domain/time.ts';
import { checksumOf, compress } from './snapshot-codec.ts';
import { chunkItems, type Item, missingKey } from './snapshot-items.ts';
import type { SnapshotManifest } from './snapshot-manifest.ts';

interface EncodedMissing {
  /** Fields of the snapshot's manifest. They only count, because every reader reads them. */
  readonly manifest: Pick<SnapshotManifest, 'missing' | 'missingText'>;
  /** The markets, in about 40 bytes each. */
  readonly items: readonly Item[];
}

/**
 * Encodes the missing markets of a snapshot.
 *
 * @param missing undefined for a complete list
 */
export function encodeMissing(
  snapshotId: string,
  missing: MissingMarkets | undefined,
  expiresAt: UnixSeconds,
): EncodedMissing {
  if (!missing) return { manifest: {}, items: [] };
  const { markets, ...others } = missing;
  const text = Buffer.from(JSON.stringify(markets));
  const items = chunkItems(compress(text), (chunk) => missingKey(snapshotId, chunk), expiresAt);
  return {
    manifest: {
      missing: { ...others, markets: markets.length },
      missingText: { chunks: items.length, checksum: checksumOf(text) },
    },
    items,
  };
}
