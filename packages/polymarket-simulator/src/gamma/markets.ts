import { json, type SimulatedResponse } from '../http/response.ts';
import type { UpstreamRequest } from '../route.ts';
import { ORDER_FIELDS } from '../source.ts';
import type { State } from '../state.ts';
import { KEYSET_MARKETS, OFFSET_MARKETS } from './filters.ts';
import { cacheHeaders, invalid, keysetPage, type Listed, readListing, wholeNumber } from './listing.ts';

/** The greatest `offset` of the deprecated route. */
const OFFSET_CAP = 2_000;

const DEPRECATION: Readonly<Record<string, string>> = {
  deprecation: 'true',
  sunset: 'Fri, 01 May 2026 00:00:00 GMT',
  warning: '299 - "use /markets/keyset"',
};

/** `GET /markets/keyset`: `{$schema, markets, next_cursor?}`. */
export function listByKeyset(request: UpstreamRequest, state: State): SimulatedResponse {
  const page = keysetPage(request, listed(state, KEYSET_MARKETS));
  if ('status' in page) return page;
  const body = {
    $schema: 'https://gamma-api.polymarket.com/schemas/MarketsKeysetListResponse.json',
    markets: wirePage(page.indices, request, state),
    next_cursor: page.nextCursor,
  };
  return json(200, body, cacheHeaders(request));
}

/** `GET /markets`: the deprecated list, a bare array. */
export function listByOffset(request: UpstreamRequest, state: State): SimulatedResponse {
  const listing = readListing(request, listed(state, OFFSET_MARKETS));
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

function listed({ source, catalogue }: State, rules: Listed['rules']): Listed {
  return {
    kind: 'markets',
    catalogue,
    item: (index) => source.filterable(index),
    orders: ORDER_FIELDS,
    rules,
  };
}

function wirePage(indices: readonly number[], request: UpstreamRequest, state: State) {
  const atMs = request.now - request.ageSeconds * 1_000;
  const tags = request.query.get('include_tag') === 'true';
  return indices.map((index) => state.source.wire(index, atMs, tags));
}
