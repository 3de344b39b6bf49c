import { ApiError, type Event, type Market, type MarketSelection, type Result } from 'market-data-proxy-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { client, report } from './service.ts';
import { listQuery, type Shown, showsEvents } from './shown.ts';
import { useRetry } from './use-read.ts';

export type Row = Market & MarketSelection;

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
  /** Shared by all pages. */
  readonly listSnapshot: string | undefined;
  /** The updated prices' snapshot. */
  readonly snapshot: string | undefined;
  readonly asOf: Date | undefined;
  /** Markets that joined and left since the list was read. */
  readonly changed: { readonly added: number; readonly removed: number };
  /** The first page's request. */
  readonly url: string;
}

/** A screen or two, so that the first view is small. */
const FIRST_PAGE = 50;
/** 2,000 markets are 8 requests. */
const NEXT_PAGES = 300;

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

/** Page by page. Another list's rows stay until the first page arrives. */
export function useList(shown: Shown): List {
  const key = listKey(shown);
  const [page, setPage] = useState<Page>();
  const [state, setState] = useState<List['state']>('loading');
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const reading = useRef<AbortController>(undefined);
  const again = () => setAttempt((count) => count + 1);

  /** @param before undefined: reads from the start */
  const read = async (before: Page | undefined) => {
    if (before && reading.current) return;
    reading.current?.abort();
    const abort = new AbortController();
    reading.current = abort;
    if (!before) setState('loading');
    try {
      const next = await readPage(before?.of ?? shown, before, abort.signal);
      if (abort.signal.aborted) return;
      setPage(next);
      setState('ready');
      setError(undefined);
    } catch (thrown) {
      if (abort.signal.aborted) return;
      // A list that has been open for an hour has an expired snapshot.
      if (ApiError.is(thrown, 'snapshot_gone')) return again();
      setState('failed');
      setError(thrown);
    } finally {
      if (reading.current === abort) reading.current = undefined;
    }
  };
  useEffect(() => {
    void read(undefined);
    return () => reading.current?.abort();
  }, [key, attempt]);
  // One list's error says nothing about another.
  useEffect(() => setError(undefined), [key]);
  useEffect(() => report('list', error), [error]);
  const belongs = page !== undefined && listKey(page.of) === key;
  useRetry(error, () => void read(belongs ? page : undefined));
  const hasMore = belongs && state === 'ready' && page.offset < page.total;
  return {
    page,
    state,
    more: hasMore ? () => void read(page) : undefined,
    again,
    patch: (change) => setPage((current) => current && change(current)),
  };
}

/** An open market does not matter. */
function listKey(shown: Shown): string {
  const { view, category, query, event, sort, order } = shown;
  return JSON.stringify(showsEvents(shown) ? [view, category] : [view, category, query, event, sort, order]);
}

/** With `before`, the next page of the same snapshot. @returns all pages */
async function readPage(of: Shown, before: Page | undefined, signal: AbortSignal): Promise<Page> {
  // All outcomes of an event are one page: the page shows their sum.
  const limit = before || of.event ? NEXT_PAGES : FIRST_PAGE;
  const start = before?.offset ?? 0;
  const snapshot = before?.listSnapshot === undefined ? {} : { snapshot: before.listSnapshot };
  const result = await read(of, { limit, offset: start, ...snapshot }, signal);
  const offset = start + result.data.length;
  // With `fields` every field is optional for the client; the query names all of a row's fields.
  const markets = showsEvents(of) ? [] : (result.data as readonly Row[]);
  const events = showsEvents(of) ? (result.data as readonly Event[]) : [];
  return {
    of,
    // After an update, a row can come twice.
    markets: [...new Map([...(before?.markets ?? []), ...markets].map((row) => [row.id, row])).values()],
    events: [...new Map([...(before?.events ?? []), ...events].map((event) => [event.slug, event])).values()],
    total: result.data.length === 0 ? offset : (result.total ?? offset),
    offset,
    listSnapshot: result.snapshot,
    snapshot: result.snapshot,
    asOf: result.asOf,
    changed: before?.changed ?? { added: 0, removed: 0 },
    url: before?.url ?? result.response.url,
  };
}

function read(
  of: Shown,
  range: { readonly limit: number; readonly offset: number; readonly snapshot?: string },
  signal: AbortSignal,
): Promise<Result<readonly unknown[]>> {
  if (showsEvents(of))
    return client.events({ ...range, ...(of.category ? { category: of.category } : {}) }, { signal });
  const query = { ...listQuery(of), ...range };
  return of.query ? client.search(of.query, query, { signal }) : client.markets(query, { signal });
}
