/** The endpoints of events. An event is a group of markets, such as the candidates of an election. */
import { MARKETS_LIMIT_DEFAULT } from '../../core/contract/constants.ts';
import { EVENT_FILTERS } from '../../core/contract/route-table/market-parameters.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import { checkRanges } from '../../core/query/filters.ts';
import type { MarketEvent } from '../../core/query/market-events.ts';
import { fieldsOf, jsonArray, rowOf, withField } from '../../core/query/market-rows.ts';
import type { MarketSnapshot } from '../../core/query/market-snapshot.ts';
import { selectEvents } from '../../core/query/select-events.ts';
import type { Endpoint, EndpointRequest } from '../../http/endpoint.ts';
import { fittingRows, linkHeaders, listLinks, listPage } from '../../http/list-pages.ts';
import {
  type ResponseContent,
  type SnapshotEndpointDeps,
  snapshotOf,
  snapshotResponse,
} from '../../http/snapshot-response.ts';

/** `GET /api/events`: the events of a snapshot that match the filters or the search. */
export function listEvents(deps: SnapshotEndpointDeps): Endpoint<'list-events'> {
  return async (request) => {
    const { parameters, headers, path, sent } = request;
    const snapshot = await snapshotOf(deps, parameters.snapshot);
    const query = ['list-events', path, sent, parameters];
    return snapshotResponse(deps, snapshot, { headers, query }, () => {
      const { asOf } = snapshot.info;
      checkRanges(EVENT_FILTERS, parameters, asOf);
      const search = parameters.q === undefined ? undefined : snapshot.search(parameters.q);
      const events = selectEvents(snapshot.events, parameters, asOf, search?.positions);
      const page = listPage(request, snapshot, events, ({ summary }) => JSON.stringify(summary));
      return {
        body: jsonArray(page.rows),
        headers: { ...page.headers, ...(search ? { 'X-Search-Match': search.match } : {}) },
      };
    });
  };
}

/**
 * `GET /api/events/{slug}`: the event with the markets that fit into a response, and links to the
 * list of markets for the rest.
 */
export function getEvent(deps: SnapshotEndpointDeps): Endpoint<'get-event'> {
  return async (request) => {
    const { parameters, headers, path, sent } = request;
    const snapshot = await deps.snapshots.latest();
    const event = snapshot.events.bySlug.get(parameters.slug);
    if (!event) {
      throw new ServiceError(
        'no_event',
        'No event with open markets has this slug: it is unknown, or all its markets have ended.',
      );
    }
    const query = ['get-event', path, sent, parameters];
    return snapshotResponse(deps, snapshot, { headers, query }, () =>
      eventContent(request, snapshot, event),
    );
  };
}

/** The event as JSON. Its last field has the markets that fit. */
function eventContent(
  { path, sent, parameters }: EndpointRequest<'get-event'>,
  snapshot: MarketSnapshot,
  { summary, positions }: MarketEvent,
): ResponseContent {
  // The summary has the number of markets, the response the markets themselves.
  const { markets: total, ...others } = summary;
  const event = JSON.stringify(others);
  const format = { kind: 'json', fields: fieldsOf(parameters.fields) } as const;
  const rows = fittingRows(
    positions.map((position) => rowOf(snapshot, position, format)),
    event,
  );
  // The links lead to the list of markets, which has the same markets in the same order: from
  // /api/events/fed-in-march to /api/markets?event=fed-in-march&sort=probability.
  const request = {
    path: path.replace(/events\/[^/]*\/?$/, 'markets'),
    sent: { ...sent, event: parameters.slug, sort: 'probability' },
  };
  const slice = { start: 0, end: rows.length };
  const links = linkHeaders(request, snapshot, listLinks(total, slice, MARKETS_LIMIT_DEFAULT));
  const body = withField(event, 'markets', jsonArray(rows));
  return { body, headers: { 'X-Total-Count': String(total), ...links } };
}
