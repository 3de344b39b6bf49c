import type { ListQuery } from 'market-data-proxy-client';
import { CATEGORY_NAMES, type CategoryName } from '../../../../lambda/core/contract/market-fields.ts';

/** The address contains all of it, so that every view is a link. */
export interface Shown {
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

/** Order and filter. Omits movers without volume, and ended markets. */
export const VIEWS = {
  top: { label: 'Biggest', sort: 'volume', filter: {}, about: 'by volume' },
  movers: {
    label: 'Movers',
    sort: 'move1d',
    filter: { minVolume: 10_000 },
    about: 'by the size of the 1-day change, with at least $10K volume',
  },
  traded: { label: 'Most traded', sort: 'volume24h', filter: {}, about: 'by volume of the last 24 hours' },
  closing: { label: 'Closing soon', sort: 'endDate', filter: { endsAfter: '0h' }, about: 'by end date' },
  newest: { label: 'Newest', sort: 'newest', filter: {}, about: 'newest first' },
  events: { label: 'Events', sort: undefined, filter: {}, about: 'by volume, each with its favourite' },
} as const;
export type View = keyof typeof VIEWS;

/** By name: otherwise only 20 markets have 7- and 30-day changes. */
const FIELDS = [
  'default',
  'sevenDayPriceChange',
  'thirtyDayPriceChange',
  'volume24h',
  'eventTitle',
  'eventSlug',
  'groupItemTitle',
  'negRisk',
] satisfies ListQuery['fields'];

/** @param search with or without `?`; unknown values are ignored */
export function readShown(search: string): Shown {
  const query = new URLSearchParams(search);
  const view = query.get('view') ?? '';
  const order = query.get('order');
  return {
    view: Object.hasOwn(VIEWS, view) ? (view as View) : 'top',
    category: CATEGORY_NAMES.find((name) => name === query.get('category')),
    query: (query.get('q') ?? '').trim(),
    event: query.get('event') ?? undefined,
    sort: query.get('sort') ?? undefined,
    order: order === 'asc' || order === 'desc' ? order : undefined,
    market: query.get('market') ?? undefined,
  };
}

export function addressOf(shown: Shown): string {
  const query = new URLSearchParams();
  const { view, query: q, category, event, sort, order, market } = shown;
  const entries = Object.entries({ view: view === 'top' ? '' : view, category, q, event, sort, order, market });
  for (const [name, value] of entries) if (value) query.set(name, value);
  const text = query.toString();
  return text === '' ? '/' : `/?${text}`;
}

export function showsEvents({ view, event, query }: Shown): boolean {
  return view === 'events' && !event && !query;
}

/** Undefined for a search by relevance. */
export function sortOf({ sort, event, query, view }: Shown): string | undefined {
  return sort ?? (event ? 'probability' : query ? undefined : VIEWS[view].sort);
}

/** The default order in words. */
export function orderOf({ event, query, view }: Shown): string {
  return event ? 'most probable first' : query ? 'best match first' : VIEWS[view].about;
}

/** For the list or the search, without its text. */
export function listQuery(shown: Shown): ListQuery {
  const { query, category, event, view, order } = shown;
  const sort = sortOf(shown);
  return {
    fields: FIELDS,
    ...(category ? { category } : {}),
    ...(event ? { event } : {}),
    ...(event || query ? {} : VIEWS[view].filter),
    // An unknown sort key of the address: the service's error is shown.
    ...(sort ? { sort: sort as NonNullable<ListQuery['sort']> } : {}),
    ...(order ? { order } : {}),
  };
}
