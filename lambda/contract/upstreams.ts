/**
 * The hosts that the service reads from: one row each, from which time-outs, limits, metrics and the variables with the
 * addresses follow. What else a new one needs is in CONTRIBUTING.md, "A new upstream". The limits are half of what upstream documents for one address (docs/upstream.md), so that a second
 * deployment, or a person trying something, does not tip the balance.
 */
export const UPSTREAMS = {
  gamma: {
    url: 'https://gamma-api.polymarket.com',
    /** Field of the stage that holds another address. */
    setting: 'gammaUrl',
    /** Environment variable of the functions. */
    variable: 'GAMMA_URL',
    /** Of one call: a page of the catalogue takes about 1.1 s, and is worth waiting for. */
    timeoutMs: 10_000,
    /** Calls under way at once from one container. */
    concurrency: 16,
    /** Most calls of a route that a container begins in any 10 s. */
    callsPer10Seconds: { 'markets-keyset': 150 },
    /** Whether it is asked only when another upstream fails. */
    standby: false,
  },
  clob: {
    url: 'https://clob.polymarket.com',
    setting: 'clobUrl',
    variable: 'CLOB_URL',
    timeoutMs: 5_000,
    concurrency: 16,
    callsPer10Seconds: {
      book: 750,
      books: 250,
      midpoints: 250,
      'prices-history': 500,
      'batch-prices-history': 500,
    },
    standby: false,
  },
  data: {
    url: 'https://data-api.polymarket.com',
    setting: 'dataUrl',
    variable: 'DATA_URL',
    timeoutMs: 5_000,
    concurrency: 16,
    callsPer10Seconds: { 'v2-prices-history': 100 },
    standby: true,
  },
} as const satisfies Record<string, UpstreamRow>;

export interface UpstreamRow {
  readonly url: string;
  readonly setting: string;
  readonly variable: string;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly callsPer10Seconds: Readonly<Record<string, number>>;
  readonly standby: boolean;
}

export type UpstreamName = keyof typeof UPSTREAMS;

/** Names of this machine: the standard spells 127.1 and the like as the address. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Whether an upstream runs beside the service, on the same machine: then it is a simulator or plays recordings, since the
 * real ones never do, and a deployed function has nothing there.
 */
export function isSimulated(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}

export const UPSTREAM_NAMES = Object.keys(UPSTREAMS) as readonly UpstreamName[];

/** Something for each upstream, by its name. */
export function perUpstream<T>(make: (name: UpstreamName) => T): Readonly<Record<UpstreamName, T>> {
  return Object.fromEntries(UPSTREAM_NAMES.map((name) => [name, make(name)])) as Record<UpstreamName, T>;
}

type UrlVariable = (typeof UPSTREAMS)[UpstreamName]['variable'];
export type UrlSetting = (typeof UPSTREAMS)[UpstreamName]['setting'];

/** Something for each upstream, by the environment variable of the functions that holds its address. */
export function perUrlVariable<T>(make: (name: UpstreamName) => T): Readonly<Record<UrlVariable, T>> {
  const entries = UPSTREAM_NAMES.map((name) => [UPSTREAMS[name].variable, make(name)]);
  return Object.fromEntries(entries) as Record<UrlVariable, T>;
}

/** Something for each upstream, by the field of the stage that holds its address. */
export function perUrlSetting<T>(make: (name: UpstreamName) => T): Readonly<Record<UrlSetting, T>> {
  const entries = UPSTREAM_NAMES.map((name) => [UPSTREAMS[name].setting, make(name)]);
  return Object.fromEntries(entries) as Record<UrlSetting, T>;
}

/** Most bytes of a response, decoded. A page of a hundred markets has 0.8 MB, the largest books and histories 1 MB. */
export const MAX_PAGE_BYTES = 20_000_000;
export const MAX_LIVE_BYTES = 8_000_000;
