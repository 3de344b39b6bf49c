import { useEffect, useRef, useState } from 'preact/hooks';

/** What the address says is shown, so that every view is a link that can be shared. */
export interface Shown {
  readonly view: View;
  readonly category: Category | undefined;
  readonly query: string;
  readonly event: string | undefined;
  /** Column that the reader chose instead of the view's own order. */
  readonly sort: string | undefined;
  readonly order: 'asc' | 'desc' | undefined;
  /** The open market: condition id or slug. */
  readonly market: string | undefined;
}

/**
 * The ready views: how each is sorted, what it leaves out, and what it says of itself. Nobody wants to see a jump in a
 * market without money in it, or markets closing that have closed.
 */
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

export const CATEGORIES = ['election', 'crypto', 'sports', 'economics', 'tech'] as const;
export type Category = (typeof CATEGORIES)[number];

export function readShown(search: string): Shown {
  const query = new URLSearchParams(search);
  const view = query.get('view') ?? '';
  const category = CATEGORIES.find((name) => name === query.get('category'));
  const order = query.get('order');
  return {
    view: Object.hasOwn(VIEWS, view) ? (view as View) : 'top',
    category,
    query: (query.get('q') ?? '').trim(),
    event: query.get('event') ?? undefined,
    sort: query.get('sort') ?? undefined,
    order: order === 'asc' || order === 'desc' ? order : undefined,
    market: query.get('market') ?? undefined,
  };
}

/** Whether events are listed, not markets. */
export function showsEvents({ view, event, query }: Shown): boolean {
  return view === 'events' && !event && !query;
}

/** What the list is sorted by; undefined for the relevance of a search. */
export function sortOf({ sort, event, query, view }: Shown): string | undefined {
  return sort ?? (event ? 'probability' : query ? undefined : VIEWS[view].sort);
}

export function addressOf(shown: Shown): string {
  const query = new URLSearchParams();
  if (shown.view !== 'top') query.set('view', shown.view);
  if (shown.category) query.set('category', shown.category);
  if (shown.query) query.set('q', shown.query);
  if (shown.event) query.set('event', shown.event);
  if (shown.sort) query.set('sort', shown.sort);
  if (shown.order) query.set('order', shown.order);
  if (shown.market) query.set('market', shown.market);
  const text = query.toString();
  return text === '' ? '/' : `/?${text}`;
}

export interface Navigation {
  readonly shown: Shown;
  /** @param replace does not leave a step behind, as while somebody types */
  readonly go: (change: Partial<Shown>, replace?: boolean) => void;
}

export function useNavigation(): Navigation {
  const [shown, setShown] = useState(() => readShown(location.search));
  useEffect(() => {
    const back = () => setShown(readShown(location.search));
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  // Somebody who typed and then clicked, all within the pause of the search, means both.
  const latest = useRef(shown);
  latest.current = shown;
  const go: Navigation['go'] = (change, replace = false) => {
    const next = { ...latest.current, ...change };
    latest.current = next;
    history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(next));
    setShown(next);
  };
  return { shown, go };
}
