import { PRICE_SOURCES } from '../../core/contract/market-fields.ts';
import { readInstant } from '../../core/domain/moment.ts';
import { inGroups } from '../../core/domain/values.ts';
import type { DayRows, MarketRows, NumberName } from './day-rows.ts';
import type { KnownOutcome } from './outcomes.ts';
import { type Columns, ParquetFile } from './parquet-file.ts';

export interface DayFile {
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** A reader of one market reads one row group: 100 KB for 25 markets. Larger groups take more memory. */
const MARKETS_PER_ROW_GROUP = 25;

const PRICES = {
  time: 'time',
  id: 'text',
  bid: 'number?',
  ask: 'number?',
  midpoint: 'number?',
  probability: 'number',
  source: 'text',
  volume: 'number',
  liquidity: 'number',
} as const satisfies Columns;

const MARKETS = {
  id: 'text',
  question: 'text',
  slug: 'text?',
  token: 'text',
  outcomes: 'texts',
  tokens: 'texts',
  event: 'text?',
  event_title: 'text?',
  tags: 'texts',
  end_date: 'time?',
  first_time: 'time',
  last_time: 'time',
} as const satisfies Columns;

const OUTCOMES = { id: 'text', payout: 'number', resolved_at: 'time?', known_at: 'time' } as const satisfies Columns;

/** A row per market and snapshot, sorted by id and time. */
export function pricesFile(rows: DayRows): DayFile {
  const file = new ParquetFile(PRICES);
  // One object for each time, not for each row.
  const times = rows.times.map(BigInt);
  for (const markets of inGroups(rows.sorted(), MARKETS_PER_ROW_GROUP)) {
    file.addRowGroup({
      time: markets.flatMap(({ snapshots, length }) => Array.from(snapshots.subarray(0, length), (n) => times[n])),
      id: markets.flatMap(({ market, length }) => new Array<string>(length).fill(market.id)),
      bid: numbersOf(markets, 'bid'),
      ask: numbersOf(markets, 'ask'),
      midpoint: numbersOf(markets, 'midpoint'),
      probability: numbersOf(markets, 'probability'),
      source: markets.flatMap(({ sources, length }) =>
        Array.from(sources.subarray(0, length), (n) => PRICE_SOURCES[n]),
      ),
      volume: numbersOf(markets, 'volume'),
      liquidity: numbersOf(markets, 'liquidity'),
    });
  }
  return { rows: file.rows, bytes: file.finish() };
}

function numbersOf(markets: readonly MarketRows[], name: NumberName): Float64Array | (number | null)[] {
  const column = new Float64Array(markets.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const { numbers, length } of markets) {
    column.set(numbers[name].subarray(0, length), end);
    end += length;
  }
  return column.some(Number.isNaN) ? Array.from(column, (value) => (Number.isNaN(value) ? null : value)) : column;
}

/** A row per market, from its first snapshot of the day. */
export function marketsFile(rows: DayRows): DayFile {
  const all = rows.sorted();
  const column = <T>(read: (market: MarketRows['market']) => T): T[] => all.map(({ market }) => read(market));
  const file = new ParquetFile(MARKETS);
  file.addRowGroup({
    id: column(({ id }) => id),
    question: column(({ question }) => question),
    slug: column(({ slug }) => slug),
    token: column(({ clobTokenId }) => clobTokenId),
    outcomes: column(({ outcomes }) => outcomes.map(({ label }) => label)),
    tokens: column(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId)),
    event: column(({ eventSlug }) => eventSlug),
    event_title: column(({ eventTitle }) => eventTitle),
    tags: column(({ tags }) => [...tags]),
    end_date: column(({ endDate }) => readInstant(endDate)),
    first_time: all.map((market) => rows.spanOf(market)[0]),
    last_time: all.map((market) => rows.spanOf(market)[1]),
  });
  return { rows: file.rows, bytes: file.finish() };
}

/** A row per market whose resolution became known. */
export function outcomesFile(outcomes: readonly KnownOutcome[]): DayFile {
  const file = new ParquetFile(OUTCOMES);
  file.addRowGroup({
    id: outcomes.map(({ id }) => id),
    payout: outcomes.map(({ payout }) => payout),
    resolved_at: outcomes.map(({ resolvedAt }) => resolvedAt),
    known_at: outcomes.map(({ knownAt }) => knownAt),
  });
  return { rows: file.rows, bytes: file.finish() };
}
