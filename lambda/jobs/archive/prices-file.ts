/**
 * The Parquet file with the prices of a day: a row for each market of each snapshot, about three
 * million. The rows of a market are together, by ascending time.
 */
import { CHANGE_FIELDS, PRICE_SOURCES } from '../../core/contract/market-fields.ts';
import { inGroups } from '../../core/domain/values.ts';
import type { DayRows, MarketRows, NumberName } from './day-rows.ts';
import { type DayFile, type GroupColumns, type Metadata, ParquetFile } from './parquet-file.ts';

/**
 * The markets of a row group. A reader of one market reads the whole group, about 400 KB of a day.
 * Smaller groups would need a larger footer.
 */
const MARKETS_PER_ROW_GROUP = 100;

/** Makes the file: a row group for every 100 markets. */
export async function pricesFile(rows: DayRows, metadata: Metadata): Promise<DayFile> {
  const file = new ParquetFile(PRICES, metadata);
  const times = rows.snapshots.map(({ time }) => BigInt(time));
  for (const markets of inGroups(rows.sorted(), MARKETS_PER_ROW_GROUP)) {
    // Gives the event loop a turn, so that the job can renew its claim meanwhile.
    await new Promise(setImmediate);
    file.addRowGroup({ markets, times });
  }
  return file.finish();
}

/** What the columns of the prices read for one row group. */
interface PriceGroup {
  readonly markets: readonly MarketRows[];
  /** The times of the day's snapshots. Rows share one object per time. */
  readonly times: readonly bigint[];
}

/**
 * The text of each combination of doubtful changes; null for none. The index has a bit for each of
 * CHANGE_FIELDS, as in `MarketRows.doubts`: 0b0011 is the text "oneHourPriceChange,oneDayPriceChange".
 * Millions of rows share these texts.
 */
const DOUBT_TEXTS: readonly (string | null)[] = Array.from(
  { length: 2 ** CHANGE_FIELDS.length },
  (_, bits) => CHANGE_FIELDS.filter((_name, n) => bits & (1 << n)).join(',') || null,
);

/**
 * The columns of the prices: the type of each (with `?` if a value can be null), and how it reads
 * its values from a row group. `row` counts the rows of a market, as in `MarketRows`.
 */
export const PRICES: GroupColumns<PriceGroup> = {
  time: [
    'time',
    ({ markets, times }) => eachRow(markets, ({ snapshots }, row) => times[snapshots[row] ?? 0]),
  ],
  id: ['text', ({ markets }) => eachRow(markets, ({ market }) => market.id)],
  bid: ['number?', ({ markets }) => numbersOf(markets, 'bid')],
  ask: ['number?', ({ markets }) => numbersOf(markets, 'ask')],
  midpoint: ['number?', ({ markets }) => numbersOf(markets, 'midpoint')],
  probability: ['number', ({ markets }) => numbersOf(markets, 'probability')],
  source: [
    'text',
    ({ markets }) => eachRow(markets, ({ sources }, row) => PRICE_SOURCES[sources[row] ?? 0]),
  ],
  priced_at: [
    'time?',
    ({ markets, times }) =>
      eachRow(markets, ({ snapshots, priceAges }, row) => {
        const snapshotTime = times[snapshots[row] ?? 0] ?? 0n;
        const ageMs = priceAges[row] ?? 0;
        // A price without an age was read for its snapshot.
        return ageMs === 0 ? null : snapshotTime - BigInt(ageMs);
      }),
  ],
  volume: ['number', ({ markets }) => numbersOf(markets, 'volume')],
  liquidity: ['number', ({ markets }) => numbersOf(markets, 'liquidity')],
  doubtful_changes: [
    'text?',
    ({ markets }) => eachRow(markets, ({ doubts }, row) => DOUBT_TEXTS[doubts[row] ?? 0]),
  ],
  bid_size: ['number?', ({ markets }) => numbersOf(markets, 'bidSize')],
  ask_size: ['number?', ({ markets }) => numbersOf(markets, 'askSize')],
};

/** A column of a row group: a value for each row of each market. */
function eachRow<T>(
  markets: readonly MarketRows[],
  valueAt: (rows: MarketRows, row: number) => T,
): T[] {
  const column: T[] = [];
  for (const rows of markets)
    for (let row = 0; row < rows.length; row++) column.push(valueAt(rows, row));
  return column;
}

/** A column of numbers: null where a market does not have the number, which its rows store as NaN. */
function numbersOf(
  markets: readonly MarketRows[],
  name: NumberName,
): Float64Array | (number | null)[] {
  const column = new Float64Array(markets.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const { numbers, length } of markets) {
    column.set(numbers[name].subarray(0, length), end);
    end += length;
  }
  return column.some(Number.isNaN)
    ? Array.from(column, (value) => (Number.isNaN(value) ? null : value))
    : column;
}
