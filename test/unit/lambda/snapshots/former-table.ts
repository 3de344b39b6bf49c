import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import type { ByteWriter } from '../../../../lambda/snapshots/bytes.ts';
import { COLUMNS, MOVING_DETAILS, type MovingDetail } from '../../../../lambda/snapshots/columns.ts';
import { tableOf } from '../../../../lambda/snapshots/stored-markets.ts';
import { columnOf } from '../../../../lambda/snapshots/stored-table.ts';

/** The column that was added last. */
export const NEWEST_COLUMN = MOVING_DETAILS.at(-1) as MovingDetail;

/** A table as it was written before the newest column: in one block of texts. */
export function writeFormerTable(
  writer: ByteWriter,
  entries: readonly SnapshotEntry[],
  pack = (bytes: Uint8Array): Uint8Array => bytes,
): void {
  const table = tableOf(entries);
  const numbers = COLUMNS.slice(0, -1).flatMap(([name]) => [...columnOf(table, name)]);
  for (const header of [table.length, table.longestRow, Math.max(1, table.length)]) writer.varint(header);
  writer.bytes(pack(new Uint8Array(Float64Array.from(numbers).buffer)));
  if (table.length === 0) return;
  const texts = entries.map((_, position) => table.text(position)).join('\n');
  writer.bytes(pack(Buffer.from(texts)));
}

/** What that table holds of a market. */
export function withoutNewest(entry: SnapshotEntry | undefined): SnapshotEntry {
  if (!entry) throw new RangeError('There is no such market');
  const { [NEWEST_COLUMN]: _, ...facets } = entry.facets;
  return { ...entry, facets };
}
