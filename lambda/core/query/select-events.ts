/** Filters and sorts the events of a list or a search. */
import type { ParsedParameters } from '../contract/parameters.ts';
import { EVENT_FILTERS, type EVENT_SORT } from '../contract/route-table/market-parameters.ts';
import type { UnixMs } from '../domain/time.ts';
import { type FilterRules, predicatesOf, tagPredicate } from './filters.ts';
import type { EventList, MarketEvent } from './market-events.ts';

/** The filters and the order of a request. */
export type EventQuery = ParsedParameters<typeof EVENT_FILTERS & typeof EVENT_SORT>;
type EventField = NonNullable<EventQuery['sort']>;

/**
 * The events that fulfil a query, in its order. Ties are in list order (volume, then slug), in both
 * directions.
 *
 * @param asOf start of relative moments
 * @param foundPositions only events with a market at one of them
 */
export function selectEvents(
  { events }: EventList,
  query: EventQuery,
  asOf: UnixMs,
  foundPositions?: readonly number[],
): readonly MarketEvent[] {
  const { sort = 'volume', order = sort === 'endDate' ? 'asc' : 'desc' } = query;
  const found = foundPositions && new Set(foundPositions);
  const isFound = ({ positions }: MarketEvent) =>
    !found || positions.some((position) => found.has(position));
  const predicates = predicatesOf(RULES, query, asOf);
  const readValue = valueReader({ field: sort });
  const sign = order === 'asc' ? 1 : -1;
  return events
    .filter((event) => isFound(event) && predicates.every((predicate) => predicate(event)))
    .sort((a, b) => sign * (readValue(a) - readValue(b)));
}

/** How events are filtered. */
const RULES: FilterRules<typeof EVENT_FILTERS, MarketEvent> = {
  filters: EVENT_FILTERS,
  readerOf: valueReader,
  predicates: {
    category: (category) => (event) => event.categories.has(category),
    tag: tagPredicate(({ summary }) => summary.tags),
  },
};

/**
 * Makes the function that reads the number that a sort or a bound compares; times are in
 * milliseconds.
 */
function valueReader({ field }: { readonly field: EventField }): (event: MarketEvent) => number {
  return field === 'endDate' ? ({ endsAt }) => endsAt : ({ summary }) => summary[field];
}
