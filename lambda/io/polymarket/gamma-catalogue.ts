/** The list of open markets from Gamma, Polymarket's API for its catalogue, page by page. */
import type { CatalogueRecord } from '../../core/domain/market.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { readGammaMarket } from './gamma-market.ts';
import { asObject, asText } from './json-values.ts';

/** The markets of a page. Gamma lowers larger limits to it (docs/upstream.md). */
export const GAMMA_PAGE_MARKETS = 100;

/** The condition ids of a call. Gamma's firewall returns 403 for longer URLs (docs/upstream.md). */
export const MAX_CONDITION_IDS = 40;

/** A page of Gamma's catalogue. `T` is a record as the caller of `pageOf` reads it. */
export interface Page<T> {
  readonly records: readonly T[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** A page of open markets, with its time. */
export interface CataloguePage extends Page<CatalogueRecord> {
  /** Earliest time at which Gamma made the response. Its prices are not older. */
  readonly madeAt: UnixMs;
}

/** A page with more records is not usable. Gamma can exceed the limit of a page, but not so far. */
const MAX_RECORDS = 10 * GAMMA_PAGE_MARKETS;

/** Reads Gamma's catalogue of open markets. */
export class GammaCatalogue {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /**
   * A page of all markets, by descending volume. With `minVolume`, only of markets that have at
   * least this volume, by ascending volume. Retries until the deadline, because a run needs every
   * page.
   *
   * @param cursor of the page before; undefined for the first page
   * @param minVolume USD
   * @throws UpstreamError
   */
  page(cursor: string | undefined, deadline: UnixMs, minVolume?: number): Promise<CataloguePage> {
    const query = new URLSearchParams({
      order: 'volumeNum',
      ascending: String(minVolume !== undefined),
    });
    if (minVolume !== undefined) query.set('volume_num_min', String(minVolume));
    // Gamma ignores any other name and returns the first page.
    if (cursor !== undefined) query.set('after_cursor', cursor);
    return this.#read(query, { deadline, retries: Number.POSITIVE_INFINITY });
  }

  /**
   * The records of single markets, without those that are not open. The retries are limited,
   * because a run is hardly worse without these records.
   *
   * @param ids condition ids as in the catalogue, at most MAX_CONDITION_IDS
   * @throws UpstreamError
   */
  recordsByIds(ids: readonly string[], deadline: UnixMs): Promise<CataloguePage> {
    // Gamma compares lower-case ids.
    const query = new URLSearchParams();
    for (const id of ids) query.append('condition_ids', id.toLowerCase());
    return this.#read(query, { deadline, retries: 5, timeoutRetries: 1 });
  }

  #read(query: URLSearchParams, limits: CallLimits): Promise<CataloguePage> {
    const common = `limit=${GAMMA_PAGE_MARKETS}&closed=false&include_tag=true`;
    const path = `/markets/keyset?${common}&${query}`;
    return this.#upstream.request({ route: 'markets-keyset', path, parse: readPage, ...limits });
  }
}

function readPage(
  body: unknown,
  { madeAt }: { readonly madeAt: UnixMs },
): CataloguePage | undefined {
  const page = pageOf(body, readGammaMarket);
  return page && { ...page, madeAt };
}

/**
 * Reads a page of open or closed markets.
 *
 * @param readRecord reads one record
 * @returns undefined if the page is not usable
 */
export function pageOf<T>(body: unknown, readRecord: (record: unknown) => T): Page<T> | undefined {
  const page = asObject(body);
  if (!Array.isArray(page?.markets) || page.markets.length > MAX_RECORDS) return undefined;
  return {
    records: page.markets.map((record) => readRecord(record)),
    ...fieldIf('nextCursor', asText(page.next_cursor)),
  };
}
