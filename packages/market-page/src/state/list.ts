import { ApiError, type Event, type Market, type MarketSelection, type Result } from 'market-data-proxy-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { client, report } from './service.ts';
import { eventQuery, listKey, listQuery, type Shown, showsEvents } from './shown.ts';
import { useRetry } from './use-read.ts';

/** A row of the table: a market with more fields. */
export type Row = Market &
  MarketSelection & {
    /** Unix ms when the page read the row. */
    readonly readAt: number;
    /** Whether the market is no longer in the list of the service. */
    readonly gone?: boolean;
  };

/** The rows read so far, with what describes them. */
export interface Page {
  readonly of: Shown;
  /** Either markets or events is empty. */
  readonly markets: readonly Row[];
  readonly events: readonly Event[];
  /** In the whole list. */
  readonly total: number;
  /** Entries read, including repetitions. */
  readonly offset: number;
  /** The snapshot of all pages: it has decided the order. */
  readonly snapshot: string | undefined;
  /** Time of the newest prices. */
  readonly asOf: Date | undefined;
  /** Unix ms when the page read the list: the time of its order. */
  readonly readAt: number;
  /** Whether no market has all words of the search, so that these have some of them. */
  readonly anyWord: boolean;
  /** The request of the first page. */
  readonly url: string;
}

/** A screen or two, so that the first view is small. */
const FIRST_PAGE = 50;
/** 2,000 markets are 8 requests. */
const NEXT_PAGES = 300;
/** Lists whose rows the page keeps for the back button. */
const MAX_KEPT = 12;

export interface List {
  /** Undefined before the first response. */
  readonly page: Page | undefined;
  readonly state: 'loading' | 'ready' | 'failed';
  /** Undefined after the last page. */
  readonly more: (() => void) | undefined;
  /** Reads from the start. */
  readonly again: () => void;
  readonly patch: (change: (page: Page) => Page) => void;
}

/** The last lists, most recent last. */
const kept = new Map<string, Page>();

function keep(page: Page): Page {
  const key = listKey(page.of);
  kept.delete(key);
  kept.set(key, page);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return page;
}

/**
 * Reads the list of `shown` page by page. The rows of another list stay until the first page arrives.
 *
 * @param isBack whether the reader went back to the list: its rows are shown again
 */
export function useList(shown: Shown, isBack: boolean): List {
  const key = listKey(shown);
  const page = useRef<Page>(undefined);
  const [, render] = useState(0);
  const [state, setState] = useState<List['state']>('loading');
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const reading = useRef<AbortController>(undefined);
  const lastKey = useRef<string>(undefined);
  // Before the first render of the list, so that the reader's place exists again.
  if (lastKey.current !== key && isBack && kept.has(key)) page.current = kept.get(key);
  lastKey.current = key;
  const lastAttempt = useRef(0);
  const show = (next: Page) => {
    page.current = keep(next);
    render((count) => count + 1);
  };

  /** @param before the pages so far; undefined: reads from the start */
  const read = async (before: Page | undefined, isRetry = false) => {
    if (before && reading.current) return;
    reading.current?.abort();
    const abort = new AbortController();
    reading.current = abort;
    // What has failed is said to have failed until it succeeds, so that nothing flickers.
    if (!before && !isRetry) setState('loading');
    try {
      const next = await readPage(before?.of ?? shown, before, abort.signal);
      if (abort.signal.aborted) return;
      show(next);
      setState('ready');
      setError(undefined);
    } catch (thrown) {
      if (abort.signal.aborted) return;
      // The snapshot of a list that has been open for an hour has expired.
      if (before && ApiError.is(thrown, 'snapshot_gone')) return setAttempt((count) => count + 1);
      setState('failed');
      setError(thrown);
    } finally {
      if (reading.current === abort) reading.current = undefined;
    }
  };
  useEffect(() => {
    if (attempt === lastAttempt.current && isBack && belongs) setState('ready');
    else void read(undefined);
    lastAttempt.current = attempt;
    return () => reading.current?.abort();
  }, [key, attempt]);
  // One list's error says nothing about another.
  useEffect(() => setError(undefined), [key]);
  useEffect(() => report('list', error), [error]);
  const current = page.current;
  const belongs = current !== undefined && listKey(current.of) === key;
  useRetry(error, () => void read(belongs ? current : undefined, true));
  const hasMore = belongs && state === 'ready' && current.offset < current.total;
  // The table is rendered again only for new values, so the functions stay the same.
  const latest = useRef({ more: () => undefined as unknown, again: () => undefined as unknown });
  latest.current = { more: () => read(page.current), again: () => setAttempt((count) => count + 1) };
  const [functions] = useState(() => ({
    more: () => void latest.current.more(),
    again: () => void latest.current.again(),
    patch: (change: (page: Page) => Page) => {
      if (page.current) show(change(page.current));
    },
  }));
  return { ...functions, page: current, state, more: hasMore ? functions.more : undefined };
}

/** With `before`, the next page of the same snapshot. @returns all pages */
async function readPage(of: Shown, before: Page | undefined, signal: AbortSignal): Promise<Page> {
  // All outcomes of an event are one page: the page shows their sum.
  const limit = before || of.event ? NEXT_PAGES : FIRST_PAGE;
  const start = before?.offset ?? 0;
  const snapshot = before?.snapshot === undefined ? {} : { snapshot: before.snapshot };
  const result = await read(of, { limit, offset: start, ...snapshot }, signal);
  const offset = start + result.data.length;
  // The further pages have the prices of the first one.
  const readAt = before?.readAt ?? Date.now();
  const markets = showsEvents(of) ? [] : asRows(result.data, readAt);
  const events = showsEvents(of) ? (result.data as readonly Event[]) : [];
  return {
    of,
    // After an update, a row can come twice.
    markets: [...new Map([...(before?.markets ?? []), ...markets].map((row) => [row.id, row])).values()],
    events: [...new Map([...(before?.events ?? []), ...events].map((event) => [event.slug, event])).values()],
    total: result.data.length === 0 ? offset : (result.total ?? offset),
    offset,
    snapshot: result.snapshot,
    asOf: before?.asOf ?? result.asOf,
    readAt,
    anyWord: result.response.headers.get('x-search-match') === 'any',
    url: before?.url ?? result.response.url,
  };
}

/** With `fields` every field is optional for the client; the queries of this page name all fields of a row. */
export function asRows(data: readonly unknown[], readAt = Date.now()): readonly Row[] {
  return (data as readonly Row[]).map((row) => ({ ...row, readAt }));
}

function read(
  of: Shown,
  range: { readonly limit: number; readonly offset: number; readonly snapshot?: string },
  signal: AbortSignal,
): Promise<Result<readonly unknown[]>> {
  if (showsEvents(of)) return client.events({ ...eventQuery(of), ...range }, { signal });
  const query = { ...listQuery(of), ...range };
  return of.query ? client.search(of.query, query, { signal }) : client.markets(query, { signal });
}
