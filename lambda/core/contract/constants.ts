/**
 * Numbers that callers and deployers can notice. Other numbers are in the files that use them.
 *
 * The service reads Polymarket, its "upstream": prices from CLOB, the API of order books, and all
 * else from the catalogue. A full run reads both and publishes a snapshot, the list of markets.
 */

/** The version of the service and of its API document. It equals the version in package.json. */
export const VERSION = '1.0.0';

/** The prices of a snapshot are fresh for two minutes (docs/specification.md). */
export const FRESH_SECONDS = 120;
/** Readers serve a snapshot this much longer, because the next run may still publish. */
const PUBLISH_GRACE_SECONDS = 30;
/** The market endpoints serve a snapshot up to this age. */
export const MAX_AGE_SECONDS = FRESH_SECONDS + PUBLISH_GRACE_SECONDS;
/** If a larger share of the prices (0 to 1) is not from CLOB, the service is `degraded`. */
export const MAX_FALLBACK_SHARE = 0.05;
/**
 * If a full run cannot read a larger percentage of the catalogue's open markets, an alarm fires.
 */
export const MAX_UNREADABLE_PERCENT = 5;
/**
 * If the list lacks a larger percentage of the markets that it should have, the service is
 * `degraded`.
 */
export const MAX_MISSING_PERCENT = 20;
/** A published snapshot can be read by its id for this long, as paging links do. */
export const SNAPSHOT_TTL_SECONDS = 3_600;
/**
 * The table keeps snapshots for the archive for a day, plus four days in which the failed job of a
 * weekend can be repeated.
 */
export const ARCHIVE_TTL_SECONDS = 120 * 3_600;
/**
 * The daily archive starts this many minutes after midnight UTC. Late runs of the refresher have
 * ended by then.
 */
export const ARCHIVE_MINUTE = 20;
/**
 * Seconds between full runs. This number and the next must be whole minutes that divide the hour:
 * `runMinutes` in `lib/schedules.ts` rejects others.
 */
export const REFRESH_INTERVAL_SECONDS = 120;
/** Seconds between runs of any kind. The runs between full runs read prices only. */
export const RUN_INTERVAL_SECONDS = 60;

/**
 * The rate limit: requests of one client in any 60 seconds, over all limited endpoints together.
 */
export const REQUESTS_PER_MINUTE = 60;
/** The `Retry-After` of a 429: after this time, no earlier request counts. */
export const RETRY_AFTER_SECONDS = 60;
/** The longest body of a POST. */
export const MAX_BODY_CHARACTERS = 20_000;
/** The longest `Link` header. Node's `fetch` and many proxies reject 16 KB of headers. */
export const MAX_LINK_BYTES = 4_096;

/** The most entries of a response if the request has no parameter `limit`. */
export const MARKETS_LIMIT_DEFAULT = 500;
export const EVENTS_LIMIT_DEFAULT = 50;
export const SEARCH_LIMIT_DEFAULT = 20;
/** The most entries of a search response, whatever its `limit`. */
export const MAX_SEARCH_LIMIT = 50;
/** The shortest and the longest search text. */
export const QUERY_MIN_CHARACTERS = 2;
export const QUERY_MAX_CHARACTERS = 200;
/** A list parameter such as `ids` has at most this many entries. */
export const MAX_LIST_ENTRIES = 100;

/** The default and the upper limit of the setting `maxMarkets`, the markets of a snapshot. */
export const MAX_MARKETS_DEFAULT = 2_000;
export const MAX_MARKETS_LIMIT = 10_000;
/**
 * Only the first 20 markets by volume have 7- and 30-day changes in the default list
 * (docs/specification.md).
 */
export const LONG_CHANGE_MARKETS = 20;

/** One request makes one call to CLOB for all its order books. */
export const MAX_ORDER_BOOKS = 20;
/** One request makes one call to CLOB in total, and one call to the Data API for each history. */
export const MAX_PRICE_HISTORIES = 20;

/** All calls to upstream of one request together make at most this many retries. */
export const MAX_UPSTREAM_RETRIES = 8;

/** The largest body. Lambda accepts 6 MB (6,291,456 bytes) for the whole result, with headers. */
export const MAX_RESPONSE_BYTES = 6_000_000;

/** API Gateway compresses responses of this size and larger ones. */
export const MIN_COMPRESSION_BYTES = 1_024;

/**
 * The categories that `domain/categories.ts` assigns. The first that a market matches is its public
 * `category`.
 */
export const CATEGORY_NAMES = ['election', 'crypto', 'sports', 'economics', 'tech'] as const;
export type CategoryName = (typeof CATEGORY_NAMES)[number];
