// The list queries of callers, and the markets that they must get. These are selected without the
// service's code.

import type { Market } from '../../lambda/core/domain/market.ts';
import type { Dice } from '../support/dice.ts';

/** A query with its answer. */
interface ListQuery {
  /** For example `sort=spread&minVolume=20000`. */
  readonly query: string;
  /** The markets of a snapshot that the list has, in its order. */
  readonly select: (markets: readonly Market[]) => readonly Market[];
}

/** A sort, and the value that it orders by, the lowest first. Markets without it come last. */
interface Sort {
  readonly name: string;
  readonly value: (market: Market) => number | undefined;
}
interface Filter {
  readonly query: string;
  readonly keeps: (market: Market) => boolean;
}

const SORTS: readonly [Sort, ...Sort[]] = [
  { name: 'volume', value: ({ volume }) => -volume },
  { name: 'probability', value: ({ currentProbability }) => -currentProbability },
  { name: 'spread', value: ({ spread }) => spread },
  { name: 'change1d', value: (market) => negative(sureChange(market, 'oneDayPriceChange')) },
  { name: 'move1h', value: (market) => negative(size(sureChange(market, 'oneHourPriceChange'))) },
];
const FILTERS: readonly [Filter, ...Filter[]] = [
  { query: '', keeps: () => true },
  { query: '&minVolume=20000', keeps: ({ volume }) => volume >= 20_000 },
  {
    query: '&minProbability=10&maxProbability=70',
    keeps: ({ currentProbability }) => currentProbability >= 10 && currentProbability <= 70,
  },
  { query: '&maxSpread=0.02', keeps: ({ spread }) => spread !== undefined && spread <= 0.02 },
];

/** One sort with one filter. */
export function pickListQuery(dice: Dice): ListQuery {
  const sort = dice.pick(SORTS);
  const filter = dice.pick(FILTERS);
  return {
    query: `sort=${sort.name}${filter.query}`,
    select: (markets) => sorted(markets.filter(filter.keeps), sort),
  };
}

/** Markets with the same value stay in the order of the list. */
function sorted(markets: readonly Market[], { value }: Sort): readonly Market[] {
  const key = (market: Market) => value(market) ?? Number.POSITIVE_INFINITY;
  return markets.toSorted((a, b) => (key(a) === key(b) ? 0 : key(a) - key(b)));
}

/** A change that the service does not doubt. */
function sureChange(
  market: Market,
  field: 'oneHourPriceChange' | 'oneDayPriceChange',
): number | undefined {
  return market.doubtfulChanges?.includes(field) ? undefined : (market[field] ?? undefined);
}

function negative(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value;
}

function size(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.abs(value);
}
