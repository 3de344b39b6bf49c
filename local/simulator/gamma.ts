import type { SimulatedMarket } from './market.ts';
import { hashText, mix, unit } from './random.ts';
import { json, type SimulatedRequest, type SimulatedResponse, wholeNumber } from './route.ts';

/** Larger limits are lowered to this one (docs/upstream.md). */
const MAX_PAGE = 100;
const DEFAULT_PAGE = 20;
/** A list stays this long in Gamma's shared cache, in seconds. */
const CACHE_SECONDS = 300;
/** Longer addresses get 414. */
const MAX_URL = 8_000;
const SCHEMA = 'https://gamma-api.polymarket.com/schemas/MarketsKeysetListResponse.json';

type SortValue = number | string;
type Test = (market: SimulatedMarket) => boolean;
interface Order {
  readonly field: string;
  readonly ascending: boolean;
}
/** The place of a market in a list; its id decides between equal values. */
type Place = readonly [value: SortValue, id: number];

const FIELDS: Readonly<Record<string, (market: SimulatedMarket) => SortValue>> = {
  volumeNum: ({ volume }) => volume,
  liquidityNum: ({ liquidity }) => liquidity,
  volume24hr: ({ volume24hr }) => volume24hr,
  createdAt: ({ createdAt }) => createdAt,
  endDate: ({ endDate }) => endDate,
  id: ({ id }) => Number(id),
};

/** A market without volume passes no bound. */
const byVolume = (test: (volume: number) => boolean): Test => {
  return ({ volume }) => volume > 0 && test(volume);
};

/** The filters that act. Every other parameter is ignored without an error. */
const FILTERS: Readonly<Record<string, (values: readonly string[]) => Test>> = {
  volume_num_min: ([bound]) => byVolume((volume) => volume >= Number(bound)),
  volume_num_max: ([bound]) => byVolume((volume) => volume <= Number(bound)),
  // Both forms of a v2 id name the same condition, and upper case is accepted.
  condition_ids: (values) => {
    const wanted = new Set(values.map((id) => id.toLowerCase().padEnd(66, '0')));
    return ({ conditionId }) => wanted.has(conditionId);
  },
  id: (values) => (market) => values.includes(market.id),
};

/** `GET /markets/keyset`: pages of the catalogue. A page goes on from the place of the last market before it. */
export class GammaList {
  readonly #markets: readonly SimulatedMarket[];
  readonly #sorted = new Map<string, readonly SimulatedMarket[]>();
  #share = 1;

  constructor(markets: readonly SimulatedMarket[]) {
    this.#markets = markets;
  }

  /** Keeps a share of the markets in the catalogue, the same ones each time; all tokens keep their books. */
  keepShare(share: number): void {
    this.#share = share;
    this.#sorted.clear();
  }

  get size(): number {
    return this.#sort({ field: 'id', ascending: true }).length;
  }

  page({ url, query, now }: SimulatedRequest): SimulatedResponse {
    if (url.length > MAX_URL) return { status: 414, type: 'html', body: '<h1>414 Request-URI Too Large</h1>' };
    if (query.has('offset')) return invalid('offset is not allowed on keyset endpoints');
    const order = orderOf(query);
    if (!Object.hasOwn(FIELDS, order.field)) return invalid('order fields are not valid');
    const limit = wholeNumber(query.get('limit') ?? DEFAULT_PAGE);
    if (limit === undefined) return invalid('limit is not valid');
    const cursor = query.get('after_cursor') ?? '';
    const after = cursor === '' ? undefined : readCursor(cursor, order);
    if (after === 'invalid') return invalid('after_cursor is not valid');
    const tests = Object.entries(FILTERS).flatMap(([name, make]) => (query.has(name) ? make(query.getAll(name)) : []));
    if (after) tests.push((market) => compare(placeOf(market, order), after, order) > 0);
    // All markets are open.
    if (query.get('closed') === 'true') tests.push(() => false);
    const count = Math.min(limit || DEFAULT_PAGE, MAX_PAGE);
    const rest = this.#sort(order).filter((market) => tests.every((test) => test(market)));
    const page = rest.slice(0, count);
    const last = page.at(-1);
    // The copy of a page in the shared cache is up to five minutes old, and each address has its own.
    const age = Math.floor(now / 1_000 + (hashText(url) % CACHE_SECONDS)) % CACHE_SECONDS;
    const tags = query.get('include_tag') === 'true';
    const markets = page.map((market) => market.wire(now - age * 1_000, tags));
    // A full page has a cursor even when nothing follows it.
    const next_cursor = last && page.length === count ? writeCursor(placeOf(last, order), order) : undefined;
    const cache = { 'cache-control': `public, max-age=${CACHE_SECONDS}`, age: String(age) };
    return json(200, { $schema: SCHEMA, markets, next_cursor }, cache);
  }

  #sort(order: Order): readonly SimulatedMarket[] {
    const name = JSON.stringify(order);
    const known = this.#sorted.get(name);
    if (known) return known;
    const kept = this.#markets.filter(({ key }) => unit(mix(key, 0x5a4e)) < this.#share);
    const sorted = kept.sort((a, b) => compare(placeOf(a, order), placeOf(b, order), order));
    this.#sorted.set(name, sorted);
    return sorted;
  }
}

function orderOf(query: URLSearchParams): Order {
  const field = query.get('order') || 'id';
  return { field, ascending: !query.get('order') || query.get('ascending') !== 'false' };
}

function placeOf(market: SimulatedMarket, { field }: Order): Place {
  return [FIELDS[field]?.(market) ?? 0, Number(market.id)];
}

function compare([a, idA]: Place, [b, idB]: Place, { ascending }: Order): number {
  const difference = a === b ? idA - idB : a < b ? -1 : 1;
  return ascending ? difference : -difference;
}

/** A cursor belongs to the order of its list. */
function writeCursor(place: Place, { field, ascending }: Order): string {
  return Buffer.from(JSON.stringify([field, ascending, ...place])).toString('base64url');
}

function readCursor(cursor: string, order: Order): Place | 'invalid' {
  try {
    const [, , ...place] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, boolean, ...Place];
    return writeCursor(place, order) === cursor ? place : 'invalid';
  } catch {
    return 'invalid';
  }
}

/** A cursor that leads back to the first page of a query's list. */
export function cursorToStart(query: URLSearchParams): string {
  const order = orderOf(query);
  const before = order.ascending ? -1 : Number.MAX_SAFE_INTEGER;
  return writeCursor([before, before], order);
}

function invalid(error: string): SimulatedResponse {
  return json(422, { type: 'validation error', error });
}
