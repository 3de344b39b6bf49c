/**
 * Filters and sorts the events of a snapshot for `/api/events`. An event groups markets, such as
 * the candidates of an election.
 */
import type { ParsedParameters } from '../contract/parameters.ts';
import { EVENT_FILTERS, type EVENT_SORT } from '../contract/route-table/market-parameters.ts';
import type { UnixMs } from '../domain/time.ts';
import { type FilterRules, predicatesOf, tagPredicate } from './filters.ts';
import type { EventList, MarketEvent } from './market-events.ts';

/** The filters and the order of a request. */
export type EventQuery = ParsedParameters<typeof EVENT_FILTERS & typeof EVENT_SORT>;
/** `volume`, `endDate` and the other fields by which events are sorted or filtered. */
type EventField = NonNullable<EventQuery['sort']>;

/** How events are filtered. Each predicate makes a condition from the value of its parameter. */
const RULES: FilterRules<typeof EVENT_FILTERS, MarketEvent> = {
  filters: EVENT_FILTERS,
  readerOf: ({ field }) => valueReader(field),
  predicates: {
    category: (category) => (event) => event.categories.has(category),
    tag: (slugs) => tagPredicate(slugs, ({ summary }) => summary.tags),
  },
};

/**
 * The events that fulfil a query, in its order. Ties are in list order (volume, then slug), in both
 * directions.
 *
 * @param asOf the time of the data, from which `endsBefore=+7d` counts
 * @param foundPositions positions in the list of the markets that a search found: the result has
 * only events with one of these markets
 */
export function selectEvents(
  { events }: EventList,
  query: EventQuery,
  asOf: UnixMs,
  foundPositions?: readonly number[],
): readonly MarketEvent[] {
  const predicates = [...predicatesOf(RULES, query, asOf)];
  if (foundPositions) {
    const found = new Set(foundPositions);
    predicates.push(({ positions }) => positions.some((position) => found.has(position)));
  }
  const selected = events.filter((event) => predicates.every((predicate) => predicate(event)));
  const { sort = 'volume', order = sort === 'endDate' ? 'asc' : 'desc' } = query;
  const readValue = valueReader(sort);
  const sign = order === 'asc' ? 1 : -1;
  return selected.sort((a, b) => sign * (readValue(a) - readValue(b)));
}

/** Makes the function that reads a field as a number; times are in milliseconds. */
function valueReader(field: EventField): (event: MarketEvent) => number {
  return field === 'endDate' ? ({ endsAt }) => endsAt : ({ summary }) => summary[field];
}
