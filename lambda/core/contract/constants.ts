/** Numbers that callers and deployers can notice. */

export const VERSION = '1.0.0';

/** A snapshot is fresh for two minutes (docs/specification.md). */
export const FRESH_SECONDS = 120;
/** Readers serve a snapshot this much longer, because the next run may still publish. */
const PUBLISH_GRACE_SECONDS = 30;
export const MAX_AGE_SECONDS = FRESH_SECONDS + PUBLISH_GRACE_SECONDS;
export const MAX_FALLBACK_SHARE = 0.05;
/** Above this share of unreadable open records, an alarm fires. */
export const MAX_UNREADABLE_PERCENT = 5;
/** Paging links read a published snapshot by its id for this long. */
export const SNAPSHOT_TTL_SECONDS = 3_600;
/** A day for the archive, plus four to repeat a failed job. */
export const ARCHIVE_TTL_SECONDS = 120 * 3_600;
/** After midnight UTC. Late runs of the refresher have ended by then. */
export const ARCHIVE_MINUTE = 20;
/**
 * Between full runs. Synthesis rejects all but whole minutes that divide the hour, here and below.
 */
export const REFRESH_INTERVAL_SECONDS = 120;
/** Runs between full runs read prices only. */
export const RUN_INTERVAL_SECONDS = 60;

/** Per client in any 60 seconds, over all limited endpoints. */
export const REQUESTS_PER_MINUTE = 60;
/** After this time, no earlier request counts. */
export const RETRY_AFTER_SECONDS = 60;
export const MAX_BODY_CHARACTERS = 20_000;
/** Node's `fetch` and many proxies reject 16 KB of headers. */
export const MAX_LINK_BYTES = 4_096;

export const MARKETS_LIMIT_DEFAULT = 500;
export const EVENTS_LIMIT_DEFAULT = 50;
export const SEARCH_LIMIT_DEFAULT = 20;
export const MAX_SEARCH_LIMIT = 50;
export const QUERY_MIN_CHARACTERS = 2;
export const QUERY_MAX_CHARACTERS = 200;
export const MAX_LIST_ENTRIES = 100;

export const MAX_MARKETS_DEFAULT = 2_000;
export const MAX_MARKETS_LIMIT = 10_000;
/**
 * Only the first 20 markets by volume have 7- and 30-day changes in the default list
 * (docs/specification.md).
 */
export const LONG_CHANGE_MARKETS = 20;

export const MAX_ORDER_BOOKS = 20;
/** One call to CLOB in total, and one to the Data API for each. */
export const MAX_PRICE_HISTORIES = 20;

/** Per request, for all its calls to upstream. */
export const MAX_UPSTREAM_RETRIES = 8;

/** Lambda accepts 6 MB (6,291,456 bytes) for the whole result, including headers. */
export const MAX_RESPONSE_BYTES = 6_000_000;

/** API Gateway compresses larger responses. */
export const MIN_COMPRESSION_BYTES = 1_024;

/** The first that a market matches is its public `category`. */
export const CATEGORY_NAMES = ['election', 'crypto', 'sports', 'economics', 'tech'] as const;
export type CategoryName = (typeof CATEGORY_NAMES)[number];
