import type { ListEventsQuery, ListQuery } from 'market-data-proxy-client';
import { CATEGORY_NAMES, type CategoryName } from '../../../../lambda/core/contract/constants.ts';

/** What the page shows. All of it is in the address, so that every view is a link. */
export interface View extends Readonly<Record<FilterName, string | undefined>> {
  readonly tab: Tab;
  readonly category: CategoryName | undefined;
  readonly query: string;
  readonly event: string | undefined;
  readonly sort: string | undefined;
  readonly order: 'asc' | 'desc' | undefined;
  /** Condition id or slug. */
  readonly market: string | undefined;
}

/** The smallest volume of a notable market, in USD. Few people follow smaller ones. */
export const NOTABLE_VOLUME = 10_000;

const DAY_MS = 86_400_000;

/** The tabs of the list, with the query of each. */
export const TABS = {
  top: { label: 'Today', sort: 'volume', filter: {}, volume: undefined, orderLabel: 'by volume' },
  events: {
    label: 'Events',
    sort: 'volume',
    filter: {},
    volume: undefined,
    orderLabel: 'by volume',
  },
  movers: {
    label: 'Movers',
    sort: 'move1h',
    filter: {},
    /** The volume filter while the reader has chosen none: of `NOTABLE_VOLUME`. */
    volume: '10k',
    orderLabel: 'largest 1-hour change',
  },
  closing: {
    label: 'Closing',
    sort: 'endDate',
    filter: { endsAfter: '0h' },
    volume: undefined,
    orderLabel: 'ending soonest first',
  },
} as const;
export type Tab = keyof typeof TABS;

/** A filter that the reader can choose. */
interface Filter {
  readonly label: string;
  readonly choices: Readonly<Record<string, { readonly label: string; readonly query: ListQuery }>>;
}

/** The filters of the list, with the choices of each. */
export const FILTERS = {
  volume: {
    label: 'Volume',
    choices: {
      '10k': { label: 'over $10K', query: { minVolume: NOTABLE_VOLUME } },
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
        // The dates of the upstream are days of UTC.
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
} satisfies Record<string, Filter>;
export type FilterName = keyof typeof FILTERS;
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

/** Whether the view is the first screen. */
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
  const choice = (FILTERS.volume as Filter).choices[(!view.event && volumeOf(view)) || ''];
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
  // The page of an event has no controls for category and filters, and none for the order without a
  // sort.
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

/** The chosen filters as a part of a query. */
function filtersOf(view: View, names: readonly FilterName[]) {
  const all = { ...view, volume: volumeOf(view) };
  const choices = names.map((name) => (FILTERS[name] as Filter).choices[all[name] ?? '']?.query);
  return Object.assign({}, ...choices);
}
