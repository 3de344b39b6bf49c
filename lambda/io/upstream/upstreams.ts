/**
 * Upstream: the three APIs of Polymarket that this service reads, and the limits of their routes.
 * Gamma has the catalogue, CLOB the order books, the Data API histories and resolutions.
 */

/** The limits of a route of upstream. */
export interface UpstreamRoute {
  /** Calls that this process begins in any 10 s. */
  readonly callsPer10Seconds: number;
  /** Parallel calls of this process. Routes do not share slots, so none waits for another. */
  readonly concurrency: number;
}

interface UpstreamRow {
  readonly url: string;
  /** The environment variable that holds the address. */
  readonly variable: string;
  /** Time-out of one call. */
  readonly timeoutMs: number;
  readonly routes: Readonly<Record<string, UpstreamRoute>>;
}

/**
 * The hosts of upstream and the limits of their routes. The limits are per process: at most half of
 * what upstream documents for one address (docs/upstream.md, "Rate limits"), so that a second
 * deployment can share the address.
 */
export const UPSTREAMS = {
  gamma: {
    url: 'https://gamma-api.polymarket.com',
    variable: 'GAMMA_URL',
    // A catalogue page takes about 1.1 s, and a run needs all pages.
    timeoutMs: 10_000,
    // Both routes are one path of Gamma and share its limit. Lookups of unknown ids leave two
    // thirds of the calls to the refresher.
    routes: {
      'markets-keyset': { callsPer10Seconds: 100, concurrency: 16 },
      'market-lookup': { callsPer10Seconds: 50, concurrency: 8 },
    },
  },
  clob: {
    url: 'https://clob.polymarket.com',
    variable: 'CLOB_URL',
    timeoutMs: 5_000,
    routes: {
      book: { callsPer10Seconds: 750, concurrency: 16 },
      books: { callsPer10Seconds: 250, concurrency: 8 },
      prices: { callsPer10Seconds: 250, concurrency: 8 },
      // Upstream documents no limit of this route but its general one.
      'last-trades-prices': { callsPer10Seconds: 250, concurrency: 8 },
      'prices-history': { callsPer10Seconds: 500, concurrency: 16 },
      'batch-prices-history': { callsPer10Seconds: 500, concurrency: 8 },
    },
  },
  data: {
    url: 'https://data-api.polymarket.com',
    variable: 'DATA_URL',
    timeoutMs: 5_000,
    routes: {
      'v2-prices-history': { callsPer10Seconds: 100, concurrency: 8 },
      'v2-resolutions': { callsPer10Seconds: 100, concurrency: 4 },
    },
  },
} as const satisfies Record<string, UpstreamRow>;

export type UpstreamName = keyof typeof UPSTREAMS;

/** The name of any route of any upstream: `'markets-keyset' | 'market-lookup' | 'book' | …`. */
export type UpstreamRouteName = {
  [N in UpstreamName]: keyof (typeof UPSTREAMS)[N]['routes'];
}[UpstreamName];

/** Makes one value for each upstream: `{ gamma: make('gamma'), clob: make('clob'), … }`. */
export function perUpstream<T>(make: (name: UpstreamName) => T): Readonly<Record<UpstreamName, T>> {
  return { gamma: make('gamma'), clob: make('clob'), data: make('data') };
}
