// The catalogue of the simulated Polymarket: the pages of its Gamma API.

import type { Dice } from '../support/dice.ts';
import { gammaRecord } from '../support/gamma-record.ts';
import type { PageFault } from './faults.ts';
import { middle, mirrored } from './quote.ts';
import type { TrueMarket } from './true-market.ts';

const PAGE_MARKETS = 100;
/** Gamma's shared cache keeps a page for this time. */
const PAGE_CACHE_MS = 300_000;
/** The share of the markets that a `partial` page has. */
const PARTIAL_SHARE = 0.55;
const END_DATE = '2027-06-01T00:00:00Z';

/** The body of a page, and for how long the cache has kept it: the response header `Age`. */
export interface Page {
  readonly body: { readonly markets: readonly object[]; readonly next_cursor?: string };
  readonly ageMs: number;
}

/** The place of a market in a list that is sorted by a value, then by id. */
interface Place {
  readonly value: number;
  readonly id: string;
}
type Direction = 1 | -1;

/**
 * The route `/markets/keyset`, Gamma's list of the open markets by volume. Each page has a cursor
 * to the next. For example, the two pages of 150 open markets:
 *
 *     const pages = new GammaPages(markets, dice);
 *     const first = pages.page(new URLSearchParams('ascending=false'), now);
 *     const { next_cursor } = first.body;
 *     const second = pages.page(new URLSearchParams({ after_cursor: next_cursor }), now);
 */
export class GammaPages {
  readonly #markets: readonly TrueMarket[];
  readonly #dice: Dice;
  readonly #cache = new Map<string, { readonly madeAt: number; readonly body: Page['body'] }>();

  constructor(markets: readonly TrueMarket[], dice: Dice) {
    this.#markets = markets;
    this.#dice = dice;
  }

  /** The cached page, if it is young enough. A page with a fault is not cached. */
  page(query: URLSearchParams, now: number, fault?: PageFault): Page {
    if (fault) return { body: this.#bodyOf(query, now, fault), ageMs: 0 };
    const address = query.toString();
    const cached = this.#cache.get(address);
    if (cached && now - cached.madeAt < PAGE_CACHE_MS)
      return { body: cached.body, ageMs: now - cached.madeAt };
    const body = this.#bodyOf(query, now);
    this.#cache.set(address, { madeAt: now, body });
    return { body, ageMs: 0 };
  }

  #bodyOf(query: URLSearchParams, now: number, fault?: PageFault): Page['body'] {
    const open = this.#markets.filter((market) => market.isOpen(now));
    const ids = new Set(query.getAll('condition_ids'));
    if (ids.size === 0) return this.#listPage(open, query, now, fault);
    const wanted = open.filter(({ id }) => ids.has(id));
    return this.#shown(wanted, now, fault);
  }

  /** A page of the list of all open markets, with a cursor if another one follows. */
  #listPage(
    open: readonly TrueMarket[],
    query: URLSearchParams,
    now: number,
    fault?: PageFault,
  ): Page['body'] {
    const direction: Direction = query.get('ascending') === 'true' ? 1 : -1;
    const minVolume = Number(query.get('volume_num_min') ?? 0);
    const cursor = query.get('after_cursor');
    const after: Place | undefined = cursor === null ? undefined : JSON.parse(cursor);
    const placeOf = (market: TrueMarket): Place => ({
      value: fault?.kind === 'unsorted' ? shuffled(market) : market.volume(now),
      id: market.id,
    });
    const markets = open
      .filter((market) => market.volume(now) >= minVolume)
      .filter((market) => !after || compare(placeOf(market), after, direction) > 0)
      .sort((a, b) => compare(placeOf(a), placeOf(b), direction))
      .slice(0, PAGE_MARKETS);
    const body = this.#shown(markets, now, fault);
    const last = markets.at(-1);
    if (!last || markets.length < PAGE_MARKETS || fault?.kind === 'partial') return body;
    const isLooping = fault?.kind === 'looping';
    const next = isLooping ? beforeFirst(direction) : placeOf(last);
    return { ...body, next_cursor: JSON.stringify(next) };
  }

  /** The markets of a page that a fault leaves. */
  #shown(markets: readonly TrueMarket[], now: number, fault?: PageFault): Page['body'] {
    const shown = markets.filter((market) => {
      if (fault?.kind === 'partial') return this.#dice.chance(PARTIAL_SHARE);
      return fault?.kind !== 'hidden' || shuffled(market) >= fault.share;
    });
    return { markets: shown.map((market) => recordOf(market, now)) };
  }
}

/** Negative if `a` comes first. With the same value, the lower id does in both directions. */
function compare(a: Place, b: Place, direction: Direction): number {
  if (a.value !== b.value) return direction * (a.value - b.value);
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** The cursor after which the first page begins. */
function beforeFirst(direction: Direction): Place {
  return { value: -direction * Number.MAX_SAFE_INTEGER, id: '' };
}

/** The record of a market as Gamma's origin has it at a moment. */
function recordOf(market: TrueMarket, at: number): Record<string, unknown> {
  const { id, yes, no, event, version, isFlipped } = market;
  // If "No" is the first outcome, the record has the prices of NO.
  const quote = isFlipped ? mirrored(market.quote(at)) : market.quote(at);
  const tokens = JSON.stringify(isFlipped ? [no, yes] : [yes, no]);
  const price = middle(quote);
  const volume = market.volume(at);
  return gammaRecord({
    conditionId: id,
    question: `Will event ${yes.slice(-6)} happen?`,
    slug: `event-${yes.slice(-6)}`,
    version,
    endDate: END_DATE,
    volume: String(volume),
    volumeNum: volume,
    closed: !market.isOpen(at),
    outcomes: JSON.stringify(isFlipped ? ['No', 'Yes'] : ['Yes', 'No']),
    outcomePrices: JSON.stringify([price, 1 - price].map((each) => each.toFixed(6))),
    clobTokenIds: version === 'v1' ? tokens : undefined,
    positionIds: version === 'v2' ? tokens : undefined,
    bestBid: quote.bid,
    bestAsk: quote.ask ?? 1,
    lastTradePrice: quote.last,
    events: [{ slug: event, title: `Event ${event}`, endDate: END_DATE }],
  });
}

/**
 * A number from 0 to 1 that is the same at each time and has nothing to do with the volume. 7,919
 * and 997 are primes.
 */
function shuffled({ yes }: TrueMarket): number {
  return Number((BigInt(yes) * 7_919n) % 997n) / 997;
}
