import type { ListQuery, Market, Result } from 'market-data-proxy-client';
import { client } from './api.ts';
import { type Shown, sortOf, VIEWS } from './location.ts';
import { type Paged, usePages } from './use-pages.ts';

/** What a row of the table shows of a market. */
export type Row = Market & {
  readonly volume24h?: number;
  readonly eventTitle?: string;
  readonly eventSlug?: string;
};

export type Rows = Paged<Row>;

const PAGE = 50;
const FIELDS = [
  'default',
  'sevenDayPriceChange',
  'thirtyDayPriceChange',
  'volume24h',
  'eventTitle',
  'eventSlug',
] satisfies ListQuery<'listMarkets'>['fields'];

type Query = ListQuery<'listMarkets'>;

/** The markets of what is shown; nothing is read while events are. */
export function useRows(shown: Shown, enabled: boolean): Rows {
  const { view, category, query, event, sort, order } = shown;
  return usePages<Row>({
    key: enabled ? JSON.stringify([view, category, query, event, sort, order]) : undefined,
    read: (signal) => requestOf(shown, signal),
    idOf: ({ id }) => id,
  });
}

function requestOf(shown: Shown, signal: AbortSignal): AsyncGenerator<Result<readonly Row[]>> {
  const { query, category, event, view, order } = shown;
  const sort = sortOf(shown);
  const request: Query = {
    limit: PAGE,
    fields: FIELDS,
    ...(category ? { category } : {}),
    ...(event ? { event } : {}),
    ...(event || query ? {} : VIEWS[view].filter),
    // What the address says is the service's to judge: it refuses what it does not know with a sentence.
    ...(sort ? { sort: sort as NonNullable<Query['sort']> } : {}),
    ...(order ? { order } : {}),
  };
  const options = { signal, whenGone: 'restart' } as const;
  // `fields` asks for all that a row needs.
  return (
    query ? client.searchPages(query, request, options) : client.pages(request, options)
  ) as AsyncGenerator<Result<readonly Row[]>>;
}
