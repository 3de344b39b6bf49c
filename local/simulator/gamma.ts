/** Gamma's route for the catalogue of markets: pages of a list, and lookups of single markets. */
import { isOpen, type SimulatedMarket } from './market.ts';
import { hashText } from './random.ts';
import {
  json,
  type SimulatedRequest,
  type SimulatedResponse,
  type UpstreamData,
  wholeNumber,
} from './route.ts';
import { MINUTE_MS } from './universe/dates.ts';

/** The markets of a page. Gamma lowers larger limits to this one (docs/upstream.md). */
const MAX_PAGE = 100;
/** The markets of a page if the request has no limit (docs/upstream.md). */
const DEFAULT_PAGE = 20;
/** Upstream's firewall rejects requests with more ids (docs/upstream.md). */
const MAX_CONDITION_IDS = 45;
/** Upstream names this schema in each page. */
const SCHEMA = 'https://gamma-api.polymarket.com/schemas/MarketsKeysetListResponse.json';

/** The order of a list. */
interface Order {
  readonly field: string;
  readonly ascending: boolean;
}
/** A market's place in a list: the value that the list is sorted by. The id breaks ties. */
interface Place {
  readonly value: number;
  readonly id: number;
}

/**
 * `GET /markets/keyset`: a page of the catalogue, or the markets that a request names. A page
 * continues after the last market of the page before, which is in the cursor.
 */
export function marketsPage(
  { url, query, now }: SimulatedRequest,
  data: UpstreamData,
): SimulatedResponse {
  if (query.getAll('condition_ids').length > MAX_CONDITION_IDS) {
    return { status: 403, type: 'html', body: '<h1>Forbidden</h1>' };
  }
  const order = orderOf(query);
  if (order.field !== 'id' && order.field !== 'volumeNum')
    return invalid('order fields are not valid');
  const cursor = query.get('after_cursor') ?? '';
  const after = cursor === '' ? undefined : readCursor(cursor, order);
  if (after === 'invalid') return invalid('after_cursor is not valid');
  const isLookup = Object.keys(LOOKUPS).some((name) => query.has(name));
  const at = isLookup ? now : cachedAt(url, now);
  const list = selected(query, data, at)
    .map((market) => ({ market, place: placeOf(market, order, at) }))
    .sort((a, b) => compare(a.place, b.place, order));
  const rest = after ? list.filter(({ place }) => compare(place, after, order) > 0) : list;
  const count = Math.min(wholeNumber(query.get('limit')) || DEFAULT_PAGE, MAX_PAGE);
  const page = rest.slice(0, count);
  const last = page.at(-1);
  const includeTags = query.get('include_tag') === 'true';
  const markets = page.map(({ market }) => market.wire(at, includeTags));
  // A full page has a cursor even if nothing follows.
  const next_cursor = last && page.length === count ? writeCursor(last.place, order) : undefined;
  const age = String(Math.floor((now - at) / 1_000));
  return json(
    200,
    { $schema: SCHEMA, markets, next_cursor },
    { 'cache-control': 'public, max-age=300', age },
  );
}

/** True if a market passes. */
type Filter = (market: SimulatedMarket) => boolean;

/**
 * Filters for single markets, by parameter. Other filters have no effect, except `closed` and
 * `volume_num_min`.
 */
const LOOKUPS: Readonly<Record<string, (values: readonly string[]) => Filter>> = {
  condition_ids(values) {
    // Accepts both forms of a v2 id, and upper case.
    const wanted = new Set(values.map((id) => id.toLowerCase().padEnd(66, '0')));
    return ({ conditionId }) => wanted.has(conditionId);
  },
  slug: (values) => (market) => values.includes(market.slug),
  // Each of these parameters finds the markets of one protocol version only.
  clob_token_ids: (values) => (market) => market.version === 'v1' && hasToken(market, values),
  position_ids: (values) => (market) => market.version === 'v2' && hasToken(market, values),
};

function hasToken({ tokens }: SimulatedMarket, wanted: readonly string[]): boolean {
  return tokens.some((token) => wanted.includes(token));
}

/** The markets that exist at a time and pass the filters of a request. Open ones by default. */
function selected(query: URLSearchParams, data: UpstreamData, atMs: number): SimulatedMarket[] {
  const isClosed = query.get('closed') === 'true';
  const minVolume = Number(query.get('volume_num_min') ?? Number.NEGATIVE_INFINITY);
  const filters: Filter[] = [];
  for (const [name, filterFor] of Object.entries(LOOKUPS)) {
    if (query.has(name)) filters.push(filterFor(query.getAll(name)));
  }
  const all = isClosed ? [...data.markets, ...data.past().markets] : data.markets;
  return all
    .filter((market) => market.createdAt <= atMs && isOpen(market, atMs) !== isClosed)
    .filter((market) => filters.every((passes) => passes(market)))
    .filter((market) => market.volume(atMs) >= minVolume);
}

/** How long a list stays in Gamma's shared cache. */
const CACHE_MINUTES = 5;

/**
 * When Gamma's shared cache stored its copy: up to five minutes ago, different per URL. Lookups are
 * not cached.
 */
function cachedAt(url: string, nowMs: number): number {
  const phase = hashText(url) % CACHE_MINUTES;
  const minute = Math.floor(nowMs / MINUTE_MS);
  return (minute - ((minute + phase) % CACHE_MINUTES)) * MINUTE_MS;
}

/** The order of a request: by id, ascending, unless it names another one. */
function orderOf(query: URLSearchParams): Order {
  const field = query.get('order') || 'id';
  return { field, ascending: !query.get('order') || query.get('ascending') !== 'false' };
}

/** The market's place in a list of this order. */
function placeOf(market: SimulatedMarket, { field }: Order, atMs: number): Place {
  const id = Number(market.id);
  return { value: field === 'id' ? id : market.volume(atMs), id };
}

/** Compares two places for a sort: negative if the first is earlier in the list. */
function compare(a: Place, b: Place, { ascending }: Order): number {
  const difference = a.value === b.value ? a.id - b.id : a.value - b.value;
  return ascending ? difference : -difference;
}

/** The cursor after a place. It contains the order, because it is valid for this order only. */
function writeCursor({ value, id }: Place, { field, ascending }: Order): string {
  return Buffer.from(JSON.stringify([field, ascending, value, id])).toString('base64url');
}

/** Reads a cursor. It is invalid if it belongs to another order. */
function readCursor(cursor: string, order: Order): Place | 'invalid' {
  try {
    const [, , value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const place: Place = { value, id };
    return writeCursor(place, order) === cursor ? place : 'invalid';
  } catch {
    return 'invalid';
  }
}

/** A cursor back to the first page. */
export function cursorToStart(query: URLSearchParams): string {
  const order = orderOf(query);
  const before = order.ascending ? -1 : Number.MAX_SAFE_INTEGER;
  return writeCursor({ value: before, id: before }, order);
}

/** Gamma's rejection of a query. */
function invalid(error: string): SimulatedResponse {
  return json(422, { type: 'validation error', error });
}
