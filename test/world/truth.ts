import { Dice } from '../support/dice.ts';

/** The truth changes every five seconds, and every half hour in the far past. */
export const STEP_MS = 5_000;
const PAST_STEP_MS = 1_800_000;
/** The longest reading of all prices. A price of CLOB was true at some moment of it. */
export const READING_MS = 15_000;
/** In percentage points. A price has five decimals. */
export const TOLERANCE = 0.001;

/** The book and the last trade of YES at one moment. */
export interface Quote {
  readonly bid?: number;
  readonly ask?: number;
  readonly last?: number;
}

/**
 * What a book looks like for a while, with half of its spread. `stub` has the sides 0.01 and 0.99,
 * whatever the market is worth.
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

/**
 * The value of YES stays in one of two ranges of this size, below or above 0.5. A history shows 0.5
 * for an empty book, so a value near 0.5 would hide a mistake.
 */
const RANGE_SIZE = 0.41;
const LOWEST_VALUES = [0.005, 0.58] as const;

/** A time without a point in upstream's histories, in Unix ms. It does not include `until`. */
export type Hole = Readonly<Record<'from' | 'until', number>>;

/** What makes a market. */
export interface MarketLife {
  /** Its rank by volume, from 0. */
  readonly number: number;
  readonly seed: number;
  /** When the universe begins. Times are Unix ms. */
  readonly start: number;
  /** When the far past ends. @default start */
  readonly pastUntil?: number;
  /** @default none */
  readonly holes?: readonly Hole[];
  readonly opensAt: number;
  readonly closesAt: number;
  /** The chance that a new shape of its book is one of `shapes` rather than tight. */
  readonly loose: number;
  /** @default STEP_MS */
  readonly stepMs?: number;
  /** @default all but `stub` */
  readonly shapes?: readonly [BookShape, ...BookShape[]];
}

/**
 * A market of the simulated Polymarket, which knows its truth at every moment of its past. The same
 * seed and number make the same market. For example:
 *
 *     const open = { opensAt: Number.NEGATIVE_INFINITY, closesAt: Number.POSITIVE_INFINITY };
 *     const market = new TrueMarket({ number: 0, seed: 1, start: START, loose: 0.4, ...open });
 *     market.quote(START + 60_000); // { bid: 0.271, ask: 0.281, last: 0.275 }
 *     market.volume(START + 60_000); // USD
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
  readonly #pastUntil: number;
  readonly #pastSteps: number;
  readonly #dice: Dice;
  readonly #quotes: Quote[] = [];
  readonly #volume: number;
  /** The share that is added each second. */
  readonly #volumeGrowth: number;
  /** The end of its range of values. */
  readonly #lowest: number;
  #value: number;
  #shape: BookShape;
  #last: number | undefined;

  constructor(life: MarketLife) {
    // Two primes, so that no other seed and number have the same dice.
    const dice = new Dice(life.seed * 7_919 + life.number * 104_729 + 1);
    this.#life = life;
    this.#dice = dice;
    this.#pastUntil = life.pastUntil ?? life.start;
    this.#pastSteps = Math.ceil((this.#pastUntil - life.start) / PAST_STEP_MS);
    this.holes = life.holes ?? [];
    this.opensAt = life.opensAt;
    this.closesAt = life.closesAt;
    this.version = dice.chance(0.2) ? 'v2' : 'v1';
    const ids = idsOf(life.number, this.version);
    this.id = ids.condition;
    this.event = `group-${Math.floor(life.number / 5)}`;
    this.isFlipped = dice.chance(0.1);
    [this.yes, this.no] = this.isFlipped ? [ids.tokens[1], ids.tokens[0]] : ids.tokens;
    const isUntraded = dice.chance(0.08);
    // Upstream counts volume even for some markets whose trades CLOB does not know. The first
    // market has 10 million USD, and the volumes of the others fall as unevenly as the real ones.
    this.#volume =
      isUntraded && dice.chance(0.5) ? 0 : Math.round(1e9 / (life.number + 1) ** 0.9) / 100;
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
    const growth = 1 + this.#volumeGrowth * Math.max(0, (at - this.#pastUntil) / 1_000);
    return Math.round(this.#volume * growth * 100) / 100;
  }

  quote(at: number): Quote {
    const step = this.#stepAt(at);
    while (this.#quotes.length <= step) this.#quotes.push(this.#next());
    return this.#quotes[step] ?? {};
  }

  /** The quotes of a span, newest first. @param from @default the beginning of the universe */
  *quotesBack(until: number, from = this.#life.start): Generator<Quote> {
    this.quote(until);
    for (let step = this.#stepAt(until); step >= this.#stepAt(from); step--)
      yield this.#quotes[step] ?? {};
  }

  #stepAt(at: number): number {
    const { start, stepMs = STEP_MS } = this.#life;
    return at < this.#pastUntil
      ? Math.max(0, Math.floor((at - start) / PAST_STEP_MS))
      : this.#pastSteps + Math.floor((at - this.#pastUntil) / stepMs);
  }

  #next(): Quote {
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
    const { loose, shapes = SHAPES } = this.#life;
    return this.#dice.chance(loose) ? this.#dice.pick(shapes) : 'tight';
  }
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
    const condition = `0x${(number + 1).toString(16).padStart(64, '0')}`;
    return {
      condition,
      tokens: [String(10n ** 70n + BigInt(number)), String(2n * 10n ** 70n + BigInt(number))],
    };
  }
  const position = (1n << 248n) + (BigInt(number + 1) << 104n);
  const condition = `0x${position.toString(16).padStart(64, '0')}`;
  return { condition, tokens: [String(position), String(position + 1n)] };
}

function clamped(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value));
}

function rounded(price: number): number {
  return Math.round(price * 10_000) / 10_000;
}

/** The middle of the book as Gamma and the histories have it: an empty side is 0 or 1. */
export function middle({ bid = 0, ask = 1 }: Quote): number {
  return (bid + ask) / 2;
}

/** The book of the other outcome: its bid is what the ask leaves of a dollar. */
export function mirrored({ bid, ask, last }: Quote): Quote {
  const other = (price: number): number => Number((1 - price).toFixed(8));
  return {
    ...(ask === undefined ? {} : { bid: other(ask) }),
    ...(bid === undefined ? {} : { ask: other(bid) }),
    ...(last === undefined ? {} : { last: other(last) }),
  };
}

/** In ten-thousandths of a dollar, the finest tick. */
const TICKS = 10_000;
const MAX_TIGHT_TICKS = 1_000;

/**
 * The midpoint as docs/design.md promises it: a book with a side and a spread of at most 0.10 has
 * one. In whole ticks, so that it shares no arithmetic with the service.
 */
export function tightMiddle({ bid, ask }: Quote): number | undefined {
  if (bid === undefined && ask === undefined) return undefined;
  const [low, high] = [Math.round((bid ?? 0) * TICKS), Math.round((ask ?? 1) * TICKS)];
  return high - low > MAX_TIGHT_TICKS ? undefined : (low + high) / (2 * TICKS);
}
