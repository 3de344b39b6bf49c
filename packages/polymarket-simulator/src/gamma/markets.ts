import { json, type SimulatedResponse } from '../http/response.ts';
import type { UpstreamRequest } from '../routes.ts';
import { ORDER_FIELDS, type OrderField } from '../source.ts';
import type { State } from '../state.ts';
import type { Listing } from './catalogue.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { filterOf } from './filters.ts';
import { CACHE_SECONDS } from './shared-cache.ts';

/** The greatest page, whatever `limit` says (upstream.md; 500 until May 2026). */
const PAGE_CAP = 100;
const PAGE_DEFAULT = 20;
/** The greatest `offset` of the deprecated route (upstream.md). */
const OFFSET_CAP = 2_000;

const DEPRECATION: Readonly<Record<string, string>> = {
  deprecation: 'true',
  sunset: 'Fri, 01 May 2026 00:00:00 GMT',
  warning: '299 - "use /markets/keyset"',
};

/** `GET /markets/keyset`: `{$schema, markets, next_cursor?}`. Reads no cursor but `after_cursor`. */
export function listByKeyset(request: UpstreamRequest, state: State): SimulatedResponse {
  const { query } = request;
  if (query.has('offset')) return invalid('offset is not supported, use after_cursor');
  const listing = readListing(query);
  if ('status' in listing) return listing;
  const name = orderName(listing);
  const cursor = query.get('after_cursor') ?? '';
  const position = cursor === '' ? [] : decodeCursor(cursor, name);
  if (position === undefined) return invalid('after_cursor is not valid');
  const page = state.catalogue.after(position.length === 0 ? undefined : position, listing);
  const body = {
    $schema: 'https://gamma-api.polymarket.com/schemas/MarketsKeysetListResponse.json',
    markets: wirePage(page.indices, request, state),
    next_cursor: page.next === undefined ? undefined : encodeCursor(name, page.next),
  };
  return json(200, body, cacheHeaders(request));
}

/** `GET /markets`: the deprecated list, a bare array. */
export function listByOffset(request: UpstreamRequest, state: State): SimulatedResponse {
  const listing = readListing(request.query);
  if ('status' in listing) return { ...listing, headers: DEPRECATION };
  const offset = wholeNumber(request.query.get('offset') ?? '0');
  if (offset === undefined) return { ...invalid('offset is not valid'), headers: DEPRECATION };
  if (offset > OFFSET_CAP) {
    return {
      ...invalid('offset too large, use /markets/keyset for deeper pagination'),
      headers: DEPRECATION,
    };
  }
  const markets = wirePage(state.catalogue.at(offset, listing), request, state);
  return json(200, markets, { ...DEPRECATION, ...cacheHeaders(request) });
}

/** A cursor of this request's order that leads to page 1 again. */
export function cursorToStart(query: URLSearchParams): string {
  const listing = readListing(query);
  return encodeCursor('status' in listing ? [] : orderName(listing), []);
}

function wirePage(indices: readonly number[], request: UpstreamRequest, state: State) {
  const atMs = request.now - request.ageSeconds * 1_000;
  const tags = request.query.get('include_tag') === 'true';
  return indices.map((index) => state.source.wire(index, atMs, tags));
}

function cacheHeaders(request: UpstreamRequest): Record<string, string> {
  return {
    'cache-control': `public, max-age=${CACHE_SECONDS}`,
    age: String(request.ageSeconds),
    'cf-cache-status': request.ageSeconds === 0 ? 'MISS' : 'HIT',
  };
}

function readListing(query: URLSearchParams): Listing | SimulatedResponse {
  const limit = wholeNumber(query.get('limit') ?? String(PAGE_DEFAULT));
  if (limit === undefined) return invalid('limit is not valid');
  const order: OrderField[] = [];
  for (const name of (query.get('order') ?? '').split(',').filter((part) => part !== '')) {
    const field = ORDER_FIELDS.find((known) => known === name);
    if (field === undefined) return invalid('order fields are not valid');
    order.push(field);
  }
  const ascending = order.length === 0 || query.get('ascending') !== 'false';
  return {
    order,
    ascending,
    matches: filterOf(query),
    limit: limit === 0 ? PAGE_DEFAULT : Math.min(limit, PAGE_CAP),
  };
}

function orderName(listing: Listing): readonly string[] {
  return listing.order.map((field) => `${field} ${listing.ascending ? 'asc' : 'desc'}`);
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function invalid(error: string): SimulatedResponse {
  return json(422, { type: 'validation error', error });
}
