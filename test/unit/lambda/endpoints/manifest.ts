import type { Manifest } from '../../../../lambda/snapshots/dynamodb-items.ts';

/** What an endpoint sees of a snapshot beside its markets. */
export function manifestOf(id: string, asOf: number): Manifest {
  const counts = { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 };
  return { id, asOf, counts, markets: 0, chunks: 1, checksum: '', expiresAt: 0 };
}
