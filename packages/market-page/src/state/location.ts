import { useEffect, useState } from 'preact/hooks';

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

export const VIEWS = {
  top: { label: 'Biggest', sort: 'volume' },
  traded: { label: 'Most traded today', sort: 'volume24h' },
  movers: { label: 'Movers', sort: 'move1d' },
  closing: { label: 'Closing soon', sort: 'endDate' },
  newest: { label: 'Newest', sort: 'newest' },
  events: { label: 'Events', sort: undefined },
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
    query: query.get('q') ?? '',
    event: query.get('event') ?? undefined,
    sort: query.get('sort') ?? undefined,
    order: order === 'asc' || order === 'desc' ? order : undefined,
    market: query.get('market') ?? undefined,
  };
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
  const go: Navigation['go'] = (change, replace = false) => {
    const next = { ...shown, ...change };
    history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(next));
    setShown(next);
  };
  return { shown, go };
}
