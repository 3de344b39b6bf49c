import type { ListEventsQuery, ListQuery } from 'market-data-proxy-client';
import { CATEGORY_NAMES, type CategoryName } from '../../../../lambda/core/contract/market-fields.ts';

/** What the page shows. The address contains all of it, so that every view is a link. */
export interface Shown extends Readonly<Record<FilterName, string | undefined>> {
  readonly view: View;
  readonly category: CategoryName | undefined;
  readonly query: string;
  readonly event: string | undefined;
  /** Undefined: the view's order. */
  readonly sort: string | undefined;
  readonly order: 'asc' | 'desc' | undefined;
  /** Condition id or slug. */
  readonly market: string | undefined;
}

/** The period of the first screen and of the movers. */
export const PERIOD = { sort: 'move1h', field: 'oneHourPriceChange', words: 'in the last hour' } as const;

/** Markets of less volume in USD move and end without many people who notice. */
export const NOTABLE_VOLUME = 10_000;

/** The views with their order and filter. Movers without volume and markets that have ended are left out. */
export const VIEWS = {
  top: { label: 'Today', sort: 'volume', filter: {}, about: 'by volume' },
  events: { label: 'Events', sort: undefined, filter: {}, about: 'by volume' },
  movers: {
    label: 'Movers',
    sort: PERIOD.sort,
    filter: { minVolume: NOTABLE_VOLUME },
    about: `largest change ${PERIOD.words}`,
  },
  traded: { label: 'Traded', sort: 'volume24h', filter: {}, about: 'by volume of the last 24 hours' },
  closing: { label: 'Closing', sort: 'endDate', filter: { endsAfter: '0h' }, about: 'next to end first' },
  newest: { label: 'New', sort: 'newest', filter: {}, about: 'newest first' },
} as const;
export type View = keyof typeof VIEWS;

interface Filter {
  readonly label: string;
  /** By their names in addresses. */
  readonly choices: Readonly<Record<string, { readonly label: string; readonly query: ListQuery }>>;
}

/** The filters of the API that the page offers. */
export const FILTERS = {
  volume: {
    label: 'Volume',
    choices: {
      '10k': { label: 'over $10K', query: { minVolume: 10_000 } },
      '100k': { label: 'over $100K', query: { minVolume: 100_000 } },
      '1m': { label: 'over $1M', query: { minVolume: 1_000_000 } },
    },
  },
  ends: {
    label: 'Ends',
    choices: {
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
} as const satisfies Record<string, Filter>;
export type FilterName = keyof typeof FILTERS;
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/** Every column of the table, by name: without names only 20 markets have 7- and 30-day changes. */
export const FIELDS = [
  'default',
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
] satisfies ListQuery['fields'];

/** @param address a path with its query; unknown values are ignored */
export function readShown(address: string): Shown {
  const { pathname, searchParams: query } = new URL(address, 'http://page');
  const [, kind, name] = /^\/(market|event)\/([^/]+)$/.exec(pathname) ?? [];
  const named = (path: 'market' | 'event') =>
    (kind === path && name ? decodeURIComponent(name) : query.get(path)) ?? undefined;
  const view = query.get('view') ?? '';
  const order = query.get('order');
  const filter = (filter: FilterName) => {
    const value = query.get(filter) ?? '';
    return Object.hasOwn(FILTERS[filter].choices, value) ? value : undefined;
  };
  return {
    view: Object.hasOwn(VIEWS, view) ? (view as View) : 'top',
    category: CATEGORY_NAMES.find((name) => name === query.get('category')),
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

export function addressOf({ market, event, view, query, ...others }: Shown): string {
  const path = market ? `/market/${encodeURIComponent(market)}` : event ? `/event/${encodeURIComponent(event)}` : '/';
  const search = new URLSearchParams();
  const entries = Object.entries({ view: view === 'top' ? '' : view, q: query, event: market && event, ...others });
  for (const [name, value] of entries) if (value) search.set(name, value);
  return search.size === 0 ? path : `${path}?${search}`;
}

/** Every list without an event, a search, a filter or an order of its own. */
export const WHOLE_LIST = {
  ...{ market: undefined, event: undefined, query: '', category: undefined, sort: undefined, order: undefined },
  ...{ volume: undefined, ends: undefined, chance: undefined },
} as const satisfies Omit<Shown, 'view'>;

/** Identifies the list of `shown`; an open market is not part of it. */
export function listKey(shown: Shown): string {
  const { view, category, query, event, sort, order, volume, ends, chance } = shown;
  return JSON.stringify(
    showsEvents(shown)
      ? [view, category, volume, ends]
      : [view, category, query, event, sort, order, volume, ends, chance],
  );
}

export function showsEvents({ view, event, query }: Shown): boolean {
  return view === 'events' && !event && !query;
}

/** Whether the list is the first screen, which says more than the list. */
export function showsToday(shown: Shown): boolean {
  const { view, event, query, category, sort } = shown;
  return view === 'top' && !event && !query && !category && !sort && FILTER_NAMES.every((name) => !shown[name]);
}

/** The sort key of the list; undefined for a search by relevance. */
export function sortOf({ sort, event, query, view }: Shown): string | undefined {
  return sort ?? (event ? 'probability' : query ? undefined : (VIEWS[view].sort ?? 'volume'));
}

/** The default order in words. */
export function orderOf({ event, query, view }: Shown): string {
  return event ? 'most probable first' : query ? 'best match first' : VIEWS[view].about;
}

/** The query of the list of events. */
export function eventQuery(shown: Shown): ListEventsQuery {
  const { category, volume, ends } = shown;
  // Events have no filter of the probability.
  const { minVolume, endsAfter, endsBefore } = filtersOf(shown);
  return {
    ...(category ? { category } : {}),
    ...(volume && minVolume ? { minVolume } : {}),
    ...(ends && endsAfter && endsBefore ? { endsAfter, endsBefore } : {}),
  };
}

/** The query of the list of markets, or of the search, without its text. */
export function listQuery(shown: Shown): ListQuery {
  const { query, category, event, view, order } = shown;
  const sort = sortOf(shown);
  return {
    fields: FIELDS,
    ...(category ? { category } : {}),
    ...(event ? { event } : {}),
    ...(event || query ? {} : VIEWS[view].filter),
    ...filtersOf(shown),
    // A sort key from the address can be unknown: the service rejects it.
    ...(sort ? { sort: sort as NonNullable<ListQuery['sort']> } : {}),
    ...(order ? { order } : {}),
  };
}

function filtersOf(shown: Shown): ListQuery {
  const choices = FILTER_NAMES.map((name) => (FILTERS[name] as Filter).choices[shown[name] ?? '']?.query);
  return Object.assign({}, ...choices);
}
