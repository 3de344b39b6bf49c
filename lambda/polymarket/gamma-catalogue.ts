import { GAMMA_PAGE_MARKETS } from '../contract/constants.ts';
import type { CatalogueRecord } from '../domain/market.ts';
import type { UpstreamResponse } from '../http-client/attempt.ts';
import type { Upstream } from '../http-client/client.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import type { Catalogue, CataloguePage } from '../refresh/ports.ts';
import { readGammaMarket } from './gamma-market.ts';
import { asNumber, asObject, asText } from './json-values.ts';
import type { PageObserver } from './page-observer.ts';

const ROUTE = 'markets-keyset';
/** A call for some markets by id that fails is tried again this often, time permitting. */
const FIND_RETRIES = 5;
/** A page may have more records than were asked for; so many more are no page. */
const MOST_RECORDS = 10 * GAMMA_PAGE_MARKETS;

/**
 * The catalogue over Gamma's keyset route. The cursor goes into `after_cursor`: under any other name it is
 * ignored and the first page comes back for ever (upstream.md).
 */
export class GammaCatalogue implements Catalogue {
  readonly #upstream: Upstream;
  readonly #observer: PageObserver | undefined;

  /** @param observer told what the pages are like */
  constructor(upstream: Upstream, observer?: PageObserver) {
    this.#upstream = upstream;
    this.#observer = observer;
  }

  page(cursor: string | undefined, deadline: number, atLeast?: number): Promise<CataloguePage> {
    const query = new URLSearchParams({
      limit: String(GAMMA_PAGE_MARKETS),
      order: 'volumeNum',
      ascending: String(atLeast !== undefined),
      closed: 'false',
      include_tag: 'true',
      ...(atLeast === undefined ? {} : { volume_num_min: String(atLeast) }),
      ...(cursor === undefined ? {} : { after_cursor: cursor }),
    });
    // The catalogue is the run: it is tried for as long as the run has time.
    const read = (response: UpstreamResponse) => this.#readPage(query, response);
    return this.#upstream.request(ROUTE, `/markets/keyset?${query}`, read, {
      deadline,
      retries: Number.POSITIVE_INFINITY,
    });
  }

  async find(ids: readonly string[], deadline: number): Promise<readonly CatalogueRecord[]> {
    const query = new URLSearchParams({
      limit: String(GAMMA_PAGE_MARKETS),
      closed: 'false',
      include_tag: 'true',
    });
    // Ids are compared in lower case; of V2 in the form in which the catalogue gave them, since nobody has seen another.
    for (const id of ids) query.append('condition_ids', id.toLowerCase());
    const read = (response: UpstreamResponse) => this.#readPage(query, response);
    const page = await this.#upstream.request(ROUTE, `/markets/keyset?${query}`, read, {
      deadline,
      retries: FIND_RETRIES,
      timeoutRetries: 1,
    });
    return page.records;
  }

  #readPage(query: URLSearchParams, { body, headers }: UpstreamResponse): CataloguePage {
    const envelope = asObject(body);
    if (!Array.isArray(envelope?.markets) || envelope.markets.length > MOST_RECORDS) {
      throw new UpstreamError({ route: ROUTE, failure: 'wrong_shape' });
    }
    const records = envelope.markets.map(readGammaMarket);
    this.#observer?.sawPage(query, envelope, records);
    const nextCursor = asText(envelope.next_cursor);
    const ageSeconds = asNumber(headers.get('age') ?? undefined);
    return {
      records,
      ...(nextCursor === undefined ? {} : { nextCursor }),
      ...(ageSeconds === undefined ? {} : { ageSeconds }),
    };
  }
}
