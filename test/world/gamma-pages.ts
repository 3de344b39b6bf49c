import type { Dice } from '../support/dice.ts';
import { gammaRecord } from '../support/gamma-record.ts';
import type { Lie } from './faults.ts';
import { middle, mirrored, type TrueMarket } from './truth.ts';

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

/** A place in a list. The id breaks ties. */
type Rank = readonly [value: number, id: string];

/**
 * The route `/markets/keyset` of the world. For example, the two pages of 150 open markets:
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

  /** A lie is not cached. */
  page(query: URLSearchParams, now: number, lie?: Lie): Page {
    if (lie) return { body: this.#bodyOf(query, now, lie), ageMs: 0 };
    const address = query.toString();
    const cached = this.#cache.get(address);
    if (cached && now - cached.madeAt < PAGE_CACHE_MS)
      return { body: cached.body, ageMs: now - cached.madeAt };
    const body = this.#bodyOf(query, now);
    this.#cache.set(address, { madeAt: now, body });
    return { body, ageMs: 0 };
  }

  #bodyOf(query: URLSearchParams, now: number, lie?: Lie): Page['body'] {
    const open = this.#markets.filter((market) => market.isOpen(now));
    const ids = new Set(query.getAll('condition_ids'));
    if (ids.size > 0) {
      const found = open.filter((market) => ids.has(market.id) && this.#isShown(market, lie));
      return { markets: found.map((market) => recordOf(market, now)) };
    }
    const rank = (market: TrueMarket): Rank => [
      lie?.kind === 'unsorted' ? shuffled(market) : market.volume(now),
      market.id,
    ];
    const direction = query.get('ascending') === 'true' ? 1 : -1;
    const compare = (a: Rank, b: Rank) =>
      direction * (a[0] - b[0]) || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);
    const minVolume = Number(query.get('volume_num_min') ?? 0);
    const cursor = query.get('after_cursor');
    const after = cursor === null ? undefined : (JSON.parse(cursor) as Rank);
    const markets = open
      .filter((market) => market.volume(now) >= minVolume)
      .sort((a, b) => compare(rank(a), rank(b)))
      .filter((market) => after === undefined || compare(rank(market), after) > 0)
      .slice(0, PAGE_MARKETS);
    const last = markets.at(-1);
    const beforeFirst: Rank = [-direction * Number.MAX_SAFE_INTEGER, ''];
    const next = lie?.kind === 'looping' ? beforeFirst : last && rank(last);
    const hasNext = markets.length === PAGE_MARKETS && lie?.kind !== 'partial';
    const shown = markets.filter((market) => this.#isShown(market, lie));
    return {
      markets: shown.map((market) => recordOf(market, now)),
      ...(hasNext && { next_cursor: JSON.stringify(next) }),
    };
  }

  #isShown(market: TrueMarket, lie?: Lie): boolean {
    if (lie?.kind === 'partial') return this.#dice.chance(PARTIAL_SHARE);
    return lie?.kind !== 'hidden' || shuffled(market) >= lie.share;
  }
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

/** A number from 0 to 1 that is the same at each time and has nothing to do with the volume. */
function shuffled({ yes }: TrueMarket): number {
  return Number((BigInt(yes) * 7_919n) % 997n) / 997;
}
