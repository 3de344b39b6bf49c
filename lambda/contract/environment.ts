import { COUNTED_PER_MINUTE_MAX } from './constants.ts';
import { isSimulated, perUrlVariable, UPSTREAMS, type UpstreamName } from './upstreams.ts';

/**
 * The environment of each function: the stack must give every variable (a forgotten one does not compile) and
 * the handler reads them through `readEnvironment`, typed.
 */
const text = (value: string): string => value;
const url = (value: string): string => new URL(value).href.replace(/\/$/, '');
const wholeNumber = (value: string): number => {
  if (!/^\d+$/.test(value)) throw new Error('must be a whole number');
  return Number(value);
};
/** For a function that never calls the upstream: whether what it says is simulated. */
const simulated = (value: string): boolean => isSimulated(url(value));
const onOff = (value: string): boolean => {
  if (value !== 'on' && value !== 'off') throw new Error('must be on or off');
  return value === 'on';
};

const list = (value: string): readonly string[] => {
  const entries = value.split(',').filter(Boolean);
  if (entries.length === 0) throw new Error('must hold at least one entry');
  return entries;
};

const requestsPerMinute = (value: string): number | 'off' => {
  if (value === 'off') return value;
  const limit = wholeNumber(value);
  if (limit < 1) throw new Error('must be at least 1, or off');
  return limit > COUNTED_PER_MINUTE_MAX ? 'off' : limit;
};

/** The limit that all counted endpoints keep together. */
const PER_IP_LIMIT = {
  RATE_LIMIT_TABLE: text,
  /** A whole number, or `off`. */
  REQUESTS_PER_MINUTE: requestsPerMinute,
  /** Whether CloudFront stands before the API: only then is its header with the caller's address believed. */
  FRONT_DOOR: onOff,
  /** Ids, not values, of the public keys, with commas between: two while the key is being replaced. */
  PUBLIC_API_KEY_IDS: list,
} as const;

/** The table of the snapshots and of the price memory: whoever has its name may read it. */
const TABLE_READER = { SNAPSHOT_TABLE: text } as const;

const SNAPSHOT_READER = {
  ...TABLE_READER,
  /** Seconds a snapshot is fresh: two minutes, or the refresh interval where that is longer. */
  FRESH_SECONDS: wholeNumber,
  /** Age in seconds up to which old data is served rather than 502; 0: never. */
  STALE_IF_ERROR_SECONDS: wholeNumber,
} as const;

const CACHEABLE = {
  /** Whether CloudFront may keep responses (then they are not counted by the limit). */
  EDGE_CACHE: onOff,
} as const;

const MARKET_READER = { ...PER_IP_LIMIT, ...SNAPSHOT_READER, ...CACHEABLE } as const;

const CLOB_READER = { ...PER_IP_LIMIT, CLOB_URL: url, ...CACHEABLE } as const;

const HISTORY_READER = { ...CLOB_READER, ...TABLE_READER, DATA_URL: url } as const;

export const ENVIRONMENT = {
  'refresh-snapshot': {
    SNAPSHOT_TABLE: text,
    ...perUrlVariable(() => url),
    SNAPSHOT_MAX_MARKETS: wholeNumber,
    /** Seconds between runs: a run may never take longer. */
    REFRESH_INTERVAL_SECONDS: wholeNumber,
    /** Seconds a snapshot's chunks are kept. */
    SNAPSHOT_KEPT_SECONDS: wholeNumber,
  },
  'list-markets': MARKET_READER,
  'search-markets': MARKET_READER,
  'list-market-changes': MARKET_READER,
  'get-market': MARKET_READER,
  'list-events': MARKET_READER,
  'get-event': MARKET_READER,
  'get-order-book': CLOB_READER,
  'list-order-books': CLOB_READER,
  'get-clob-book': CLOB_READER,
  'get-prices-history': HISTORY_READER,
  'get-openapi': {},
  'get-llms-txt': {},
  mcp: {
    ...MARKET_READER,
    ...HISTORY_READER,
    REFRESH_INTERVAL_SECONDS: wholeNumber,
    SERVICE_VERSION: text,
  },
  'get-status': {
    ...SNAPSHOT_READER,
    CLOB_URL: simulated,
    REFRESH_INTERVAL_SECONDS: wholeNumber,
    /** What is deployed, as git describes it. */
    SERVICE_VERSION: text,
  },
  'watch-front-door': {
    /** Where callers begin, without a slash at the end. */
    FRONT_DOOR_URL: url,
  },
} as const satisfies Record<string, Record<string, (value: string) => unknown>>;

export type FunctionName = keyof typeof ENVIRONMENT;

/** Whether a function calls an upstream: then it has its address. */
export function callsUpstream(name: FunctionName, upstream: UpstreamName): boolean {
  const variables: Readonly<Record<string, unknown>> = ENVIRONMENT[name];
  return variables[UPSTREAMS[upstream].variable] === url;
}

/** What the stack must set. */
export type EnvironmentOf<F extends FunctionName> = Readonly<
  Record<keyof (typeof ENVIRONMENT)[F] & string, string>
>;

/** What the handler gets. */
export type Settings<F extends FunctionName> = {
  readonly [K in keyof (typeof ENVIRONMENT)[F]]: (typeof ENVIRONMENT)[F][K] extends (value: string) => infer V
    ? V
    : never;
};

/** @throws Error that names the variable when one is missing or malformed. */
export function readEnvironment<F extends FunctionName>(
  name: F,
  source: Readonly<Record<string, string | undefined>>,
): Settings<F> {
  const entries = Object.entries(ENVIRONMENT[name]).map(([variable, parse]) => {
    const value = source[variable];
    if (value === undefined) throw new Error(`The environment variable ${variable} is not set`);
    try {
      return [variable, parse(value)];
    } catch (cause) {
      throw new Error(`The environment variable ${variable} cannot be read`, { cause });
    }
  });
  return Object.fromEntries(entries) as Settings<F>;
}
