import { MARKETS_LIMIT_DEFAULT, MAX_RESPONSE_BYTES } from '../contract/constants.ts';
import { weightOf } from '../domain/market-list.ts';
import { cutPage, type Page, type Room } from '../domain/paging.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import { EventTable } from '../query/event-table.ts';
import { fieldsOf } from '../query/fields.ts';
import { MarketRows } from '../query/market-rows.ts';
import { type MarketTable, marketTable } from '../query/market-table.ts';
import type { DecodedSnapshot } from '../snapshots/codec.ts';
import { linkHeader } from './market-page.ts';
import { type SnapshotEndpointOptions, snapshotResponse, taggedBody } from './snapshot-response.ts';

export interface EventSnapshot {
  readonly table: MarketTable;
  readonly events: EventTable;
}

/** Made once a snapshot. */
export function eventSnapshot(decoded: DecodedSnapshot): EventSnapshot {
  const table = marketTable(decoded);
  return { table, events: new EventTable(table) };
}

/** `GET /api/events/{slug}`: an event and its markets: all that fit, and links to the list for the others. */
export function getEvent(options: SnapshotEndpointOptions<EventSnapshot>) {
  return async (request: EndpointRequest<'get-event'>): Promise<HttpResponse> => {
    const { parameters, headers } = request;
    const { manifest, view } = await options.cache.latest();
    const event = view.events.find(parameters.slug);
    if (!event) {
      throw new ServiceError(
        'no_event',
        'No event with open markets has this slug: it is unknown, or all its markets have ended.',
      );
    }
    const format = { kind: 'json', fields: fieldsOf(parameters.fields) } as const;
    const rows = new MarketRows(view.table, event.positions, format);
    const { markets: _count, ...summary } = event.summary;
    const head = `${JSON.stringify(summary).slice(0, -1)},"markets":`;
    const total = event.positions.length;
    const room = rows.room(total, MAX_RESPONSE_BYTES - weightOf(head));
    const page = cutPage(total, 0, total, room);
    return snapshotResponse(options, headers, manifest.asOf, taggedBody(`${head}${rows.encode(page)}}`), {
      'X-Total-Count': String(total),
      ...(page.end < total ? { Link: linkToList(request, manifest.id, total, page, room) } : {}),
    });
  };
}

/** The same markets in the same order as a list, which goes on where the page ends. */
function linkToList(
  { path, sent, parameters }: EndpointRequest<'get-event'>,
  snapshot: string,
  total: number,
  page: Page,
  room: Room,
): string {
  const list = {
    path: path.replace(/events\/[^/]*$/, 'markets'),
    sent: { ...sent, event: parameters.slug, sort: 'probability' },
  };
  return linkHeader(list, snapshot, total, page, MARKETS_LIMIT_DEFAULT, room);
}
