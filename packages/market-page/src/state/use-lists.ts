import type { Event, Market, Result } from 'market-data-proxy-client';
import { client } from './api.ts';
import { listQuery, type Shown } from './shown.ts';
import { type Paged, usePages } from './use-pages.ts';

/** A row of the table. */
export type Row = Market & {
  readonly volume24h?: number;
  readonly eventTitle?: string;
  readonly eventSlug?: string;
};

const PAGE_EVENTS = 48;

/** The markets that the page shows. Reads nothing unless `enabled`. */
export function useMarkets(shown: Shown, enabled: boolean): Paged<Row> {
  const { view, category, query, event, sort, order } = shown;
  return usePages<Row>({
    key: enabled ? JSON.stringify([view, category, query, event, sort, order]) : undefined,
    read: (signal) => {
      const options = { signal, whenGone: 'restart' } as const;
      const request = listQuery(shown);
      const pages = query ? client.searchPages(query, request, options) : client.pages(request, options);
      // With `fields` every field is optional for the client; the query names all fields of a row.
      return pages as AsyncGenerator<Result<readonly Row[]>>;
    },
    idOf: ({ id }) => id,
  });
}

/** The events that the page shows, by volume. Reads nothing unless `enabled`. */
export function useEvents({ category }: Shown, enabled: boolean): Paged<Event> {
  return usePages<Event>({
    key: enabled ? `events ${category ?? ''}` : undefined,
    read: (signal) => {
      const query = { limit: PAGE_EVENTS, ...(category ? { category } : {}) };
      return client.eventPages(query, { signal, whenGone: 'restart' });
    },
    idOf: ({ slug }) => slug,
  });
}
