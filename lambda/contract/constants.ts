/**
 * Every number that bounds the service, each with its source. The stack, the handlers, the API document, the local
 * server and the tests read them here.
 */

/** The version of the service and of its API document; a test compares it with package.json. */
export const VERSION = '0.2.0';

/** Seconds that a snapshot is fresh: two minutes (the user's specification). */
export const FRESH_SECONDS = 120;
/** Seconds beyond that in which the next run may still publish; readers serve the snapshot meanwhile. */
export const PUBLISH_GRACE_SECONDS = 30;
/** Seconds that a writer's clock may be ahead. A snapshot from further in the future is not served, and is replaced. */
export const CLOCK_TOLERANCE_SECONDS = 30;
/** Seconds that a published snapshot can be read by its id, as paging links do. */
export const SNAPSHOT_TTL_SECONDS = 3_600;
/** Seconds that the table keeps snapshots for the archive: a day, and two days in which a failed job is repeated. */
export const ARCHIVE_TTL_SECONDS = 72 * 3_600;
/** Seconds that price runs use an old catalogue while Gamma fails. With a longer time, closed markets would stay listed. */
export const CATALOGUE_MAX_AGE_SECONDS = 3_600;
/** A container reads the pointer at most this often, in seconds, while its data is fresh. */
export const POINTER_READ_SECONDS = 5;
/** The same, once the next prices are due. */
export const POINTER_READ_DUE_SECONDS = 0.5;
/** Seconds between two full runs, and between two runs of any kind: full and price runs alternate. */
export const REFRESH_INTERVAL_SECONDS = 120;
export const PRICE_INTERVAL_SECONDS = 60;

/** Requests that one client may make in any 60 seconds over all counted endpoints together. */
export const REQUESTS_PER_MINUTE = 60;
/** The Retry-After of every 429, in seconds. */
export const RETRY_AFTER_SECONDS = 60;
/** A request waits at most this long for the decision of the rate limit and is then served. */
export const RATE_LIMIT_TIMEOUT_MS = 2_000;
/** Characters of the longest POST body that is accepted; longer ones get 413. */
export const MAX_BODY_CHARACTERS = 20_000;
/** Bytes of the longest `Link` header: Node's `fetch` and many proxies reject responses with 16 KB of headers. */
export const MAX_LINK_BYTES = 4_096;

export const MARKETS_LIMIT_DEFAULT = 500;
export const EVENTS_LIMIT_DEFAULT = 50;
export const SEARCH_LIMIT_DEFAULT = 20;
export const MAX_SEARCH_LIMIT = 50;
export const QUERY_MIN_CHARACTERS = 2;
export const QUERY_MAX_CHARACTERS = 200;
/** Entries of a list parameter such as `ids`. */
export const MAX_LIST_ENTRIES = 100;

/** The default and the maximum of the setting `maxMarkets`: markets in a snapshot. */
export const MAX_MARKETS_DEFAULT = 2_000;
export const MAX_MARKETS_LIMIT = 10_000;
/** Markets of the default list that show 7- and 30-day changes: the first 20 by volume (the user's specification). */
export const LONG_CHANGE_MARKETS = 20;

/** Gamma lowers `limit` to this (docs/upstream.md). */
export const GAMMA_PAGE_MARKETS = 100;
/** Tokens that CLOB's batch history route accepts in one call (docs/upstream.md). */
export const HISTORY_BATCH_TOKENS = 20;
/** Tokens that the midpoints route accepts in one call (docs/upstream.md). */
export const MIDPOINTS_BATCH_TOKENS = 500;

/** A live endpoint waits this long for the upstream, retries included. Callers get their response within 5 s. */
export const LIVE_DEADLINE_MS = 4_000;
/** Order books that one request may name: one call to the upstream. */
export const MAX_ORDER_BOOKS = 20;
/** How long a container keeps an order book, a price history, and a window of a history that has ended. */
export const ORDER_BOOK_TTL_MS = 1_000;
export const HISTORY_TTL_MS = 60_000;
export const CLOSED_WINDOW_TTL_MS = 6 * 3_600_000;
/** Characters of JSON that a container caches as order books (about 40 MB as objects) and as price histories. */
export const ORDER_BOOK_CACHE_SIZE = 8_000_000;
export const HISTORY_CACHE_SIZE = 32_000_000;
/** Points of ended windows that a container caches: about 25 MB. */
export const CLOSED_WINDOW_CACHE_SIZE = 500_000;

/** Bytes of an item's data; DynamoDB's limit is 400 KB for the item with its names. */
export const MAX_CHUNK_BYTES = 350 * 1_024;
/** Seconds after which a new base snapshot is written. */
export const BASE_MAX_AGE_SECONDS = 3_600;
/** A new base is also written when a snapshot's difference to it has grown to this share of a full snapshot. */
export const BASE_MAX_DIFFERENCE = 1 / 6;

/** Seconds between two samples of all midpoints, and for how many days a sample is kept. */
export const SAMPLE_INTERVAL_SECONDS = 600;
export const SAMPLE_TTL_DAYS = 32;
/** The newest sample at most this old at the start of a window is the price at the start. */
export const SAMPLE_MAX_AGE_SECONDS = 1_800;

/** Bytes of a response body. Lambda accepts 6 MB (6,291,456) for the whole result; the headers need a little. */
export const MAX_RESPONSE_BYTES = 6_000_000;

/** Bytes from which API Gateway compresses a response: smaller ones are not worth it. */
export const MIN_COMPRESSION_BYTES = 1_024;

/** Requests a second to the page's files, all callers and files together: they are the largest responses. */
export const PAGE_REQUESTS_PER_SECOND = 10;
