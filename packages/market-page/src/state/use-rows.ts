import type { ListQuery, Market, Result } from 'market-data-proxy-client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client } from './api.ts';
import { type Shown, VIEWS } from './location.ts';

/** What a row of the table shows of a market. */
export type Row = Market & {
  readonly volume24h?: number;
  readonly eventTitle?: string;
  readonly eventSlug?: string;
};

export interface Rows {
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  readonly asOf: Date | undefined;
  readonly snapshot: string | undefined;
  /** Undefined at the end. */
  readonly more: (() => void) | undefined;
  readonly again: () => void;
  /** Replaces what is known of markets that are shown. */
  readonly patch: (change: (row: Row) => Row, asOf: Date | undefined, snapshot: string) => void;
}

const PAGE = 50;
const FIELDS = [
  'default',
  'sevenDayPriceChange',
  'thirtyDayPriceChange',
  'volume24h',
  'eventTitle',
  'eventSlug',
] as (
  | 'default'
  | 'sevenDayPriceChange'
  | 'thirtyDayPriceChange'
  | 'volume24h'
  | 'eventTitle'
  | 'eventSlug'
)[];
/** Nobody wants to see markets closing that nobody trades, or a jump in a market without money in it. */
const VIEW_FILTERS = {
  top: {},
  traded: {},
  movers: { minVolume: 10_000 },
  closing: { endsAfter: '0h' },
  newest: {},
  events: {},
} as const;

type Query = ListQuery<'listMarkets'>;

function requestOf(shown: Shown, signal: AbortSignal): AsyncGenerator<Result<readonly Row[]>> {
  const { query, category, event, view, order } = shown;
  const sort = shown.sort ?? (event ? 'probability' : query ? undefined : VIEWS[view].sort);
  const request: Query = {
    limit: PAGE,
    fields: FIELDS,
    ...(category ? { category } : {}),
    ...(event ? { event } : {}),
    ...(event || query ? {} : VIEW_FILTERS[view]),
    // What the address says is the service's to judge: it refuses what it does not know with a sentence.
    ...(sort ? { sort: sort as NonNullable<Query['sort']> } : {}),
    ...(order ? { order } : {}),
  };
  const options = { signal, whenGone: 'restart' } as const;
  // `fields` asks for all that a row needs.
  return (
    query.length >= 2 ? client.searchPages(query, request, options) : client.pages(request, options)
  ) as AsyncGenerator<Result<readonly Row[]>>;
}

/** The markets of a view, page by page as the reader goes down. */
export function useRows(shown: Shown): Rows {
  const [loaded, setLoaded] = useState<Omit<Rows, 'more' | 'again' | 'patch'>>(EMPTY);
  const [attempt, setAttempt] = useState(0);
  const [ended, setEnded] = useState(true);
  const pages = useRef<AsyncGenerator<Result<readonly Row[]>>>(undefined);
  const busy = useRef(false);
  const key = JSON.stringify([shown.view, shown.category, shown.query, shown.event, shown.sort, shown.order]);

  const next = useCallback(async (fresh: boolean) => {
    const source = pages.current;
    if (!source || busy.current) return;
    busy.current = true;
    try {
      const { value, done } = await source.next();
      if (source !== pages.current) return;
      setEnded(done === true || !value.links.next);
      if (done) return;
      setLoaded((before) => ({
        rows: fresh ? value.data : unique([...before.rows, ...value.data]),
        total: value.total ?? value.data.length,
        state: 'ready',
        error: undefined,
        asOf: value.asOf,
        snapshot: value.snapshot ?? before.snapshot,
      }));
    } catch (error) {
      if (source === pages.current) setLoaded((before) => ({ ...before, state: 'failed', error }));
    } finally {
      if (source === pages.current) busy.current = false;
    }
  }, []);

  useEffect(() => {
    if (shown.view === 'events' && !shown.event && !shown.query) return;
    const abort = new AbortController();
    pages.current = requestOf(shown, abort.signal);
    busy.current = false;
    setLoaded((before) => ({ ...before, state: 'loading', error: undefined }));
    void next(true);
    return () => {
      abort.abort();
      pages.current = undefined;
    };
  }, [key, attempt]);

  return {
    ...loaded,
    more: ended || loaded.state !== 'ready' ? undefined : () => void next(false),
    again: () => setAttempt((count) => count + 1),
    patch: (change, asOf, snapshot) =>
      setLoaded((before) => ({ ...before, rows: before.rows.map(change), asOf, snapshot })),
  };
}

const EMPTY = {
  rows: [],
  total: undefined,
  state: 'loading',
  error: undefined,
  asOf: undefined,
  snapshot: undefined,
} as const;

/** A walk that began again after an hour repeats what is shown already. */
function unique(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
