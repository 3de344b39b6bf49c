import type { CategoryName } from '../contract/categories.ts';
import type { Moment } from '../contract/parameters.ts';
import { timeOf } from '../domain/moment.ts';
import { setOf } from '../search/category-members.ts';
import { byVolume, type EventEntry, type EventTable } from './event-table.ts';
import type { Direction } from './orders.ts';

/** What events are sorted by. */
export type EventSort = 'volume' | 'volume24h' | 'liquidity' | 'endDate';

export interface EventQuery {
  readonly category?: CategoryName | undefined;
  /** Any of these tag slugs, in any case. */
  readonly tag?: readonly string[] | undefined;
  readonly minVolume?: number | undefined;
  readonly minVolume24h?: number | undefined;
  readonly minLiquidity?: number | undefined;
  readonly endsAfter?: Moment | undefined;
  readonly endsBefore?: Moment | undefined;
  readonly sort?: EventSort | undefined;
  readonly order?: Direction | undefined;
}

const VALUES: Readonly<Record<EventSort, (entry: EventEntry) => number>> = {
  volume: ({ summary }) => summary.volume,
  volume24h: ({ summary }) => summary.volume24h,
  liquidity: ({ summary }) => summary.liquidity,
  endDate: ({ endsAt }) => endsAt,
};

/**
 * The events that a query asks for, ties by volume.
 *
 * @param asOf time of the data in ms
 * @param found positions of markets: only events with one of them. @default all events
 */
export function selectEvents(
  events: EventTable,
  query: EventQuery,
  asOf: number,
  found?: readonly number[],
): readonly EventEntry[] {
  const { sort = 'volume', order = sort === 'endDate' ? 'asc' : 'desc' } = query;
  const wanted = found && new Set(found);
  const fulfils = conditionOf(query, asOf);
  const kept = events.entries.filter(
    (entry) => (wanted === undefined || entry.positions.some((at) => wanted.has(at))) && fulfils(entry),
  );
  const sign = order === 'asc' ? 1 : -1;
  const value = VALUES[sort];
  return kept.sort((a, b) => sign * (value(a) - value(b)) || byVolume(a, b));
}

function conditionOf(query: EventQuery, asOf: number): (entry: EventEntry) => boolean {
  const { category, tag, minVolume = 0, minVolume24h = 0, minLiquidity = 0, endsAfter, endsBefore } = query;
  const categories = category === undefined ? undefined : setOf(category);
  const tags = tag && new Set(tag.map((slug) => slug.toLowerCase()));
  const from = endsAfter ? timeOf(endsAfter, asOf) : Number.NEGATIVE_INFINITY;
  const below = endsBefore ? timeOf(endsBefore, asOf) : Number.POSITIVE_INFINITY;
  return ({ summary, endsAt, categories: own }) =>
    (categories === undefined || (own & categories) !== 0) &&
    (tags === undefined || summary.tags.some((slug) => tags.has(slug.toLowerCase()))) &&
    summary.volume >= minVolume &&
    summary.volume24h >= minVolume24h &&
    summary.liquidity >= minLiquidity &&
    endsAt >= from &&
    endsAt < below;
}
