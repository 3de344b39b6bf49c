import { byVolume } from '../../domain/market.ts';
import { BrokenSnapshotError } from '../broken-snapshot-error.ts';
import { ByteReader, unzigzag } from '../bytes.ts';
import { type DecodedSnapshot, type Encoded, TableSnapshot, unpack, whole } from '../codec.ts';
import { COLUMNS, type Numbers, unitsOf } from '../columns.ts';
import { HeldTable } from '../stored-markets.ts';

/** A market as it was stored: its text, and its numbers beside it. */
interface Row {
  readonly text: string;
  readonly numbers: Numbers;
}

/** The columns that there were: newer ones come after them. */
export const FORMER_COLUMNS = COLUMNS.slice(0, 12);

type Stored = Pick<Encoded, 'chunks' | 'checksum'>;
type Values = readonly (number | undefined)[];

/**
 * A snapshot whose base has all its texts in one piece and all numbers as varints (docs/adr/0028-lazy-base.md). Needed
 * from the deployment of a new version until its first run has published, and for links to snapshots of the hour before.
 *
 * @throws BrokenSnapshotError when the chunks are not those that were written, or do not hold `markets` markets
 */
export function decodeVarintSnapshot(base: Stored, snapshot: Stored, markets: number): DecodedSnapshot {
  const rows = readDelta(
    new ByteReader(unpack(whole(snapshot.chunks, snapshot.checksum, 'snapshot'))),
    readRows(new ByteReader(unpack(whole(base.chunks, base.checksum, 'base')))),
  );
  if (rows.length !== markets) {
    throw new BrokenSnapshotError(`Expected ${markets} markets, found ${rows.length}`);
  }
  return new TableSnapshot(
    new HeldTable(
      rows.map(({ text }) => text),
      rows.map(({ numbers }) => numbers),
    ),
  );
}

function readDelta(reader: ByteReader, base: readonly Row[]): Row[] {
  const removed = new Set<number>();
  let position = -1;
  for (let left = reader.varint(); left > 0; left--) {
    position += 1 + reader.varint();
    removed.add(position);
  }
  const added = readRows(reader);
  const kept = base.filter((_, n) => !removed.has(n));
  const columns = FORMER_COLUMNS.map(([name, perUnit]) =>
    readColumn(
      reader,
      kept.map(({ numbers }) => numbers[name]),
      perUnit,
    ),
  );
  const all = [...kept.map(({ text }, n) => ({ text, numbers: numbersAt(columns, n) })), ...added];
  if (reader.varint() === 0) return byVolumeAndId(all);
  let place = 0;
  return all.flatMap(() => {
    place += unzigzag(reader.varint());
    return all[place] ?? [];
  });
}

function readRows(reader: ByteReader): Row[] {
  const text = reader.text();
  const length = reader.varint();
  const texts = length === 0 ? [] : text.split('\n');
  if (texts.length !== length) throw new RangeError(`Expected ${length} markets, found ${texts.length}`);
  const nothing: Values = texts.map(() => undefined);
  const columns = FORMER_COLUMNS.map(([, perUnit]) => readColumn(reader, nothing, perUnit));
  return texts.map((one, n) => ({ text: one, numbers: numbersAt(columns, n) }));
}

function readColumn(reader: ByteReader, base: Values, perUnit: number): Values {
  return base.map((before) => {
    const code = reader.varint();
    if (code === 0) return before;
    if (code === 1) return undefined;
    if (code === 2) return reader.double();
    return (unzigzag(code - 3) + (unitsOf(before ?? Number.NaN, perUnit) ?? 0)) / perUnit;
  });
}

function numbersAt(columns: readonly Values[], n: number): Numbers {
  return Object.fromEntries(FORMER_COLUMNS.map(([name], column) => [name, columns[column]?.[n]])) as Numbers;
}

function byVolumeAndId(rows: readonly Row[]): Row[] {
  const keyed = rows.map((row) => ({
    row,
    volume: row.numbers.volume ?? 0,
    id: (JSON.parse(row.text) as { id: string }).id,
  }));
  return keyed.sort(byVolume).map(({ row }) => row);
}
