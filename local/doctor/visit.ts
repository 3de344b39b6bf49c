/**
 * The calls that the doctor makes. The doctor (`npm run doctor`) checks facts about Polymarket
 * on which the service relies.
 */
import type { CatalogueMarket } from '../../lambda/core/domain/market.ts';
import { itemAt } from '../../lambda/core/domain/values.ts';
import { systemClock } from '../../lambda/io/platform/clock.ts';
import { ClobPrices } from '../../lambda/io/polymarket/clob-prices.ts';
import { type Page, pageOf } from '../../lambda/io/polymarket/gamma-catalogue.ts';
import { readGammaMarket } from '../../lambda/io/polymarket/gamma-market.ts';
import * as json from '../../lambda/io/polymarket/json-values.ts';
import { readFoundMarket } from '../../lambda/io/polymarket/market-lookup.ts';
import { isResolvedStatus } from '../../lambda/io/polymarket/resolutions.ts';
import { Upstream, type UpstreamRequest } from '../../lambda/io/upstream/client.ts';
import type { callOnce } from '../../lambda/io/upstream/http-call.ts';
import { perUpstream, type UpstreamName } from '../../lambda/io/upstream/upstreams.ts';

/** The addresses of the upstreams by name: `gamma`, `clob` and `data`. */
export type Urls = Readonly<Record<UpstreamName, string>>;

/** A page of the catalogue with its records as Gamma sends them. */
type RawPage = Page<json.WireObject>;

/** An upstream has this time to respond to a call of the doctor. */
export const CALL_MS = 10_000;
/**
 * The limits that the doctor passes to the readers of the service, which require some. They have no
 * effect, because `SingleTryUpstream` replaces them.
 */
export const LIMITS = { deadline: Number.POSITIVE_INFINITY };

/** The service's client without retries, so that a failure is seen and not mended. */
class SingleTryUpstream extends Upstream {
  override request<T>(request: UpstreamRequest<T>): Promise<T> {
    const deadline = Date.now() + CALL_MS;
    return super.request({ ...request, deadline, retries: 0, timeoutRetries: 0 });
  }
}

/**
 * One visit of the doctor: calls to the upstreams, through the clients and readers of the service.
 * Facts share the first pages of the catalogue, and the markets that they find there.
 */
export class Visit {
  readonly urls: Urls;
  readonly gamma: Upstream;
  readonly clob: Upstream;
  readonly data: Upstream;
  readonly prices: ClobPrices;
  readonly #pages = new Map<string, Promise<RawPage>>();

  constructor(urls: Urls, call: typeof callOnce) {
    const common = { clock: systemClock, random: Math.random, call };
    const upstreams = perUpstream(
      (name) => new SingleTryUpstream(name, { ...common, baseUrl: urls[name] }),
    );
    this.urls = urls;
    this.gamma = upstreams.gamma;
    this.clob = upstreams.clob;
    this.data = upstreams.data;
    this.prices = new ClobPrices(this.clob);
  }

  /** A page of the catalogue by volume. Each is read once. @throws UpstreamError */
  page(query = 'ascending=false&closed=false'): Promise<RawPage> {
    const known = this.#pages.get(query);
    if (known !== undefined) return known;
    const path = `/markets/keyset?limit=100&order=volumeNum&include_tag=true&${query}`;
    const parse = (body: unknown) => pageOf(body, (record) => json.asObject(record) ?? {});
    const page = this.gamma.request({ route: 'markets-keyset', path, parse, ...LIMITS });
    this.#pages.set(query, page);
    return page;
  }

  /** The closed markets of highest volume. @throws UpstreamError */
  closedPage(): Promise<RawPage> {
    return this.page('ascending=false&closed=true');
  }

  /** The open markets of highest volume. @throws Error if there is none */
  async markets(): Promise<readonly CatalogueMarket[]> {
    const records = (await this.page()).records.map(readGammaMarket);
    const markets = records.flatMap((record) =>
      record.kind === 'listable' ? [record.market] : [],
    );
    if (markets.length === 0) throw new Error('no market of the first page can be read');
    return markets;
  }

  /** The tokens of YES of these open markets. */
  async tokens(): Promise<readonly string[]> {
    return (await this.markets()).map(({ clobTokenId }) => clobTokenId);
  }

  /** The token of an open market that should have an order book and a history. */
  async token(): Promise<string> {
    const markets = await this.markets();
    const quoted = markets.find(
      ({ catalogue: { bid, ask } }) => bid !== undefined && ask !== undefined,
    );
    return (quoted ?? itemAt(markets, 0)).clobTokenId;
  }

  /** A closed market of high volume that is resolved. @throws Error if there is none */
  async resolved(): Promise<CatalogueMarket> {
    const { records } = await this.closedPage();
    for (const record of records) {
      const found = readFoundMarket(record, 0);
      // Without an order book a market has no history.
      if (!found || 'reason' in found || record.enableOrderBook !== true) continue;
      if (isResolvedStatus(found.resolutionStatus)) return found.market;
    }
    throw new Error(`none of ${records.length} closed markets is resolved and has tokens`);
  }
}
