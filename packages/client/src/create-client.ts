/** The client of the service: a method for each endpoint, over one polite `fetch`. */
import type * as api from './api.ts';
import { ApiError } from './errors.ts';
import { EtagCache } from './etag-cache.ts';
import { politeFetch, type Send, type Wait } from './polite-fetch.ts';
import { type Result, toResult } from './result.ts';
import type { Selected } from './selected.ts';
import { SYSTEM_TIMING, type Timing } from './timing.ts';

/** How a client reaches the service, and how patient it is. */
export interface ClientOptions {
  /** The service's address: `http://127.0.0.1:3000`, or the output `BaseUrl` of a deployment. */
  readonly baseUrl: string;
  /** Key of a partner; other callers need none. With a key, a redirect is an error. */
  readonly apiKey?: string;
  /**
   * Repetitions after 429, 502, 503, 504 or a network error, unless `Retry-After` exceeds two
   * minutes.
   *
   * @default 2
   */
  readonly retries?: number;
  /** Milliseconds of one attempt, including its body. @default 10,000; `Infinity`: no limit */
  readonly timeoutMs?: number;
  /** Responses stored for their `ETag`. @default 50; 0 in browsers, which have a cache */
  readonly etagCacheSize?: number;
  /** Called before each pause between two attempts. */
  readonly onWait?: (wait: Wait) => void;
  /** @default the platform's `fetch` */
  readonly fetch?: (request: Request) => Promise<Response>;
  /**
   * For tests.
   *
   * @default the platform's clock, timers and random numbers
   * @internal
   */
  readonly timing?: Timing;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

/** The query of `markets` and `search`, without `format`: the client reads JSON only. */
export type ListQuery<O extends 'listMarkets' | 'searchMarkets' = 'listMarkets'> =
  O extends 'listMarkets'
    ? Omit<api.ListMarketsQuery, 'format'>
    : Omit<api.SearchMarketsQuery, 'format' | 'q'>;

type NoQuery = Record<never, never>;
/** Query parameters by name. */
type Values = Readonly<Record<string, unknown>>;
type Depth = { readonly depth?: number };

/**
 * The client of the service; `createClient` makes one. All methods reject with `ApiError` if the
 * service responds with an error.
 */
export class Client {
  readonly #baseUrl: string;
  readonly #init: RequestInit;
  /** Whether the platform has an HTTP cache, as browsers have. */
  readonly #hasHttpCache: boolean;
  readonly #timing: Timing;
  readonly #send: Send;

  constructor(options: ClientOptions) {
    const {
      apiKey,
      fetch = (request) => globalThis.fetch(request),
      timing = SYSTEM_TIMING,
      onWait,
    } = options;
    this.#hasHttpCache = 'caches' in globalThis && 'location' in globalThis;
    const { retries = 2, timeoutMs = 10_000 } = options;
    const { etagCacheSize = this.#hasHttpCache ? 0 : 50 } = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#init = apiKey === undefined ? {} : initWithKey(apiKey);
    this.#timing = timing;
    this.#send = politeFetch({
      fetch,
      etags: etagCacheSize > 0 ? new EtagCache(etagCacheSize) : undefined,
      timing,
      retries,
      timeoutMs,
      onWait,
    });
  }

  /** One page of the list. */
  markets<const Q extends ListQuery = NoQuery>(
    query?: Q,
    call?: CallOptions,
  ): Promise<Result<Selected<Q>[]>> {
    return this.#get('/api/markets', query, call);
  }

  /** All pages from one snapshot, which expires after an hour. */
  pages<const Q extends ListQuery = NoQuery>(query?: Q, call?: CallOptions) {
    return this.#pages<Selected<Q>>('/api/markets', query, call);
  }

  /** Markets that match a text, most relevant first. */
  search<const Q extends ListQuery<'searchMarkets'> = NoQuery>(
    q: string,
    query?: Q,
    call?: CallOptions,
  ): Promise<Result<Selected<Q>[]>> {
    return this.#get('/api/markets/search', { ...query, q }, call);
  }

  /** All pages of a search from one snapshot, which expires after an hour. */
  searchPages<const Q extends ListQuery<'searchMarkets'> = NoQuery>(
    q: string,
    query?: Q,
    call?: CallOptions,
  ) {
    return this.#pages<Selected<Q>>('/api/markets/search', { ...query, q }, call);
  }

  /**
   * A market with all fields, by condition id, slug or any outcome token. A resolved one has
   * payouts.
   *
   * @throws TypeError for an empty id
   */
  async market(
    id: string,
    call?: CallOptions,
  ): Promise<Result<api.MarketWithAllFields | api.UnlistedMarket | api.ResolvedMarket>> {
    return await this.#get(`/api/markets/${segment(id)}`, {}, call);
  }

  /**
   * The rules by which a market resolves, by condition id, slug or any outcome token.
   *
   * @throws TypeError for an empty id
   */
  async marketRules(id: string, call?: CallOptions): Promise<Result<api.MarketRules>> {
    return await this.#get(`/api/markets/${segment(id)}/rules`, {}, call);
  }

  /** One page of the events with open markets. */
  events(query?: api.ListEventsQuery, call?: CallOptions): Promise<Result<api.Event[]>> {
    return this.#get('/api/events', query, call);
  }

  /** All pages of the events from one snapshot, which expires after an hour. */
  eventPages(query?: api.ListEventsQuery, call?: CallOptions) {
    return this.#pages<api.Event>('/api/events', query, call);
  }

  /**
   * An event with its open markets. If they exceed one response, `pages({ event: slug })` reads all
   * of them.
   *
   * @throws TypeError for an empty slug
   */
  async event(
    slug: string,
    query?: api.GetEventQuery,
    call?: CallOptions,
  ): Promise<Result<api.EventWithMarkets>> {
    return await this.#get(`/api/events/${segment(slug)}`, query, call);
  }

  /** Categories and tags, most markets first. */
  tags(call?: CallOptions): Promise<Result<api.Tags>> {
    return this.#get('/api/tags', {}, call);
  }

  /** A token's live order book, best level first. */
  orderBook(token: string, query?: Depth, call?: CallOptions): Promise<Result<api.OrderBook>> {
    return this.#get('/api/clob/order-book', { ...query, token_id: token }, call);
  }

  /** Live order books by token, up to 20; `null` for a token without a book. */
  orderBooks(
    tokens: readonly string[],
    query?: Depth,
    call?: CallOptions,
  ): Promise<Result<Readonly<Record<string, api.OrderBook | null>>>> {
    return this.#get('/api/clob/order-books', { ...query, token_id: tokens }, call);
  }

  /**
   * A token's prices in an interval or a window, oldest point first: Unix seconds and prices, 0 to
   * 1. `payout: true` marks what a share of a resolved market pays.
   */
  priceHistory(
    token: string,
    query?: Omit<api.GetPricesHistoryQuery, 'token_id'>,
    call?: CallOptions,
  ): Promise<Result<api.PriceHistory>> {
    return this.#get('/api/clob/prices-history', { ...query, token_id: token }, call);
  }

  /** Price histories by token, up to 20; `null` for a history that could not be read. */
  priceHistories(
    tokens: readonly string[],
    query?: Omit<api.GetPricesHistoriesQuery, 'token_id'>,
    call?: CallOptions,
  ): Promise<Result<Readonly<Record<string, api.PriceHistory | null>>>> {
    return this.#get('/api/clob/prices-histories', { ...query, token_id: tokens }, call);
  }

  /** The state of the service and the age of its data. */
  status(call?: CallOptions): Promise<Result<api.Status>> {
    return this.#get('/api/status', {}, call);
  }

  /** Requests a path. @throws ApiError for an error, or a body that is not JSON */
  async #get<T>(
    path: string,
    query: Values = {},
    { signal }: CallOptions = {},
  ): Promise<Result<T>> {
    const request = new Request(`${this.#baseUrl}${path}${queryString(query)}`, this.#init);
    const response = await this.#send(request, signal);
    const body: unknown = await response.json().catch(() => undefined);
    if (!response.ok || body === undefined) throw new ApiError(response, body);
    return toResult(body as T, response, this.#timing.now(), this.#hasHttpCache);
  }

  /**
   * Yields page after page. A page can be shorter than its `limit`, so the next one begins where it
   * ended.
   */
  async *#pages<T>(
    path: string,
    query: Values & { offset?: number; snapshot?: string } = {},
    call?: CallOptions,
  ): AsyncGenerator<Result<T[]>, void, undefined> {
    let { offset = 0, snapshot } = query;
    while (true) {
      const page = await this.#get<T[]>(path, { ...query, offset, snapshot }, call);
      yield page;
      offset += page.data.length;
      if (page.data.length === 0 || offset >= (page.total ?? 0)) return;
      snapshot = page.snapshot;
    }
  }
}

/**
 * Makes a client that waits while the service's limit is used up, sends ETags, and repeats requests
 * that can succeed later.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:3000' });
 * const { data, ageSeconds } = await client.markets({ limit: 10, sort: 'move1d' });
 */
export function createClient(options: ClientOptions): Client {
  return new Client(options);
}

/** A query with its question mark; empty without values. A list is separated by commas. */
function queryString(query: Values): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  if (sent.length === 0) return '';
  const pairs = sent.map(([name, value]) => {
    const entries = [value].flat().map((entry) => encodeURIComponent(String(entry)));
    return `${name}=${entries.join(',')}`;
  });
  return `?${pairs.join('&')}`;
}

/** What each request of a partner has, besides its address. */
function initWithKey(apiKey: string): RequestInit {
  // API Gateway, which a key calls directly, compresses only if gzip is the first coding.
  const headers = { 'x-api-key': apiKey, 'Accept-Encoding': 'gzip' };
  // `fetch` would send the key to the origin of a redirect.
  return { headers, redirect: 'error' };
}

/** A name as a segment of a path. @throws TypeError for names that would be another path */
function segment(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new TypeError(`"${name}" is no id and no slug`);
  return encodeURIComponent(name);
}
