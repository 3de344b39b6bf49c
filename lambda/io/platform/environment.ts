/**
 * The environment variables of the Lambda functions: which function has which, and how it parses
 * each. The parsers, such as `url`, are at the end of this file.
 */

/** The variables by which functions tell callers apart. */
const CALLERS = {
  /**
   * Whether CloudFront is in front of the API. Only then do functions trust the headers that it
   * sets, such as the viewer's address. Without it, any caller could forge them.
   */
  FRONT_DOOR: onOff,
  /** Ids (not values) of the public keys. There are two while the key is being replaced. */
  PUBLIC_API_KEY_IDS: list,
} as const;

/** The variables of functions whose requests the rate limit counts. */
const RATE_LIMIT = {
  RATE_LIMIT_TABLE: text,
  REQUESTS_PER_MINUTE: requestsPerMinute,
  /** A request waits at most this long for the table. Then it is served without the table. */
  RATE_LIMIT_TIMEOUT_MS: wholeNumber,
  ...CALLERS,
} as const;

/** The variables of functions that read the snapshots, or one of the upstreams. */
const MARKET_READER = { ...RATE_LIMIT, SNAPSHOT_TABLE: text } as const;
const CLOB_READER = { ...RATE_LIMIT, CLOB_URL: url } as const;
const HISTORY_READER = { ...CLOB_READER, DATA_URL: url } as const;
/** The upstreams of a market that is not in the list. */
const LOOKUP = { GAMMA_URL: url, CLOB_URL: url, DATA_URL: url } as const;
/** What `/api/status` reports besides the data. */
const STATUS = {
  /** The deployed version, from `git describe`. */
  SERVICE_VERSION: text,
  REFRESH_INTERVAL_SECONDS: wholeNumber,
  /** Whether upstream is the simulator. */
  SIMULATED: onOff,
} as const;

/**
 * The environment of each function. A variable that the stack does not set is a type error. The
 * local server sets all variables once for all functions.
 */
export const ENVIRONMENT = {
  'refresh-snapshot': {
    SNAPSHOT_TABLE: text,
    GAMMA_URL: url,
    CLOB_URL: url,
    DATA_URL: url,
    MAX_MARKETS: wholeNumber,
    /** Whether the archive reads the snapshots. */
    ARCHIVE: onOff,
  },
  'archive-snapshots': {
    SNAPSHOT_TABLE: text,
    GAMMA_URL: url,
    DATA_URL: url,
    ARCHIVE_BUCKET: text,
    SERVICE_VERSION: text,
    /** `live`, `simulated`, or a host. Each file of the archive says where its data comes from. */
    UPSTREAM: text,
    STAGE: text,
  },
  'list-markets': MARKET_READER,
  'search-markets': MARKET_READER,
  'get-market': { ...MARKET_READER, ...LOOKUP },
  'get-market-rules': { ...RATE_LIMIT, GAMMA_URL: url },
  'list-events': MARKET_READER,
  'get-event': MARKET_READER,
  'list-tags': MARKET_READER,
  'get-order-book': CLOB_READER,
  'list-order-books': CLOB_READER,
  'get-prices-history': HISTORY_READER,
  'get-prices-histories': HISTORY_READER,
  'get-openapi': RATE_LIMIT,
  'get-llms-txt': { ...RATE_LIMIT, SIMULATED: onOff },
  mcp: { ...MARKET_READER, ...LOOKUP, ...STATUS },
  'get-status': { ...MARKET_READER, ...STATUS },
  'get-page': {
    ...CALLERS,
    /** Path of the JSON file with the files of the page. */
    PAGE_FILES: text,
    SIMULATED: onOff,
    /** The pages of markets and events show prices. */
    SNAPSHOT_TABLE: text,
    /** The address with the domain, for link previews. If empty, CloudFront sends the address. */
    SITE_URL: urlOrEmpty,
  },
  'check-service': {
    /** The address for callers. */
    BASE_URL: url,
    /** Without an edge, the address needs this key; otherwise it is empty. */
    API_KEY: textOrEmpty,
  },
} as const satisfies Record<string, Record<string, Parser<unknown>>>;

export type FunctionName = keyof typeof ENVIRONMENT;

/** The variables that the stack must set for a function, for example `{ CLOB_URL: '…', … }`. */
export type EnvironmentOf<F extends FunctionName> = Readonly<
  Record<keyof (typeof ENVIRONMENT)[F] & string, string>
>;

/**
 * What the handler of a function gets: for each variable, what its parser returns. For example
 * `{ CLOB_URL: string; FRONT_DOOR: boolean; REQUESTS_PER_MINUTE: number | 'off'; … }`.
 */
export type ParsedEnvironment<F extends FunctionName> = {
  readonly [K in keyof (typeof ENVIRONMENT)[F]]: (typeof ENVIRONMENT)[F][K] extends Parser<infer V>
    ? V
    : never;
};

/** Parses the value of a variable. @throws Error for a malformed value */
type Parser<V> = (value: string) => V;

/** The variables of a process: `process.env` in AWS, others locally. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the variables of a function.
 *
 * @throws Error that names a missing or malformed variable
 */
export function readEnvironment<F extends FunctionName>(
  name: F,
  source: Environment,
): ParsedEnvironment<F> {
  const parsed: Record<string, unknown> = {};
  for (const [variable, parse] of Object.entries(ENVIRONMENT[name])) {
    const value = source[variable];
    if (value === undefined) throw new Error(`The environment variable ${variable} is not set`);
    try {
      parsed[variable] = parse(value);
    } catch (cause) {
      throw new Error(`The environment variable ${variable} cannot be read`, { cause });
    }
  }
  return parsed as ParsedEnvironment<F>;
}

/**
 * The settings of the archive job's process. The job creates millions of short-lived objects. A
 * young generation smaller than V8's default of 16 MB collects garbage earlier. The threshold makes
 * glibc return freed buffers above 128 KB to the system. `npm run archive` uses the same settings.
 */
export const ARCHIVE_PROCESS = {
  NODE_OPTIONS: '--max-semi-space-size=2',
  MALLOC_MMAP_THRESHOLD_: '131072',
} as const;

// The parsers. Each throws an Error for a malformed value.

function text(value: string): string {
  if (value === '') throw new Error('must not be empty');
  return value;
}

function textOrEmpty(value: string): string {
  return value;
}

/** An address without a slash at its end. */
function url(value: string): string {
  return new URL(value).href.replace(/\/$/, '');
}

function urlOrEmpty(value: string): string {
  return value === '' ? value : url(value);
}

function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value)) throw new Error('must be a whole number');
  return Number(value);
}

function onOff(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw new Error('must be on or off');
  return value === 'on';
}

/** Entries with commas between them. */
function list(value: string): readonly string[] {
  const entries = value.split(',').filter(Boolean);
  if (entries.length === 0) throw new Error('must hold at least one entry');
  return entries;
}

function requestsPerMinute(value: string): number | 'off' {
  if (value === 'off') return value;
  const limit = wholeNumber(value);
  if (limit < 1) throw new Error('must be at least 1, or off');
  return limit;
}
