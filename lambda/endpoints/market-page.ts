import { MAX_RESPONSE_BYTES } from '../contract/constants.ts';
import type { Moment } from '../contract/parameters.ts';
import { cutPage, type Page, pageLinks, type Room } from '../domain/paging.ts';
import type { HttpResponse } from '../http/response.ts';
import { fieldsOf } from '../query/fields.ts';
import type { MarketFilter } from '../query/market-filter.ts';
import { MarketRows } from '../query/market-rows.ts';
import type { MarketTable } from '../query/market-table.ts';
import type { Direction } from '../query/orders.ts';
import { checkRanges } from '../query/ranges.ts';
import { type SortName, select } from '../query/select.ts';
import type { HeldSnapshot } from '../snapshots/snapshot-cache.ts';
import { type MadePage, PageCache } from './page-cache.ts';
import { type SnapshotEndpointOptions, snapshotResponse, taggedBody } from './snapshot-response.ts';

/** The parameters that the list and the search have in common. */
export interface MarketPageParameters extends MarketFilter {
  readonly limit: number;
  readonly offset: number;
  readonly ids?: readonly string[] | undefined;
  readonly sort?: SortName | undefined;
  readonly order?: Direction | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly format?: 'json' | 'csv' | undefined;
  readonly endsAfter?: Moment | undefined;
  readonly endsBefore?: Moment | undefined;
  /** The snapshot has been found by it; what is asked of it does not depend on it. */
  readonly snapshot?: string | undefined;
}

interface PageRequest {
  readonly parameters: MarketPageParameters;
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  /** The parameters as they were sent, for links. */
  readonly sent: Readonly<Record<string, string>>;
}

/** One of several representations is chosen by the header Accept. */
const VARY = { Vary: 'Accept-Encoding, Accept' } as const;

/** Of all lists of this container; the search finds something else for nearly every caller. */
const madePages = new PageCache<MarketTable>();

/**
 * A page of the markets that a request asks for.
 *
 * @param found positions in the order of the search, where there was one
 * @throws ServiceError `invalid_parameter` (400) for an empty range
 */
export function marketPage<V>(
  options: SnapshotEndpointOptions<V>,
  request: PageRequest,
  { manifest }: HeldSnapshot<V>,
  table: MarketTable,
  search?: { readonly found: readonly number[]; readonly headers: Readonly<Record<string, string>> },
): HttpResponse {
  const kind = formatOf(request);
  const make = () => makePage(request.parameters, kind, manifest.asOf, table, search?.found);
  const { snapshot: _, ...query } = request.parameters;
  const made = search ? make() : madePages.get(table, JSON.stringify([kind, query]), make);
  return snapshotResponse(options, request.headers, manifest.asOf, made, {
    ...VARY,
    ...(kind === 'csv' ? { 'Content-Type': 'text/csv; charset=utf-8' } : {}),
    'X-Total-Count': String(made.total),
    Link: linkHeader(request, manifest.id, made.total, made.page, request.parameters.limit, made.room),
    ...search?.headers,
  });
}

function makePage(
  parameters: MarketPageParameters,
  kind: 'json' | 'csv',
  asOf: number,
  table: MarketTable,
  found: readonly number[] | undefined,
): MadePage {
  const { limit, offset, ids, sort, order: direction, fields, ...filter } = parameters;
  checkRanges(filter, asOf);
  const positions = select(table, { filter, ids, sort, direction }, asOf, found);
  const rows = new MarketRows(table, positions, { kind, fields: fieldsOf(fields) });
  const room = rows.room(Math.min(limit, positions.length), MAX_RESPONSE_BYTES);
  const page = cutPage(positions.length, offset, limit, room);
  return { ...taggedBody(rows.encode(page)), total: positions.length, page, room };
}

function formatOf({ parameters, headers }: PageRequest): 'json' | 'csv' {
  if (parameters.format) return parameters.format;
  return /(^|,)\s*text\/csv\s*($|[,;])/i.test(headers.accept ?? '') ? 'csv' : 'json';
}

/** RFC 8288. The links name the snapshot, so that a walk over the pages sees one and the same. */
export function linkHeader(
  { path, sent }: Pick<PageRequest, 'path' | 'sent'>,
  snapshot: string,
  total: number,
  page: Page,
  limit: number,
  room?: Room,
): string {
  const { limit: _limit, offset: _offset, snapshot: _snapshot, ...others } = sent;
  return pageLinks(total, page, limit, room)
    .map(({ rel, offset }) => {
      const query = new URLSearchParams({
        ...others,
        limit: String(limit),
        offset: String(offset),
        snapshot,
      });
      return `<${path}?${query}>; rel="${rel}"`;
    })
    .join(', ');
}
