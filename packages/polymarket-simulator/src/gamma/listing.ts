import { json, type SimulatedResponse } from '../http/response.ts';
import type { UpstreamRequest } from '../route.ts';
import type { Filterable } from '../source.ts';
import type { Catalogue, Listing, Page } from './catalogue.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { type FilterRules, filterOf } from './filters.ts';
import { CACHE_SECONDS } from './shared-cache.ts';

/** The greatest page, whatever `limit` says; documented, and 500 until May 2026. */
const PAGE_CAP = 100;
const PAGE_DEFAULT = 20;

/** What a list route lists. */
export interface Listed {
  /** For cursors: those of one list are refused by the other. */
  readonly kind: string;
  readonly catalogue: Catalogue;
  readonly item: (index: number) => Filterable;
  readonly orders: readonly string[];
  readonly rules: FilterRules;
}

/** The order, filter and limit of a list request, or the 422 that it gets. */
export function readListing(
  { query, lists }: UpstreamRequest,
  { item, orders, rules }: Listed,
): Listing | SimulatedResponse {
  const limit = wholeNumber(query.get('limit') ?? String(PAGE_DEFAULT));
  if (limit === undefined) return invalid('limit is not valid');
  const order = (query.get('order') ?? '').split(',').filter((part) => part !== '');
  if (!order.every((name) => orders.includes(name))) return invalid('order fields are not valid');
  const filter = filterOf(query, item, rules, lists);
  if ('invalid' in filter) return invalid(`${filter.invalid} is not valid`);
  return {
    order,
    ascending: order.length === 0 || query.get('ascending') !== 'false',
    filter,
    limit: limit === 0 ? PAGE_DEFAULT : Math.min(limit, PAGE_CAP),
  };
}

/** A page of a keyset list with its cursor, or the 422 that it gets. Reads no cursor but `after_cursor`. */
export function keysetPage(
  request: UpstreamRequest,
  listed: Listed,
): { readonly indices: readonly number[]; readonly nextCursor: string | undefined } | SimulatedResponse {
  const { query } = request;
  if (query.has('offset')) return invalid('offset is not allowed on keyset endpoints');
  const listing = readListing(request, listed);
  if ('status' in listing) return listing;
  const name = orderName(listing);
  const cursor = query.get('after_cursor') ?? '';
  const position = cursor === '' ? [] : decodeCursor(listed.kind, cursor, name);
  if (position === undefined) return invalid('after_cursor is not valid');
  const page: Page = listed.catalogue.after(position.length === 0 ? undefined : position, listing);
  const nextCursor = page.next === undefined ? undefined : encodeCursor(listed.kind, name, page.next);
  return { indices: page.indices, nextCursor };
}

/** A cursor of this query's order that leads to page 1 again. */
export function cursorToStart(kind: string, query: URLSearchParams): string {
  const order = (query.get('order') ?? '').split(',').filter((part) => part !== '');
  const ascending = order.length === 0 || query.get('ascending') !== 'false';
  return encodeCursor(kind, orderName({ order, ascending }), []);
}

export function cacheHeaders({ ageSeconds }: UpstreamRequest): Record<string, string> {
  return {
    'cache-control': `public, max-age=${CACHE_SECONDS}`,
    age: String(ageSeconds),
    'cf-cache-status': ageSeconds === 0 ? 'MISS' : 'HIT',
  };
}

export function invalid(error: string): SimulatedResponse {
  return json(422, { type: 'validation error', error });
}

export function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function orderName({ order, ascending }: Pick<Listing, 'order' | 'ascending'>): readonly string[] {
  return order.map((field) => `${field} ${ascending ? 'asc' : 'desc'}`);
}
