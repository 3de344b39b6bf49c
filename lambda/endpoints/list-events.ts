import { MAX_RESPONSE_BYTES } from '../contract/constants.ts';
import { weightOf } from '../domain/market-list.ts';
import { cutPage, roomFor } from '../domain/paging.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import { EventTable } from '../query/event-table.ts';
import { checkRanges } from '../query/ranges.ts';
import { selectEvents } from '../query/select-events.ts';
import type { DecodedSnapshot } from '../snapshots/codec.ts';
import type { EventSnapshot } from './get-event.ts';
import { linkHeader } from './market-page.ts';
import { type SearchableSnapshot, searchableSnapshots } from './search-markets.ts';
import { type SnapshotEndpointOptions, snapshotResponse, taggedBody } from './snapshot-response.ts';

/** See `searchableSnapshots`. */
export function searchableEvents(): (decoded: DecodedSnapshot) => SearchableSnapshot & EventSnapshot {
  const searchable = searchableSnapshots();
  return (decoded) => {
    const snapshot = searchable(decoded);
    return { ...snapshot, events: new EventTable(snapshot.table) };
  };
}

/** `GET /api/events`: the events of a snapshot, filtered and sorted in memory. */
export function listEvents(options: SnapshotEndpointOptions<SearchableSnapshot & EventSnapshot>) {
  const { cache } = options;
  return async (request: EndpointRequest<'list-events'>): Promise<HttpResponse> => {
    const { q, snapshot, limit, offset, ...query } = request.parameters;
    const { manifest, view } = snapshot === undefined ? await cache.latest() : await cache.byId(snapshot);
    checkRanges(query, manifest.asOf);
    const found = q === undefined ? undefined : view.index.search(q);
    const events = selectEvents(view.events, query, manifest.asOf, found?.positions);
    const rows = new Map<number, string>();
    const rowAt = (index: number): string => {
      const row = rows.get(index) ?? JSON.stringify(events[index]?.summary);
      rows.set(index, row);
      return row;
    };
    const room = roomFor((index) => weightOf(rowAt(index)), MAX_RESPONSE_BYTES);
    const page = cutPage(events.length, offset, limit, room);
    const encoded = Array.from({ length: page.end - page.start }, (_, n) => rowAt(page.start + n));
    return snapshotResponse(options, request.headers, manifest.asOf, taggedBody(`[${encoded.join(',')}]`), {
      'X-Total-Count': String(events.length),
      Link: linkHeader(request, manifest.id, events.length, page, limit, room),
      ...(found ? { 'X-Search-Match': found.match } : {}),
    });
  };
}
