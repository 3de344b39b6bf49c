// A market of a simulated Polymarket. Its order book, last trade and volume follow from a seed, so
// they are known at every moment.

import { Dice } from '../support/dice.ts';
import type { Quote } from './quote.ts';

/**
 * The shapes that a market's book has for a while, each with half of the spread in USD. `stub` has
 * the sides 0.01 and 0.99, whatever the market is worth.
 */
const HALF_SPREAD = {
  tight: 0.005,
  wide: 0.2,
  'no-bid': 0.01,
  'no-ask': 0.01,
  empty: 0,
  stub: 0,
} as const;
type BookShape = keyof typeof HALF_SPREAD;
const SHAPES = ['tight', 'wide', 'no-bid', 'no-ask', 'empty'] as const;

/** A time without a point in upstream's histories, in Unix ms. It does not include `until`. */
export type Hole = Readonly<Record<'from' | 'until', number>>;

/** What makes a market. Times are Unix ms. */
export interface MarketLife {
  /** Its rank by volume, from 0. */
  readonly number: number;
  readonly seed: number;
  /** When the universe begins. */
  readonly start: number;
  /** Before this time the quotes change every half hour, afterwards every `stepMs`. */
  readonly pastUntil: number;
  readonly holes: readonly Hole[];
  readonly opensAt: number;
  readonly closesAt: number;
  /** The chance that a new shape of its book is one of `shapes` rather than tight. */
  readonly looseShare: number;
  /** @default STEP_MS */
  readonly stepMs?: number;
  /** @default all but `stub` */
  readonly shapes?: readonly [BookShape, ...BookShape[]];
}

/** The quote of a market changes every five seconds, and every half hour in the far past. */
export const STEP_MS = 5_000;
const PAST_STEP_MS = 1_800_000;

/**
 * The value of YES stays in one of two ranges of this size, below or above 0.5. A history shows 0.5
 * for an empty book, so a value near 0.5 would hide a mistake.
 */
const RANGE_SIZE = 0.41;
const LOWEST_VALUES = [0.005, 0.58] as const;

/**
 * The truth that the checks compare the service with. The same seed and number make the same
 * market. For example:
 *
 *     const times = { start, pastUntil: start, opensAt: start, closesAt: Number.POSITIVE_INFINITY };
 *     const market = new TrueMarket({ number: 0, seed: 1, ...times, holes: [], looseShare: 0.4 });
 *     market.quote(start + 60_000); // { bid: 0.271, ask: 0.281, last: 0.275 }
 *     market.volume(start + 60_000); // USD
 */
export class TrueMarket {
  readonly id: string;
  readonly yes: string;
  readonly no: string;
  readonly version: 'v1' | 'v2';
  /** Five markets share one. */
  readonly event: string;
  readonly holes: readonly Hole[];
  readonly opensAt: number;
  readonly closesAt: number;
  /** Whether "No" is the first outcome, so that the record has the prices of NO. */
  readonly isFlipped: boolean;
  readonly #life: MarketLife;
  readonly #pastSteps: number;
  readonly #dice: Dice;
  readonly #quotes: Quote[] = [];
  /** USD before it grows. */
  readonly #volume: number;
  /** The share of the volume that is added each second. */
  readonly #volumeGrowth: number;
  /** The lower end of its range of values. */
  readonly #lowest: number;
  /** What YES is worth. The book and the trades lie around it. */
  #value: number;
  #shape: BookShape;
  #last: number | undefined;

  constructor(life: MarketLife) {
    // Two primes, so that no other seed and number have the same dice.
    const dice = new Dice(life.seed * 7_919 + life.number * 104_729 + 1);
    this.#life = life;
    this.#dice = dice;
    this.#pastSteps = Math.ceil((life.pastUntil - life.start) / PAST_STEP_MS);
    this.holes = life.holes;
    this.opensAt = life.opensAt;
    this.closesAt = life.closesAt;
    this.version = dice.chance(0.2) ? 'v2' : 'v1';
    const ids = idsOf(life.number, this.version);
    this.id = ids.condition;
    this.event = `group-${Math.floor(life.number / 5)}`;
    this.isFlipped = dice.chance(0.1);
    [this.yes, this.no] = this.isFlipped ? [ids.tokens[1], ids.tokens[0]] : ids.tokens;
    const isUntraded = dice.chance(0.08);
    // Upstream counts volume even for some markets whose trades CLOB does not know.
    this.#volume = isUntraded && dice.chance(0.5) ? 0 : volumeOf(life.number);
    this.#volumeGrowth = isUntraded || dice.chance(0.5) ? 0 : dice.between(0, 2e-6);
    this.#lowest = LOWEST_VALUES[dice.chance(0.5) ? 0 : 1];
    this.#value = this.#lowest + dice.between(0.02, 0.38);
    this.#shape = this.#nextShape();
    this.#last = isUntraded ? undefined : rounded(dice.between(0.02, 0.98));
  }

  isOpen(at: number): boolean {
    return at >= this.opensAt && at < this.closesAt;
  }

  /** Whether upstream's histories lack this time. */
  hasHole(at: number): boolean {
    return this.holes.some(({ from, until }) => from <= at && at < until);
  }

  /** USD. */
  volume(at: number): number {
    const seconds = Math.max(0, (at - this.#life.pastUntil) / 1_000);
    const growth = 1 + this.#volumeGrowth * seconds;
    return wholeCents(this.#volume * growth);
  }

  quote(at: number): Quote {
    const step = this.#stepAt(at);
    while (this.#quotes.length <= step) this.#quotes.push(this.#nextQuote());
    return this.#quotes[step] ?? {};
  }

  /** The quotes of a span, newest first. @param from @default the beginning of the universe */
  *quotesBefore(until: number, from = this.#life.start): Generator<Quote> {
    this.quote(until);
    for (let step = this.#stepAt(until); step >= this.#stepAt(from); step--)
      yield this.#quotes[step] ?? {};
  }

  /** The index of a moment's quote: first the long steps of the far past, then the short ones. */
  #stepAt(at: number): number {
    const { start, pastUntil, stepMs = STEP_MS } = this.#life;
    if (at < pastUntil) return Math.max(0, Math.floor((at - start) / PAST_STEP_MS));
    return this.#pastSteps + Math.floor((at - pastUntil) / stepMs);
  }

  #nextQuote(): Quote {
    const dice = this.#dice;
    if (dice.chance(0.6)) {
      const moved = this.#value + dice.between(-0.02, 0.02);
      this.#value = clamped(moved, this.#lowest, this.#lowest + RANGE_SIZE);
    }
    if (dice.chance(0.004)) this.#shape = this.#nextShape();
    if (this.#last !== undefined && dice.chance(0.1)) {
      this.#last = rounded(clamped(this.#value + dice.between(-0.03, 0.03), 0.001, 0.999));
    }
    const last = this.#last === undefined ? {} : { last: this.#last };
    return { ...this.#sides(), ...last };
  }

  #sides(): Quote {
    if (this.#shape === 'stub') return { bid: 0.01, ask: 0.99 };
    if (this.#shape === 'empty') return {};
    const half = HALF_SPREAD[this.#shape];
    const bid = this.#shape === 'no-bid' ? 0 : rounded(this.#value - half);
    const ask = this.#shape === 'no-ask' ? 1 : rounded(this.#value + half);
    return { ...(bid > 0 ? { bid } : {}), ...(ask < 1 ? { ask } : {}) };
  }

  #nextShape(): BookShape {
    const { looseShare, shapes = SHAPES } = this.#life;
    return this.#dice.chance(looseShare) ? this.#dice.pick(shapes) : 'tight';
  }
}

/** USD. The first market has 10 million, and the others fall as unevenly as the real ones. */
function volumeOf(rank: number): number {
  return wholeCents(10_000_000 / (rank + 1) ** 0.9);
}

/**
 * The ids as upstream forms them: a position id of v2 is the condition and the number of the
 * outcome.
 */
function idsOf(
  number: number,
  version: 'v1' | 'v2',
): { condition: string; tokens: [string, string] } {
  if (version === 'v1') {
    const token = 10n ** 70n + BigInt(number);
    const tokens: [string, string] = [String(token), String(token + 10n ** 70n)];
    return { condition: conditionOf(BigInt(number + 1)), tokens };
  }
  const position = (1n << 248n) + (BigInt(number + 1) << 104n);
  return { condition: conditionOf(position), tokens: [String(position), String(position + 1n)] };
}

/** 32 bytes in hexadecimal. */
function conditionOf(id: bigint): string {
  return `0x${id.toString(16).padStart(64, '0')}`;
}

function clamped(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value));
}

/** A price in whole ticks of 0.0001. */
function rounded(price: number): number {
  return Math.round(price * 10_000) / 10_000;
}

function wholeCents(usd: number): number {
  return Math.round(usd * 100) / 100;
}
