import createFetchClient from 'openapi-fetch';
import { Budget } from './budget.ts';
import { ApiError } from './errors.ts';
import { EtagCache } from './etag-cache.ts';
import { type Followed, type FollowOptions, follow } from './follow.ts';
import type { Changes, Market, MarketSelection, operations, paths } from './generated/api.ts';
import { type PagesOptions, walk } from './pages.ts';
import { politeFetch, type Wait } from './polite-fetch.ts';
import { type Result, toResult } from './result.ts';
import { SYSTEM_TIMING, type Timing } from './timing.ts';

export interface ClientOptions {
  /** Where the service is, e.g. `http://127.0.0.1:3000` or the output `BaseUrl` of a deployment. */
  readonly baseUrl: string;
  /** A partner's key; anonymous callers need none. */
  readonly apiKey?: string;
  /** Requests in any 60 s. A partner has another allowance. @default 60 */
  readonly requestsPerMinute?: number;
  /** How often a request is sent again after 429, 502, 503, 504 or no response. @default 2 */
  readonly retries?: number;
  /** Responses kept for their `ETag`. @default 50; 0 in browsers, which keep responses themselves */
  readonly etagsKept?: number;
  /** Told of each wait that the service caused, as by 429. @default nobody */
  readonly onWait?: (wait: Wait) => void;
  /** Told of each response that was used. @default nobody */
  readonly onResponse?: (result: Result<unknown>) => void;
  /** @default the platform's */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** @default the system's clock, timers and chance */
  readonly timing?: Timing;
}

/** JSON alone: `format=csv` is for spreadsheets. */
export type ListQuery<O extends 'listMarkets' | 'searchMarkets'> = Omit<Query<O>, 'format' | 'q'>;
/** What a market is with the fields that were asked for. */
export type Selected<Q> = Q extends { readonly fields: readonly unknown[] } ? MarketSelection : Market;

type Query<O extends keyof operations> = NonNullable<operations[O]['parameters']['query']>;

/** What openapi-fetch gives. */
type Call<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

export type CallOptions = {
  readonly signal?: AbortSignal;
};

const REQUESTS_PER_MINUTE = 60;
const RETRIES = 2;
const ETAGS_KEPT = 50;

export type Client = ReturnType<typeof createClient>;

/**
 * A client of the service. It waits rather than exceeds its budget, uses what it already has (`ETag`), tries again
 * when it makes sense, and rejects with `ApiError` for whatever the service refuses.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:3000' });
 * const { data, ageSeconds } = await client.markets({ limit: 10, sort: 'move1d' });
 */
export function createClient(options: ClientOptions) {
  const timing = options.timing ?? SYSTEM_TIMING;
  const kept = options.etagsKept ?? (hasHttpCache() ? 0 : ETAGS_KEPT);
  const budget = new Budget(options.requestsPerMinute ?? REQUESTS_PER_MINUTE, timing);
  const send = politeFetch({
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    budget,
    etags: kept > 0 ? new EtagCache(kept) : undefined,
    timing,
    retries: options.retries ?? RETRIES,
    onWait: options.onWait,
  });
  const headers: Record<string, string> = options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey };
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  // Lists are comma separated, and a service behind a path of its own keeps it.
  const querySerializer = { array: { style: 'form', explode: false } } as const;
  const api = createFetchClient<paths>({ baseUrl, headers, fetch: send, querySerializer });

  const tell = <T>(data: T, response: Response): Result<T> => {
    const made = toResult(data, response, baseUrl, timing.now());
    options.onResponse?.(made);
    return made;
  };

  async function result<T>(call: Call<T>): Promise<Result<T>> {
    const { data, error, response } = await call;
    if (!response.ok || data === undefined) throw ApiError.from(response, error);
    return tell(data, response);
  }

  async function getUrl<T>(url: string, { signal }: CallOptions): Promise<Result<T>> {
    const response = await send(new Request(url, { headers, ...(signal ? { signal } : {}) }));
    const body: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw ApiError.from(response, body);
    return tell(body as T, response);
  }

  /** One page of the list: every active market by volume, or what the filters and the sort ask for. */
  const markets = <Q extends ListQuery<'listMarkets'> = Record<never, never>>(
    query: Q = {} as Q,
    call: CallOptions = {},
  ): Promise<Result<Selected<Q>[]>> =>
    result(
      api.GET('/api/markets', { params: { query: query as Query<'listMarkets'> }, ...call }) as Call<
        Selected<Q>[]
      >,
    );

  /** The pages of a list one after the other, all of one snapshot. */
  const pages = <Q extends ListQuery<'listMarkets'> = Record<never, never>>(
    query: Q = {} as Q,
    { whenGone, ...call }: PagesOptions & CallOptions = {},
  ) =>
    walk<readonly Selected<Q>[]>(
      () => markets<Q>(query, call),
      (url) => getUrl(url, call),
      whenGone === undefined ? {} : { whenGone },
    );

  /** Markets that match a free-text query, most relevant first. */
  const search = <Q extends ListQuery<'searchMarkets'> = Record<never, never>>(
    q: string,
    query: Q = {} as Q,
    call: CallOptions = {},
  ): Promise<Result<Selected<Q>[]>> =>
    result(
      api.GET('/api/markets/search', {
        params: { query: { ...query, q } as Query<'searchMarkets'> },
        ...call,
      }) as Call<Selected<Q>[]>,
    );

  const changes = (since: string, call: CallOptions = {}): Promise<Result<Changes>> =>
    result(api.GET('/api/markets/changes', { params: { query: { since } }, ...call }));

  return {
    markets,
    pages,
    search,
    /** The pages of a search one after the other, all of one snapshot. */
    searchPages: <Q extends ListQuery<'searchMarkets'> = Record<never, never>>(
      q: string,
      query: Q = {} as Q,
      { whenGone, ...call }: PagesOptions & CallOptions = {},
    ) =>
      walk<readonly Selected<Q>[]>(
        () => search<Q>(q, query, call),
        (url) => getUrl(url, call),
        whenGone === undefined ? {} : { whenGone },
      ),
    /** What differs between the snapshot `since` and the newest. */
    changes,
    /** A local copy of the whole list that keeps itself current; see `FollowOptions`. */
    follow: (how: FollowOptions = {}): AsyncGenerator<Followed, void, undefined> => {
      const call = how.signal ? { signal: how.signal } : {};
      return follow({ pages: () => pages({}, call), changes: (since) => changes(since, call) }, timing, how);
    },
    /** One market with all its fields, by condition id, slug or any of its token ids. */
    market: (id: string, call: CallOptions = {}) =>
      result(api.GET('/api/markets/{id}', { params: { path: { id } }, ...call })),
    /** Events with open markets. */
    events: (query: Query<'listEvents'> = {}, call: CallOptions = {}) =>
      result(api.GET('/api/events', { params: { query }, ...call })),
    /** An event and its markets; where they do not fit into one response, `links.next` goes on. */
    event: (slug: string, query: Query<'getEvent'> = {}, call: CallOptions = {}) =>
      result(api.GET('/api/events/{slug}', { params: { path: { slug }, query }, ...call })),
    /** The live order book of a token, both sides best first. */
    orderBook: (token: string, query: { readonly depth?: number } = {}, call: CallOptions = {}) =>
      result(api.GET('/api/clob/order-book', { params: { query: { ...query, token_id: token } }, ...call })),
    /** The live order books of up to 20 tokens with one request, by token; null where there is none. */
    orderBooks: (
      tokens: readonly string[],
      query: { readonly depth?: number } = {},
      call: CallOptions = {},
    ) =>
      result(
        api.GET('/api/clob/order-books', {
          params: { query: { ...query, token_id: [...tokens] } },
          ...call,
        }),
      ),
    /** The price history of a token: seconds since 1970 and prices 0..1, oldest first. */
    priceHistory: (
      token: string,
      query: Omit<Query<'getPricesHistory'>, 'token_id'> = {},
      call: CallOptions = {},
    ) =>
      result(
        api.GET('/api/clob/prices-history', { params: { query: { ...query, token_id: token } }, ...call }),
      ),
    /** Whether the data is fresh, and how old it is. Not counted by the service's limit. */
    status: (call: CallOptions = {}) => result(api.GET('/api/status', call)),
    /** Requests that may go out now without waiting. */
    get budgetLeft(): number {
      return budget.left;
    },
  };
}

/** Whether `fetch` itself keeps responses and sends their tags, as browsers' does. */
function hasHttpCache(): boolean {
  return 'caches' in globalThis && 'location' in globalThis;
}
