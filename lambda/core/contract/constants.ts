/** Numbers that callers and deployers can notice. Others are in the files that use them. */

/** Equals the version in package.json. */
export const VERSION = '1.0.0';

/** A snapshot is fresh for two minutes (docs/specification.md). */
export const FRESH_SECONDS = 120;
/** Readers serve a snapshot longer, while the next run may still publish. */
const PUBLISH_GRACE_SECONDS = 30;
export const MAX_AGE_SECONDS = FRESH_SECONDS + PUBLISH_GRACE_SECONDS;
/** A larger share of prices that CLOB did not give degrades the service. */
export const MAX_FALLBACK_SHARE = 0.05;
/** An alarm fires when a larger share of the open records stays unreadable. */
export const MAX_UNREADABLE_PERCENT = 5;
/** How long a published snapshot can be read by its id, as paging links do. */
export const SNAPSHOT_TTL_SECONDS = 3_600;
/** For the archive: a day, and four days in which a failed job is repeated, such as a weekend. */
export const ARCHIVE_TTL_SECONDS = 120 * 3_600;
/** Minutes after midnight UTC at which the daily archive is written: late runs of the refresher have ended. */
export const ARCHIVE_MINUTE = 20;
/** Between full runs. The schedules need whole minutes that divide the hour; synthesis refuses other values. */
export const REFRESH_INTERVAL_SECONDS = 120;
/** Between runs of any kind: those between full runs read prices only. */
export const RUN_INTERVAL_SECONDS = 60;

/** Per client, in any 60 seconds, over all limited endpoints. */
export const REQUESTS_PER_MINUTE = 60;
/** For `Retry-After` of a 429: after this time, no earlier request counts. */
export const RETRY_AFTER_SECONDS = 60;
/** For a POST body; longer ones get 413. */
export const MAX_BODY_CHARACTERS = 20_000;
/** For the `Link` header: Node's `fetch` and many proxies reject 16 KB of headers. */
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
/** Only the first 20 markets by volume have 7- and 30-day changes in the default list (docs/specification.md). */
export const LONG_CHANGE_MARKETS = 20;

export const MAX_ORDER_BOOKS = 20;
/** One call to CLOB, and one to the Data API for each. */
export const MAX_PRICE_HISTORIES = 20;

/** Per request, for all calls to upstream together. */
export const MAX_UPSTREAM_RETRIES = 8;

/** Lambda accepts 6 MB (6,291,456) for the whole result, including headers. */
export const MAX_RESPONSE_BYTES = 6_000_000;

/** API Gateway compresses larger responses. */
export const MIN_COMPRESSION_BYTES = 1_024;

/** In the order in which a market shows its first. `domain/categories.ts` assigns them. */
export const CATEGORY_NAMES = ['election', 'crypto', 'sports', 'economics', 'tech'] as const;
export type CategoryName = (typeof CATEGORY_NAMES)[number];
