/** The numbers that callers and deployers can notice, each with its source. Other numbers are beside the code that uses them. */

/** The version of the service and of its API document; a test compares it with package.json. */
export const VERSION = '1.0.0';

/** Seconds that a snapshot is fresh: two minutes (the specification, see docs/design.md). */
export const FRESH_SECONDS = 120;
/** Seconds beyond that in which the next run may still publish; readers serve the snapshot meanwhile. */
export const PUBLISH_GRACE_SECONDS = 30;
/** Age in seconds up to which the market endpoints serve a snapshot. */
export const MAX_AGE_SECONDS = FRESH_SECONDS + PUBLISH_GRACE_SECONDS;
/** Seconds that a published snapshot can be read by its id, as paging links do. */
export const SNAPSHOT_TTL_SECONDS = 3_600;
/** Seconds that the table keeps snapshots for the archive: a day, and two days in which a failed job is repeated. */
export const ARCHIVE_TTL_SECONDS = 72 * 3_600;
/** Minutes after midnight UTC at which the daily archive is written: late runs of the refresher have ended. */
export const ARCHIVE_MINUTE = 20;
/** Seconds between two full runs. The schedules need whole minutes that divide the hour; synthesis refuses other values. */
export const REFRESH_INTERVAL_SECONDS = 120;
/** Seconds between two runs of any kind. A run that is not a full run reads the prices only. */
export const RUN_INTERVAL_SECONDS = 60;

/** Requests that one client may make in any 60 seconds over all counted endpoints together. */
export const REQUESTS_PER_MINUTE = 60;
/** The Retry-After of a 429 of a rate limit, in seconds. */
export const RETRY_AFTER_SECONDS = 60;
/** The Retry-After after the daily quota is used up. API Gateway sends only constants, so it cannot name midnight. */
export const QUOTA_RETRY_AFTER_SECONDS = 3_600;
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
/** Markets of the default list that show 7- and 30-day changes: the first 20 by volume (the specification, see docs/design.md). */
export const LONG_CHANGE_MARKETS = 20;

/** Order books that one request may name: one call to the upstream. */
export const MAX_ORDER_BOOKS = 20;
/** Price histories that one request may name: one call to CLOB, and one to the Data API for each. */
export const MAX_PRICE_HISTORIES = 20;

/** Retries of calls to the upstreams that one request makes at most. */
export const MAX_UPSTREAM_RETRIES = 8;

/** Bytes of a response body. Lambda accepts 6 MB (6,291,456) for the whole result; the headers need a little. */
export const MAX_RESPONSE_BYTES = 6_000_000;

/** Bytes from which API Gateway compresses a response: smaller ones are not worth it. */
export const MIN_COMPRESSION_BYTES = 1_024;
