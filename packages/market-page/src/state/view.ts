/**
 * A view: what the page shows, as its address says it. This file reads views from addresses, and
 * makes the queries of their lists.
 */
import type { ListEventsQuery, ListQuery } from 'market-data-proxy-client';
import { CATEGORY_NAMES, type CategoryName } from '../../../../lambda/core/contract/constants.ts';

/** What the page shows. All of it is in the address, so that every view is a link. */
export interface View extends Readonly<Record<FilterName, string | undefined>> {
  readonly tab: Tab;
  readonly category: CategoryName | undefined;
  /** The text of a search; empty without one. */
  readonly query: string;
  /** The slug of the event whose markets are listed. */
  readonly event: string | undefined;
  readonly sort: string | undefined;
  readonly order: 'asc' | 'desc' | undefined;
  /** The open market: condition id or slug. */
  readonly market: string | undefined;
}

export type Tab = 'top' | 'events' | 'movers' | 'closing';
export type FilterName = 'volume' | 'ends' | 'chance';

/** The smallest volume of a notable market, in USD. Few people follow smaller ones. */
export const NOTABLE_VOLUME = 10_000;
export const NOTABLE_VOLUME_LABEL = 'over $10K';

const DAY_MS = 86_400_000;

/** A part of a query that filters. */
type FilterQuery = Pick<
  ListQuery,
  'minVolume' | 'endsAfter' | 'endsBefore' | 'minProbability' | 'maxProbability'
>;

/** A tab of the list, with its query. */
interface TabRow {
  readonly label: string;
  readonly sort: string;
  /** The order in words. */
  readonly orderLabel: string;
  /** A filter that the reader cannot change. */
  readonly filter?: FilterQuery;
  /** The volume filter while the reader has chosen none: a choice of `FILTERS.volume`. */
  readonly volume?: string;
}

export const TABS: Readonly<Record<Tab, TabRow>> = {
  top: { label: 'Today', sort: 'volume', orderLabel: 'by volume' },
  events: { label: 'Events', sort: 'volume', orderLabel: 'by volume' },
  movers: { label: 'Movers', sort: 'move1h', orderLabel: 'largest 1-hour change', volume: '10k' },
  closing: {
    label: 'Closing',
    sort: 'endDate',
    orderLabel: 'ending soonest first',
    filter: { endsAfter: '0h' },
  },
};

/**
 * A filter that the reader can choose. Its choices have the names of the address: `?volume=10k`.
 */
interface Filter {
  readonly label: string;
  readonly choices: Readonly<Record<string, Choice>>;
}
interface Choice {
  readonly label: string;
  readonly query: FilterQuery;
}

export const FILTERS: Readonly<Record<FilterName, Filter>> = {
  volume: {
    label: 'Volume',
    choices: {
      '10k': { label: NOTABLE_VOLUME_LABEL, query: { minVolume: NOTABLE_VOLUME } },
      '100k': { label: 'over $100K', query: { minVolume: 100_000 } },
      '1m': { label: 'over $1M', query: { minVolume: 1_000_000 } },
      any: { label: 'any', query: {} },
    },
  },
  ends: {
    label: 'Ends',
    choices: {
      tomorrow: {
        label: 'tomorrow (UTC)',
        // Computed for each query, because it depends on the time. Upstream's dates are days of
        // UTC.
        get query() {
          const midnight = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
          const at = (time: number) => new Date(time).toISOString();
          return { endsAfter: at(midnight), endsBefore: at(midnight + DAY_MS) };
        },
      },
      '1d': { label: 'within a day', query: { endsAfter: '0h', endsBefore: '24h' } },
      '7d': { label: 'within a week', query: { endsAfter: '0h', endsBefore: '7d' } },
      '30d': { label: 'within a month', query: { endsAfter: '0h', endsBefore: '30d' } },
    },
  },
  chance: {
    label: 'Probability',
    choices: {
      open: { label: '5–95%', query: { minProbability: 5, maxProbability: 95 } },
      even: { label: '40–60%', query: { minProbability: 40, maxProbability: 60 } },
      likely: { label: 'over 80%', query: { minProbability: 80 } },
      unlikely: { label: 'under 20%', query: { maxProbability: 20 } },
    },
  },
};
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];
/** The choices of a view with neither a search nor an event, in the usual order. */
export const NO_CHOICE = { query: '', event: undefined, sort: undefined, order: undefined };
/** The filters of a view in which the reader has chosen none. */
export const NO_FILTERS = { volume: undefined, ends: undefined, chance: undefined };

/** The fields of a row. They name the long changes: by default only 20 markets have them. */
export const FIELDS = [
  'default',
  'doubtfulChanges',
  'oneHourPriceChange',
  'sevenDayPriceChange',
  'thirtyDayPriceChange',
  'volume24h',
  'eventTitle',
  'eventSlug',
  'groupItemTitle',
  'negRisk',
  'priceSource',
  'pricedAt',
  'createdAt',
] satisfies ListQuery['fields'];

/** Reads a view from an address. @param address a path with its query; ignores unknown values */
export function readView(address: string): View {
  const { pathname, searchParams: query } = new URL(address, 'http://page');
  const [, kind, name] = /^\/(market|event)\/([^/]+)$/.exec(pathname) ?? [];
  // A name is in the path or, as in old addresses, in the query.
  const named = (path: 'market' | 'event') =>
    (kind === path && name ? decodeURIComponent(name) : query.get(path)) ?? undefined;
  const tab = query.get('view') ?? '';
  const order = query.get('order');
  const filter = (filterName: FilterName) => {
    const value = query.get(filterName) ?? '';
    return Object.hasOwn(FILTERS[filterName].choices, value) ? value : undefined;
  };
  return {
    tab: Object.hasOwn(TABS, tab) ? (tab as Tab) : 'top',
    category: CATEGORY_NAMES.find((known) => known === query.get('category')),
    query: (query.get('q') ?? '').trim(),
    event: named('event'),
    sort: query.get('sort') ?? undefined,
    order: order === 'asc' || order === 'desc' ? order : undefined,
    market: named('market'),
    volume: filter('volume'),
    ends: filter('ends'),
    chance: filter('chance'),
  };
}

/** The view of the address `/`: the whole list in its usual order. */
export const WHOLE_LIST = readView('/');

/** The address of a view: a path with its query. */
export function addressOf({ market, event, tab, query, ...others }: View): string {
  let path = '/';
  if (event) path = `/event/${encodeURIComponent(event)}`;
  if (market) path = `/market/${encodeURIComponent(market)}`;
  const search = new URLSearchParams();
  const entries = Object.entries({
    view: tab === 'top' ? '' : tab,
    q: query,
    event: market && event,
    ...others,
  });
  for (const [name, value] of entries) if (value) search.set(name, value);
  return search.size === 0 ? path : `${path}?${search}`;
}

/** Identifies the list, whichever market is open. */
export function listKey(view: View): string {
  return addressOf({ ...view, market: undefined });
}

/** Whether the view lists events and not markets. */
export function showsEvents({ tab, event, query }: View): boolean {
  return tab === 'events' && !event && !query;
}

/** Whether the view is that of `/`, which begins with the first screen (`today.tsx`). */
export function showsToday(view: View): boolean {
  return listKey(view) === '/';
}

/** The API's sort of a view. Undefined for a search by relevance. */
export function sortOf({ sort, event, query, tab }: View): string | undefined {
  if (sort !== undefined) return sort;
  if (event) return 'probability';
  return query ? undefined : TABS[tab].sort;
}

/** The volume filter that is on: the reader's choice, else that of the tab; undefined for none. */
export function volumeOf({ volume, tab, query, event }: View): string | undefined {
  const ofTab = query || event ? undefined : TABS[tab].volume;
  const value = volume ?? ofTab;
  return value === 'any' ? undefined : value;
}

/** "volume over $10K", if the list has such a filter. */
export function volumeWords(view: View): string {
  const value = view.event ? undefined : volumeOf(view);
  const choice = FILTERS.volume.choices[value ?? ''];
  return choice ? `volume ${choice.label}` : '';
}

/** The order without a choice, in words. */
export function defaultOrderWords({ event, query, tab }: View): string {
  if (event) return 'most probable first';
  return query ? 'best match first' : TABS[tab].orderLabel;
}

/** The query of a list of events. Events cannot be filtered by probability. */
export function eventQuery(view: View): ListEventsQuery {
  return { ...categoryOf(view), ...filtersOf(view, ['volume', 'ends']) };
}

/** The query of a list of markets, without the text of a search. */
export function listQuery(view: View): ListQuery {
  const { query, event, tab } = view;
  const sort = sortOf(view);
  // The page of an event has no controls for category and filters. Its default order has no
  // direction to choose.
  const filters = event ? { event } : { ...categoryOf(view), ...filtersOf(view, FILTER_NAMES) };
  const order = event && !view.sort ? undefined : view.order;
  return {
    fields: FIELDS,
    ...(event || query ? {} : TABS[tab].filter),
    ...filters,
    // A sort key from the address can be unknown: the service rejects it.
    ...(sort ? { sort: sort as NonNullable<ListQuery['sort']> } : {}),
    ...(order ? { order } : {}),
  };
}

/** The category as a part of a query. */
function categoryOf({ category }: View): Pick<ListQuery, 'category'> {
  return category ? { category } : {};
}

/** The chosen filters as a part of a query. @param names of the filters that count */
function filtersOf(view: View, names: readonly FilterName[]): FilterQuery {
  const chosen = { ...view, volume: volumeOf(view) };
  const queries = names.map((name) => FILTERS[name].choices[chosen[name] ?? '']?.query);
  return Object.assign({}, ...queries);
}
