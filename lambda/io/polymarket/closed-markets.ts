import { fieldIf } from '../../core/domain/values.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { GAMMA_PAGE_MARKETS } from './gamma-catalogue.ts';
import { asObject, asText, type WireObject } from './json-values.ts';
import { type FoundMarket, readFoundMarket } from './market-lookup.ts';

/** A closed market, or why it has no history that the service can read. */
export interface ClosedRecord {
  /** The condition id as Gamma writes it; empty if absent. */
  readonly id: string;
  readonly found: FoundMarket | { readonly reason: string };
}

/** A page of the catalogue of closed markets. */
interface ClosedPage {
  readonly records: readonly ClosedRecord[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** The ids of a call: Gamma's firewall rejects longer URLs (docs/upstream.md). */
export const CLOSED_BATCH_CONDITIONS = 40;

/** Reads Gamma's catalogue of closed markets. */
export class ClosedMarkets {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** A page by descending volume. @throws UpstreamError */
  page(cursor: string | undefined, limits: CallLimits): Promise<ClosedPage> {
    const query = new URLSearchParams({
      order: 'volumeNum',
      ascending: 'false',
      ...fieldIf('after_cursor', cursor),
    });
    return this.#read(query, limits);
  }

  /** Those of the markets that are closed. @param ids at most 40 @throws UpstreamError */
  async byIds(ids: readonly string[], limits: CallLimits): Promise<readonly ClosedRecord[]> {
    const pairs = ids.map((id): [string, string] => ['condition_ids', id.toLowerCase()]);
    return (await this.#read(new URLSearchParams(pairs), limits)).records;
  }

  #read(query: URLSearchParams, limits: CallLimits): Promise<ClosedPage> {
    const common = `limit=${GAMMA_PAGE_MARKETS}&closed=true&include_tag=true`;
    return this.#upstream.request({
      route: 'markets-keyset',
      path: `/markets/keyset?${common}&${query}`,
      parse: readPage,
      ...limits,
    });
  }
}

function readPage(body: unknown): ClosedPage | undefined {
  const page = asObject(body);
  if (!Array.isArray(page?.markets)) return undefined;
  return {
    records: page.markets.map((value) => readRecord(asObject(value) ?? {})),
    ...fieldIf('nextCursor', asText(page.next_cursor)),
  };
}

function readRecord(record: WireObject): ClosedRecord {
  const id = asText(record.conditionId) ?? '';
  const found = readFoundMarket(record, 0) ?? { reason: 'condition_id' };
  if ('reason' in found) return { id, found };
  if (!found.isClosed) return { id, found: { reason: 'not_closed' } };
  return { id, found: record.enableOrderBook === true ? found : { reason: 'no_order_book' } };
}
