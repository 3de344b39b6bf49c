import type { CatalogueRecord } from '../domain/market.ts';
import { optional } from '../domain/values.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { readGammaMarket } from './gamma-market.ts';
import { asObject, asText } from './json-values.ts';

/** Gamma lowers `limit` to this (docs/upstream.md). */
export const GAMMA_PAGE_MARKETS = 100;

interface CataloguePage {
  readonly records: readonly CatalogueRecord[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** A page can have more records than its limit, but a response with this many is no page. */
const MAX_RECORDS = 10 * GAMMA_PAGE_MARKETS;

/** The catalogue of open markets from Gamma's keyset route. Deadlines are absolute Unix ms. */
export class GammaCatalogue {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /**
   * A page by volume, highest first. It is retried until the deadline, because a run cannot do without it.
   *
   * @param cursor of the page before; undefined: the first page
   * @param minVolume if given, the page begins with the markets of at least this volume in USD, lowest first
   * @throws UpstreamError
   */
  page(cursor: string | undefined, deadline: number, minVolume?: number): Promise<CataloguePage> {
    const query = new URLSearchParams({
      order: 'volumeNum',
      ascending: String(minVolume !== undefined),
      ...(minVolume === undefined ? {} : { volume_num_min: String(minVolume) }),
      // Upstream ignores every other name of this parameter and returns the first page again.
      ...(cursor === undefined ? {} : { after_cursor: cursor }),
    });
    return this.#read(query, { deadline, retries: Number.POSITIVE_INFINITY });
  }

  /**
   * The open ones of some markets. A run is hardly worse without them, so the retries are bounded.
   *
   * @param ids condition ids as the catalogue wrote them, at most 40: upstream's firewall rejects longer addresses
   * @throws UpstreamError
   */
  async find(ids: readonly string[], deadline: number): Promise<readonly CatalogueRecord[]> {
    // Upstream compares ids in lower case.
    const query = new URLSearchParams(ids.map((id): [string, string] => ['condition_ids', id.toLowerCase()]));
    return (await this.#read(query, { deadline, retries: 5, timeoutRetries: 1 })).records;
  }

  #read(query: URLSearchParams, limits: CallLimits): Promise<CataloguePage> {
    const common = `limit=${GAMMA_PAGE_MARKETS}&closed=false&include_tag=true`;
    const path = `/markets/keyset?${common}&${query}`;
    return this.#upstream.request({ route: 'markets-keyset', path, parse: readPage, ...limits });
  }
}

function readPage(body: unknown): CataloguePage | undefined {
  const page = asObject(body);
  if (!Array.isArray(page?.markets) || page.markets.length > MAX_RECORDS) return undefined;
  return { records: page.markets.map(readGammaMarket), ...optional('nextCursor', asText(page.next_cursor)) };
}
