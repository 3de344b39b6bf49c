import { fieldsOf, joinRows, type MarketSnapshot, rowOf } from '../../core/query/market-snapshot.ts';
import { checkRanges, select } from '../../core/query/select-markets.ts';
import type { SearchIndex } from '../../core/search/search-index.ts';
import type { Endpoint, EndpointRequest } from '../http/pipeline.ts';
import {
  type HttpResponse,
  listSlice,
  type SnapshotEndpointDeps,
  snapshotOf,
  snapshotResponse,
} from '../http/response.ts';

export function listMarkets(deps: SnapshotEndpointDeps): Endpoint<'list-markets'> {
  return (request) => marketList(deps, request, 'list-markets');
}

/** `GET /api/markets/search`: by relevance, then volume. */
export function searchMarkets(deps: SnapshotEndpointDeps): Endpoint<'search-markets'> {
  return (request) => marketList(deps, request, 'search-markets', ({ index }) => index.search(request.parameters.q));
}

const CSV_HEADERS = {
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': 'attachment; filename="markets.csv"',
};

type MarketListRoute = 'list-markets' | 'search-markets';

/** @throws ServiceError `invalid_parameter` (400) for a range that no value lies in */
async function marketList(
  deps: SnapshotEndpointDeps,
  request: EndpointRequest<MarketListRoute>,
  route: MarketListRoute,
  search?: (snapshot: MarketSnapshot) => ReturnType<SearchIndex['search']>,
): Promise<HttpResponse> {
  const { parameters, headers, path, sent } = request;
  const snapshot = await snapshotOf(deps, parameters.snapshot);
  const kind = parameters.format ?? acceptedFormat(headers.accept ?? '');
  return snapshotResponse(deps, snapshot, { headers, query: [route, kind, path, sent, parameters] }, () => {
    const { asOf } = snapshot.info;
    checkRanges(parameters, asOf);
    const found = search?.(snapshot);
    const positions = select(snapshot, parameters, asOf, found?.positions);
    const format = { kind, fields: fieldsOf(parameters.fields) };
    const slice = listSlice(request, snapshot, positions, (position) => rowOf(snapshot, position, format));
    return {
      body: joinRows(slice.rows, format),
      headers: {
        // `Accept` chooses JSON or CSV.
        Vary: 'Accept-Encoding, Accept',
        ...(kind === 'csv' ? CSV_HEADERS : {}),
        ...(found ? { 'X-Search-Match': found.match } : {}),
        ...slice.headers,
      },
    };
  });
}

/**
 * RFC 9110, 12.4.2 and 12.5.1: CSV if `text/csv` has a higher weight than JSON. Generated clients name both with the
 * same weight and expect JSON.
 */
function acceptedFormat(accept: string): 'json' | 'csv' {
  const weights = new Map<string, number>();
  // Backwards, so that the first of two equal media types counts.
  for (const range of accept.split(',').reverse()) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(type, weight === undefined ? 1 : Number(weight) || 0);
  }
  const csv = weights.get('text/csv') ?? 0;
  const json = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return csv > json ? 'csv' : 'json';
}
