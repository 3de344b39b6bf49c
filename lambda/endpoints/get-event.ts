import { ServiceError } from '../domain/service-error.ts';
import type { EndpointRequest } from '../http/pipeline.ts';
import type { HttpResponse } from '../http/response.ts';
import { EventTable } from '../query/event-table.ts';
import { fieldsOf } from '../query/fields.ts';
import { MarketRows } from '../query/market-rows.ts';
import { type MarketTable, marketTable } from '../query/market-table.ts';
import type { DecodedSnapshot } from '../snapshots/codec.ts';
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

/** `GET /api/events/{slug}`: an event and all its markets. */
export function getEvent(options: SnapshotEndpointOptions<EventSnapshot>) {
  return async ({ parameters, headers }: EndpointRequest<'get-event'>): Promise<HttpResponse> => {
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
    const markets = rows.encode({ start: 0, end: event.positions.length });
    const body = `${JSON.stringify(summary).slice(0, -1)},"markets":${markets}}`;
    return snapshotResponse(options, headers, manifest.asOf, taggedBody(body));
  };
}
