/**
 * The parameters of similar APIs (Gamma, CLOB, py-clob-client, Dome and pmxt) that callers send by
 * mistake: `?tag_id=1` in place of `?tag=sports`. The service rejects them with an advice. If it
 * ignored them, the response would have the whole list or another time, and the caller would not
 * notice. The parser also recognizes them in camel case and with `[]`.
 */

/** The advice by the name of the parameter: `{ tag_id: 'use tag, …' }`. */
type OtherNames = Readonly<Record<string, string>>;

/** Gives several names the same advice. @param names separated by blanks */
const advise = (names: string, advice: string): OtherNames =>
  Object.fromEntries(names.split(' ').map((name) => [name, advice]));

const IDS = 'id slug slugs market market_id market_slug condition_id condition_ids question_ids';
const TOKENS = 'token_id token_ids clob_token_id clob_token_ids asset_id outcome_id';
const OPEN_ONLY =
  'the list has open markets only; /api/markets/{id} also returns one that is closed.';
const NO_FILTER = 'this service has no such filter; filter what it returns.';

/** What lists of markets and of events reject. */
const NAMES_FOR_LISTS: OtherNames = {
  ...advise('active archived closed status uma_resolution_status events_status', OPEN_ONLY),
  ...advise('tags tag_id tag_ids tag_slug related_tags', 'use tag, with slugs from /api/tags.'),
  ...advise('page cursor next_cursor after_cursor pagination_key after before', 'use offset.'),
  ...advise('page_size per_page', 'use limit.'),
  ...advise('ascending descending direction sort_direction sort_order', 'use order, asc or desc.'),
  ...advise('sort_by order_by', 'use sort.'),
  ...advise('volume_min volume_num_min', 'use minVolume.'),
  ...advise('liquidity_min liquidity_num_min', 'use minLiquidity.'),
  ...advise('end_date_min', 'use endsAfter.'),
  ...advise('end_date_max', 'use endsBefore.'),
  ...advise('volume_max volume_num_max liquidity_max liquidity_num_max', NO_FILTER),
  ...advise('start_date_min start_date_max start_time end_time start_date end_date', NO_FILTER),
  ...advise('exclude_tag_id featured game_id series_id sports_market_types', NO_FILTER),
  ...advise('market_maker_address rewards_min_size', NO_FILTER),
};

/** What the list and the search of markets reject. */
const NAMES_FOR_MARKETS: OtherNames = {
  ...NAMES_FOR_LISTS,
  ...advise(`${IDS} ${TOKENS}`, 'use ids.'),
  ...advise('event_id event_slug', 'use event, with the slug of an event.'),
};

/** For `/api/markets`. */
export const OTHER_LIST_NAMES: OtherNames = {
  ...NAMES_FOR_MARKETS,
  ...advise('q query search', 'use /api/markets/search.'),
};

/** For `/api/markets/search`. */
export const OTHER_SEARCH_NAMES: OtherNames = {
  ...NAMES_FOR_MARKETS,
  ...advise('query search', 'did you mean q?'),
};

/** For `/api/events`. */
export const OTHER_EVENTS_NAMES: OtherNames = {
  ...NAMES_FOR_LISTS,
  ...advise('id slug event event_id event_slug', 'use /api/events/{slug}.'),
  ...advise('query search', 'did you mean q?'),
};

/** For `/api/events/{slug}`. */
export const OTHER_EVENT_NAMES: OtherNames = advise(
  'limit offset snapshot sort order format page closed active status',
  'use /api/markets with event={slug}.',
);

/**
 * What order books and price histories reject. `/api/clob/prices-history` accepts `market` as an
 * alias of `token_id`, and aliases come first.
 */
const NAMES_FOR_TOKENS = advise(
  'id slug condition_id market market_slug asset_id outcome_id',
  'use token_id, the clobTokenId of a market.',
);

/** For `/api/clob/order-book` and `/api/clob/order-books`. */
export const OTHER_BOOK_NAMES: OtherNames = {
  ...NAMES_FOR_TOKENS,
  ...advise('limit levels', 'use depth.'),
  ...advise('side', 'a book has both sides.'),
  ...advise(
    'at at_time timestamp start_ts end_ts start_time end_time interval fidelity',
    'a book is live; past prices are at /api/clob/prices-history.',
  ),
};

/** For `/api/clob/prices-history`. */
export const OTHER_HISTORY_NAMES: OtherNames = {
  ...NAMES_FOR_TOKENS,
  ...advise('resolution granularity bucket_seconds', 'use fidelity, in minutes.'),
  ...advise('limit', 'use interval and fidelity.'),
  ...advise('from since start start_time start_date', 'use startTs.'),
  ...advise('to until end end_time end_date', 'use endTs.'),
};

/** For `/api/clob/prices-histories`, which has no window. */
export const OTHER_HISTORIES_NAMES: OtherNames = {
  ...OTHER_HISTORY_NAMES,
  ...advise(
    'start_ts end_ts from since start start_time start_date to until end end_time end_date',
    'use interval, or read the window of each token at /api/clob/prices-history.',
  ),
};
