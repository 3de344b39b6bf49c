/** The list of markets or events: its rows, and the requests that read them. */
import type { Event, Market, MarketSelection, Result } from 'market-data-proxy-client';
import { MAX_SEARCH_LIMIT } from '../../../../lambda/core/contract/constants.ts';
import { client } from './service.ts';
import { eventQuery, listQuery, showsEvents, type View } from './view.ts';

/** A market in the list. */
export type Row = Market &
  MarketSelection & {
    /** When the page read the row, in Unix ms. */
    readonly readAt: number;
    /** Whether the market has left the list since. Its row stays until the list is read again. */
    readonly gone?: boolean;
  };

/** The entries of a list that the page has read so far. */
export interface ListContent {
  readonly view: View;
  /** Empty in a list of events. */
  readonly markets: readonly Row[];
  /** Empty in a list of markets. */
  readonly events: readonly Event[];
  /** The entries that the service has. */
  readonly total: number;
  /** The `offset` of the next request. An entry that came twice counts twice. */
  readonly offset: number;
  /** The id of the snapshot, which decides the order. So all requests of a list name the same. */
  readonly snapshot: string | undefined;
  /** The time of the newest prices. */
  readonly asOf: Date | undefined;
  /** The time of the order, in Unix ms. */
  readonly readAt: number;
  /** Whether no market has all words of the search. The entries then have some of them. */
  readonly anyWord: boolean;
  /** The address of the first request. */
  readonly url: string;
}

/** A list, and how a part of the page changes it. */
export interface List {
  /** Undefined before the first response. */
  readonly content: ListContent | undefined;
  /** A list that has failed with a temporary error is read again until it arrives. */
  readonly state: 'loading' | 'ready' | 'failed';
  /** Undefined at the end of the list. */
  readonly more: (() => void) | undefined;
  /** Reads the list from its start. */
  readonly again: () => void;
  /** Replaces the shown rows, for example by newer ones. */
  readonly patch: (update: (content: ListContent) => ListContent) => void;
}

/** The limit of the first request: a screen or two, so that the first view arrives soon. */
const FIRST_LIMIT = 50;
/** The limit of further requests: 2,000 markets are 8 requests. */
const NEXT_LIMIT = 300;

/** Reads the next rows. @param before continues this list, in its snapshot */
export async function readList(
  view: View,
  before: ListContent | undefined,
  signal: AbortSignal,
): Promise<ListContent> {
  // The head of an event shows sums over all of its outcomes.
  const limit = before || view.event ? NEXT_LIMIT : FIRST_LIMIT;
  const start = before?.offset ?? 0;
  const snapshot = before?.snapshot === undefined ? {} : { snapshot: before.snapshot };
  const result = await request(view, { limit, offset: start, ...snapshot }, signal);
  const offset = start + result.data.length;
  const readAt = before?.readAt ?? Date.now();
  const markets = showsEvents(view) ? [] : asRows(result.data, readAt);
  const events = showsEvents(view) ? (result.data as readonly Event[]) : [];
  return {
    view,
    markets: onePerKey([...(before?.markets ?? []), ...markets], ({ id }) => id),
    events: onePerKey([...(before?.events ?? []), ...events], ({ slug }) => slug),
    total: result.data.length === 0 ? offset : (result.total ?? offset),
    offset,
    snapshot: result.snapshot,
    asOf: before?.asOf ?? result.asOf,
    readAt,
    anyWord: result.response.headers.get('x-search-match') === 'any',
    url: before?.url ?? result.response.url,
  };
}

/**
 * The rows without repetitions. After an update, a row can come twice. Its later version takes the
 * place of the first.
 */
function onePerKey<T>(rows: readonly T[], keyOf: (row: T) => string): readonly T[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

/** The address of the API's file with all rows of a list, in the order of now. */
export function csvUrl({ url, total }: ListContent): string {
  const file = new URL(url);
  file.searchParams.set('format', 'csv');
  file.searchParams.set('limit', String(total));
  file.searchParams.delete('offset');
  return file.href;
}

/** A search as one file. The API returns it in pages, which have the same snapshot. */
export async function searchCsv({ url, snapshot }: ListContent, count: number): Promise<string> {
  const page = new URL(url);
  page.searchParams.set('format', 'csv');
  page.searchParams.set('limit', String(MAX_SEARCH_LIMIT));
  if (snapshot !== undefined) page.searchParams.set('snapshot', snapshot);
  let csv = '';
  for (let offset = 0; offset < count; offset += MAX_SEARCH_LIMIT) {
    page.searchParams.set('offset', String(offset));
    const response = await fetch(page);
    if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
    const text = await response.text();
    csv += offset === 0 ? text : text.slice(text.indexOf('\n') + 1);
  }
  return csv;
}

/**
 * The data of a response as rows. With `fields` every field is optional for the client, but this
 * page's queries name all fields of a row.
 */
export function asRows(data: readonly unknown[], readAt = Date.now()): readonly Row[] {
  return (data as readonly Row[]).map((row) => ({ ...row, readAt }));
}

/** Requests a part of the list of a view: events, markets, or those that a search finds. */
function request(
  view: View,
  range: { readonly limit: number; readonly offset: number; readonly snapshot?: string },
  signal: AbortSignal,
): Promise<Result<readonly unknown[]>> {
  if (showsEvents(view)) return client.events({ ...eventQuery(view), ...range }, { signal });
  const query = { ...listQuery(view), ...range };
  return view.query
    ? client.search(view.query, query, { signal })
    : client.markets(query, { signal });
}
