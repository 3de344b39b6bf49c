import type { Event, Market, Result } from 'market-data-proxy-client';
import { client } from './service.ts';
import { listQuery, type Shown, showsEvents } from './shown.ts';

/** A row of the table. */
export type Row = Market & {
  readonly volume24h?: number;
  readonly eventTitle?: string;
  readonly eventSlug?: string;
  readonly groupItemTitle?: string;
  readonly negRisk?: boolean;
};

/** A list as far as it has been read. The rows and everything that describes them belong together. */
export interface Page {
  /** What the entries belong to. */
  readonly of: Shown;
  /** Either markets or events is empty. */
  readonly markets: readonly Row[];
  readonly events: readonly Event[];
  /** All entries of the list. */
  readonly total: number;
  /** Entries that have been read; a repeated one counts. */
  readonly offset: number;
  /** The snapshot of all pages. */
  readonly listSnapshot: string | undefined;
  /** The snapshot of the prices: they are updated. */
  readonly snapshot: string | undefined;
  readonly asOf: Date | undefined;
  /** Markets that joined and left the list since it was read. */
  readonly changed: { readonly added: number; readonly removed: number };
  /** The request of the first page. */
  readonly url: string;
}

/** A screen or two, so that the first view is small. */
const FIRST_PAGE = 50;
/** 2,000 markets are 8 requests. */
const NEXT_PAGES = 300;

/** Identifies the list of `shown`; an open market is no part of it. */
export function listKey(shown: Shown): string {
  const { view, category, query, event, sort, order } = shown;
  return JSON.stringify(showsEvents(shown) ? [view, category] : [view, category, query, event, sort, order]);
}

/** Reads the first page of a list, or with `before` the next one, from the same snapshot. @returns all pages */
export async function readPage(of: Shown, before: Page | undefined, signal: AbortSignal): Promise<Page> {
  // All outcomes of an event are one page: the page shows their sum.
  const limit = before || of.event ? NEXT_PAGES : FIRST_PAGE;
  const start = before?.offset ?? 0;
  const result = await read(of, { limit, offset: start, snapshot: before?.listSnapshot }, signal);
  const offset = start + result.data.length;
  // With `fields` every field is optional for the client; the query names all fields of a row.
  const markets = showsEvents(of) ? [] : (result.data as readonly Row[]);
  const events = showsEvents(of) ? (result.data as readonly Event[]) : [];
  return {
    of,
    // A row can come twice if the list has been updated meanwhile.
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

type Start = { readonly limit: number; readonly offset: number; readonly snapshot: string | undefined };

function read(of: Shown, { snapshot, ...start }: Start, signal: AbortSignal): Promise<Result<readonly unknown[]>> {
  const range = { ...start, ...(snapshot === undefined ? {} : { snapshot }) };
  if (showsEvents(of))
    return client.events({ ...range, ...(of.category ? { category: of.category } : {}) }, { signal });
  const query = { ...listQuery(of), ...range };
  return of.query ? client.search(of.query, query, { signal }) : client.markets(query, { signal });
}
