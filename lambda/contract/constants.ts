/**
 * Every number that bounds the service, each with where it comes from. The stack, the handlers, the API
 * document, the local server and the tests read them here.
 */

/** A snapshot serves for two minutes (design 1). */
export const FRESH_SECONDS = 120;
/** Time the next run has to publish once a snapshot has reached its age (design 2.4). */
export const PUBLISH_GRACE_SECONDS = 30;
/**
 * A snapshot's time may lie this far in the future: its writer's clock is ahead. Beyond it nobody can tell how old
 * the data is, so readers do not serve it and the next run replaces it (docs/adr/0006-faults.md).
 */
export const CLOCK_TOLERANCE_SECONDS = 300;
/** A clock that differs from the upstream's by more is reported: a run's responses come within 5 s of their time. */
export const CLOCK_SKEW_REPORTED_SECONDS = 5;
/** How long a published snapshot can still be read by a paging link (design 2). */
export const SNAPSHOT_KEPT_SECONDS = 3_600;
/**
 * While the catalogue cannot be read, prices go on over the markets that it had, for so long: then markets that have
 * closed meanwhile would be listed for an hour.
 */
export const CATALOGUE_SERVED_SECONDS = 3_600;
/** A container looks at the pointer at most this often while its data is fresh (design 2.4: "every few seconds"). */
export const POINTER_LOOK_SECONDS = 5;
/** … and at most this often when the next prices are due, which are read at half of the freshness. */
export const POINTER_DUE_LOOK_SECONDS = 0.5;
/**
 * A price run waits so long: a full one reads the prices some four seconds after it began, and so two readings are hardly
 * further apart one way than the other.
 */
export const PRICES_AFTER_SECONDS = 2;

/** Requests an IP may make in any minute over all counted endpoints together (design 1). */
export const REQUESTS_PER_MINUTE = 60;
/**
 * Beyond this an IP is not counted at all: the log of its requests would not fit into one item, and the public plan
 * stops all callers together before one of them gets there.
 */
export const COUNTED_PER_MINUTE_MAX = 10_000;
/** The Retry-After of every 429 (design 1). */
export const RETRY_AFTER_SECONDS = 60;
/** Longest body of a POST that is not refused with 413, in characters (design 1). */
export const MAX_BODY_CHARACTERS = 20_000;

export const MARKETS_LIMIT_DEFAULT = 500;
export const EVENTS_LIMIT_DEFAULT = 50;
export const SEARCH_LIMIT_DEFAULT = 20;
export const SEARCH_LIMIT_CAP = 50;
export const QUERY_MIN_CHARACTERS = 2;
export const QUERY_MAX_CHARACTERS = 200;

/** Markets in a snapshot unless a stage says otherwise (design 1). */
export const SNAPSHOT_MARKETS_DEFAULT = 2_000;
/**
 * There are ten times as many markets as a snapshot holds (upstream.md): a run that finds less than this share of what it
 * may hold is reported.
 */
export const FEW_MARKETS_SHARE = 0.8;
/** Markets younger than a day have no change, hence never 100; without the batch route about 1 percent is left. */
export const FEW_CHANGES_PERCENT = 50;
/** Markets with 7- and 30-day changes: the first of the list (design 1). */
export const LONG_CHANGE_MARKETS = 20;

/** Gamma clamps `limit` to this (upstream.md). */
export const GAMMA_PAGE_MARKETS = 100;
/** Most tokens CLOB's batch history route takes in one call (upstream.md). */
export const HISTORY_BATCH_TOKENS = 20;
/** Most tokens of one midpoints call (upstream.md). */
export const MIDPOINTS_BATCH_TOKENS = 500;
/**
 * What the live endpoints give the upstream in all, retry included. A caller has a response within 5 s:
 * the rest is for a cold start and the way through the front door.
 */
export const LIVE_DEADLINE_MS = 4_000;

/** How long an order book is kept in memory (design 2.4: at most 1 s). */
export const ORDER_BOOK_KEPT_MS = 1_000;
/** Most order books that one request may ask for: one call to the upstream. */
export const ORDER_BOOKS_IN_RESPONSE = 20;
/** Order books a container holds, and their characters as JSON together: at most about 40 MB as objects. */
export const ORDER_BOOKS_HELD = 500;
export const ORDER_BOOK_CHARACTERS_HELD = 8_000_000;
/** How long a price history is kept in memory (design 2.4: at most 60 s). */
export const HISTORY_KEPT_MS = 60_000;
/** Price histories a container holds, and their encoded length together: at most 32 MB. */
export const HISTORIES_HELD = 500;
export const HISTORY_CHARACTERS_HELD = 32_000_000;
/** Windows of histories that have ended never change; six hours is how long their bounds stay the same. */
export const CLOSED_WINDOW_KEPT_MS = 6 * 3_600_000;
/** Ended windows a container holds, and their numbers (two a point) together: at most 16 MB. */
export const CLOSED_WINDOWS_HELD = 5_000;
export const CLOSED_WINDOW_NUMBERS_HELD = 2_000_000;

/** Compressed bytes of one chunk item; DynamoDB's own limit is 400 KB for the item with its names (design 4). */
export const CHUNK_BYTES = 350 * 1_024;
/**
 * Of one chunk of a base. Each lies in a partition of its own, and a partition gives 3,000 read units a second: so many
 * containers may start at once.
 */
export const BASE_CHUNK_BYTES = 115 * 1_024;
/** A base is written anew after this time (docs/adr/0015-base-and-numbers.md) … */
export const BASE_SECONDS = 3 * 3_600;
/** … or when so much of it, or of the list, is not in the other. */
export const BASE_DIFFERENCE_SHARE = 0.1;
/** The refresher believes in a base that it has seen whole for so long. */
export const BASE_VERIFIED_SECONDS = 90;

/**
 * Most bytes of a response's body as Lambda hands it on. Lambda itself allows 6 MB (6,291,456) for the whole
 * result; the headers need a little.
 */
export const MAX_RESPONSE_BYTES = 6_000_000;

/**
 * A body that sends more bytes than these to its caller is a large one: more than the default page of the list, not
 * compressed (214 KB of 2,000 simulated markets).
 */
export const LARGE_BODY_BYTES = 225_000;
/** What one container sends to anonymous callers in large bodies: so many bytes at once, and then so many a second. */
export const LARGE_BODIES_AT_ONCE_BYTES = 1_000_000_000;
export const LARGE_BODIES_BYTES_PER_SECOND = 500_000;
