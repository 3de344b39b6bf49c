/**
 * The endpoints that return many markets of a snapshot (all listed markets with their prices at one
 * time): the list and the search.
 */
import { FILTERS } from '../../core/contract/route-table/market-parameters.ts';
import { checkRanges } from '../../core/query/filters.ts';
import { fieldsOf, joinRows, rowOf } from '../../core/query/market-rows.ts';
import { select } from '../../core/query/select-markets.ts';
import type { Endpoint, EndpointRequest } from '../../http/endpoint.ts';
import { listPage } from '../../http/list-pages.ts';
import type { HttpResponse } from '../../http/response.ts';
import {
  type SnapshotEndpointDeps,
  snapshotOf,
  snapshotResponse,
} from '../../http/snapshot-response.ts';

/** `GET /api/markets`: the markets of a snapshot that match the filters. */
export function listMarkets(deps: SnapshotEndpointDeps): Endpoint<'list-markets'> {
  return (request) => marketList(deps, request, 'list-markets');
}

/** `GET /api/markets/search`: the markets that match a text, by relevance, then volume. */
export function searchMarkets(deps: SnapshotEndpointDeps): Endpoint<'search-markets'> {
  return (request) => marketList(deps, request, 'search-markets', request.parameters.q);
}

const CSV_HEADERS = {
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': 'attachment; filename="markets.csv"',
};

type MarketListRoute = 'list-markets' | 'search-markets';

/**
 * The response of a list or a search.
 *
 * @param searchText only for a search
 * @throws ServiceError `invalid_parameter` (400) for a range that no value lies in
 */
async function marketList(
  deps: SnapshotEndpointDeps,
  request: EndpointRequest<MarketListRoute>,
  route: MarketListRoute,
  searchText?: string,
): Promise<HttpResponse> {
  const { parameters, headers, path, sent } = request;
  const snapshot = await snapshotOf(deps, parameters.snapshot);
  const kind = parameters.format ?? 'json';
  const query = [route, path, sent, parameters];
  return snapshotResponse(deps, snapshot, { headers, query }, () => {
    const { asOf } = snapshot.info;
    checkRanges(FILTERS, parameters, asOf);
    const search = searchText === undefined ? undefined : snapshot.search(searchText);
    const positions = select(snapshot, parameters, asOf, search?.positions);
    const format = { kind, fields: fieldsOf(parameters.fields) };
    const page = listPage(request, snapshot, positions, (position) =>
      rowOf(snapshot, position, format),
    );
    return {
      body: joinRows(page.rows, format),
      headers: {
        ...(kind === 'csv' ? CSV_HEADERS : {}),
        ...(search ? { 'X-Search-Match': search.match } : {}),
        ...page.headers,
      },
    };
  });
}
