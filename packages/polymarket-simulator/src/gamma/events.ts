import { json, type SimulatedResponse } from '../http/response.ts';
import type { UpstreamRequest } from '../route.ts';
import { EVENT_ORDER_FIELDS } from '../source.ts';
import type { State } from '../state.ts';
import { KEYSET_EVENTS } from './filters.ts';
import { cacheHeaders, keysetPage } from './listing.ts';

/**
 * `GET /events/keyset`: events with all of their markets, closed ones too; `include_markets=false` leaves them out.
 * Not every listed market has a listed event.
 */
export function listEvents(request: UpstreamRequest, state: State): SimulatedResponse {
  const { source, events } = state;
  const page = keysetPage(request, {
    kind: 'events',
    catalogue: events,
    item: (index) => source.eventFilterable(index),
    orders: EVENT_ORDER_FIELDS,
    rules: KEYSET_EVENTS,
  });
  if ('status' in page) return page;
  const atMs = request.now - request.ageSeconds * 1_000;
  const includeMarkets = request.query.get('include_markets') !== 'false';
  const body = {
    $schema: 'https://gamma-api.polymarket.com/schemas/EventsKeysetListResponse.json',
    events: page.indices.map((index) => source.wireEvent(index, atMs, { includeMarkets })),
    next_cursor: page.nextCursor,
  };
  return json(200, body, cacheHeaders(request));
}
