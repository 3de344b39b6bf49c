import type { CatalogueMarket } from '../domain/market.ts';
import { readGammaMarket } from '../polymarket/gamma-market.ts';
import { asObject, asText, type WireObject } from '../polymarket/json-values.ts';
import type { Probe, ProbeResponse } from './probe.ts';
import { UntestableError } from './untestable-error.ts';

const FIRST_PAGE = '/markets/keyset?limit=100&order=volumeNum&ascending=false&closed=false&include_tag=true';

export interface CataloguePageSeen {
  readonly response: ProbeResponse;
  readonly markets: readonly WireObject[];
  readonly cursor: string | undefined;
}

/** One look at the upstreams; what several facts need is asked for once. */
export class Visit {
  readonly probe: Probe;
  readonly #pages = new Map<string, Promise<CataloguePageSeen>>();
  readonly #responses = new Map<string, Promise<ProbeResponse>>();
  #markets: Promise<readonly CatalogueMarket[]> | undefined;

  constructor(probe: Probe) {
    this.probe = probe;
  }

  /** The first page of the catalogue, as the refresh asks for it. */
  firstPage(): Promise<CataloguePageSeen> {
    return this.page(FIRST_PAGE);
  }

  /** A page of the catalogue. @throws Error where it is none */
  page(pathAndQuery: string): Promise<CataloguePageSeen> {
    return once(this.#pages, pathAndQuery, async () => {
      const response = await this.probe.get('gamma', pathAndQuery);
      const envelope = asObject(response.body);
      if (response.status !== 200 || !Array.isArray(envelope?.markets)) {
        throw new Error(`status ${response.status}, no list of markets`);
      }
      const markets = envelope.markets.map((market) => asObject(market) ?? {});
      return { response, markets, cursor: asText(envelope.next_cursor) };
    });
  }

  /** The page after the first. */
  async secondPage(): Promise<CataloguePageSeen> {
    const { cursor } = await this.sample(() => this.firstPage());
    if (cursor === undefined) throw new UntestableError('the catalogue has one page');
    return this.page(`${FIRST_PAGE}&after_cursor=${encodeURIComponent(cursor)}`);
  }

  /** The readable markets of the first page, highest volume first. */
  markets(): Promise<readonly CatalogueMarket[]> {
    this.#markets ??= this.#readMarkets();
    return this.#markets;
  }

  async #readMarkets(): Promise<readonly CatalogueMarket[]> {
    const { markets } = await this.sample(() => this.firstPage());
    const records = markets.map(readGammaMarket);
    return records.flatMap((record) => (record.kind === 'listable' ? [record.market] : []));
  }

  /** A market that surely has a book and a past: the readable one of highest volume with a bid and an ask. */
  async market(): Promise<CatalogueMarket> {
    const markets = await this.markets();
    const found =
      markets.find(({ bestBid, bestAsk }) => bestBid !== undefined && bestAsk !== undefined) ?? markets[0];
    if (!found) throw new UntestableError('no market can be read');
    return found;
  }

  book(): Promise<ProbeResponse> {
    return once(this.#responses, 'book', async () => {
      const { yesTokenId } = await this.market();
      return this.probe.get('clob', `/book?token_id=${yesTokenId}`);
    });
  }

  /** A week of prices over CLOB's single route. */
  week(): Promise<ProbeResponse> {
    return once(this.#responses, 'week', async () => {
      const { yesTokenId } = await this.market();
      return this.probe.get('clob', `/prices-history?market=${yesTokenId}&interval=1w&fidelity=60`);
    });
  }

  /** What a fact needs but is not about: where it cannot be had, the fact cannot be looked at. */
  async sample<T>(take: () => Promise<T>): Promise<T> {
    try {
      return await take();
    } catch (error) {
      if (error instanceof UntestableError) throw error;
      throw new UntestableError('what it needs could not be read', { cause: error });
    }
  }
}

function once<T>(known: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const asked = known.get(key) ?? ask();
  known.set(key, asked);
  return asked;
}
