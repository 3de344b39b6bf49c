import { VERSION } from '../../lambda/core/contract/constants.ts';
import type { CatalogueMarket } from '../../lambda/core/domain/market.ts';
import { readGammaMarket } from '../../lambda/io/polymarket/gamma-market.ts';
import * as json from '../../lambda/io/polymarket/json-values.ts';
import { UPSTREAMS, type UpstreamName } from '../../lambda/io/upstream/upstreams.ts';

export type Urls = Readonly<Record<UpstreamName, string>>;
export type Resolved = Readonly<Record<'conditionId' | 'slug' | 'token', string>>;

/** A call to an upstream, for a report. */
export interface ObservedCall {
  readonly upstream: UpstreamName;
  /** Without its query, which names markets. */
  readonly path: string;
  /** `no response` if there is none. */
  readonly status: number | 'no response';
  readonly ms: number;
  readonly received: unknown;
}

/** An upstream or its firewall blocks the address. */
const BLOCKED: readonly number[] = [401, 403, 429, 451];

export const FIRST_PAGE =
  '/markets/keyset?limit=100&order=volumeNum&ascending=false&closed=false&include_tag=true';

type Page = Promise<{ markets: readonly json.WireObject[]; cursor: string | undefined }>;

/** The calls of one examination of the upstreams. Facts share the first pages of the catalogue. */
export class Visit {
  readonly #urls: Urls;
  readonly #onCall: (call: ObservedCall) => void;
  #resolved: Promise<Resolved> | undefined;
  #firstPage: Page | undefined;
  #closedPage: Page | undefined;

  constructor(urls: Urls, onCall: (call: ObservedCall) => void) {
    this.#urls = urls;
    this.#onCall = onCall;
  }

  /**
   * `clockAheadMs`: this machine's clock against the time of the response, if that has one.
   *
   * @throws Error without JSON in time, or if the upstream blocks this address
   */
  async call(upstream: UpstreamName, path: string, sent?: unknown) {
    const begun = Date.now();
    const observe = (seen: Pick<ObservedCall, 'status' | 'received'>): void => {
      const [route = ''] = path.split('?');
      this.#onCall({ upstream, path: route, ms: Date.now() - begun, ...seen });
    };
    const response = await fetch(`${this.#urls[upstream]}${path}`, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: { 'user-agent': `market-data-proxy/${VERSION}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(UPSTREAMS[upstream].timeoutMs),
      body: sent === undefined ? null : JSON.stringify(sent),
    }).catch((error: unknown) => {
      observe({ status: 'no response', received: undefined });
      throw new Error(`no response: ${unreachable(new URL(this.#urls[upstream]).host, error)}`);
    });
    const { status, headers } = response;
    const clockAheadMs = (begun + Date.now()) / 2 - timeOf(headers.get('date'));
    const received: unknown = await response.json().catch(() => undefined);
    observe({ status, received });
    if (BLOCKED.includes(status))
      throw new Error(`${upstream} blocks this address, status ${status}`);
    if (received === undefined) throw new Error(`status ${status}, not JSON`);
    const list = json.asList(received) ?? [];
    return { status, clockAheadMs, body: json.asObject(received), list };
  }

  /** Both sides of the books of tokens, and how many tokens have one. */
  async sides(tokens: readonly string[]) {
    const sent = tokens.flatMap((token_id) => ['BUY', 'SELL'].map((side) => ({ token_id, side })));
    const { status, clockAheadMs, body } = await this.call('clob', '/prices', sent);
    const books = tokens.map((token) => json.asObject(body?.[token]));
    return {
      status,
      clockAheadMs,
      body,
      found: books.filter((book) => isPrice(book?.BUY) || isPrice(book?.SELL)).length,
    };
  }

  async page(path: string): Page {
    const { status, body } = await this.call('gamma', path);
    if (!Array.isArray(body?.markets)) throw new Error(`status ${status}, no list of markets`);
    const markets = body.markets.map((market): json.WireObject => json.asObject(market) ?? {});
    return { markets, cursor: json.asText(body.next_cursor) };
  }

  firstPage(): Page {
    this.#firstPage ??= this.page(FIRST_PAGE);
    return this.#firstPage;
  }

  /** Of closed markets. */
  closedPage(): Page {
    this.#closedPage ??= this.page(FIRST_PAGE.replace('closed=false', 'closed=true'));
    return this.#closedPage;
  }

  /** First page, highest volume first. */
  async markets(): Promise<readonly CatalogueMarket[]> {
    const records = (await this.firstPage()).markets.map(readGammaMarket);
    const markets = records.flatMap((record) =>
      record.kind === 'listable' ? [record.market] : [],
    );
    if (markets.length === 0) throw new Error('no market of the first page can be read');
    return markets;
  }

  /** A closed market of high volume that is resolved. */
  resolved(): Promise<Resolved> {
    this.#resolved ??= this.#findResolved();
    return this.#resolved;
  }

  async #findResolved(): Promise<Resolved> {
    const { markets } = await this.closedPage();
    for (const {
      umaResolutionStatus,
      enableOrderBook,
      conditionId,
      slug,
      clobTokenIds,
    } of markets) {
      const token = json.asText(json.asList(clobTokenIds)?.[0]);
      // Without an order book a market has no history.
      if (umaResolutionStatus !== 'resolved' || enableOrderBook !== true || token === undefined)
        continue;
      return { conditionId: String(conditionId), slug: String(slug), token };
    }
    throw new Error(`none of ${markets.length} closed markets is resolved and has tokens`);
  }

  /** With an order book and a history. */
  async token(): Promise<string> {
    const markets = await this.markets();
    const traded = markets.find(
      ({ catalogue: { bid, ask } }) => bid !== undefined && ask !== undefined,
    );
    return (traded ?? markets[0])?.clobTokenId ?? '';
  }
}

/** The middle of the second that the header `Date` names, in Unix milliseconds; NaN without it. */
function timeOf(date: string | null): number {
  return Date.parse(date ?? '') + 500;
}

export function isPrice(value: unknown): boolean {
  const price = json.asPrice(value);
  return price !== undefined && price > 0 && price < 1;
}

/** Why `fetch` failed, in words. */
export function unreachable(host: string, error: unknown): string {
  const { name, cause } = error as Error;
  if (name === 'TimeoutError') return `${host} does not respond in time`;
  const code =
    typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `cannot resolve ${host}`;
  if (code === 'ECONNREFUSED') return `${host} refuses connections`;
  return `cannot connect to ${host}${code === '' ? '' : ` (${code})`}`;
}
