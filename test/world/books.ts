import { Dice } from '../support/dice.ts';
import type { Answer } from './faults.ts';
import { STEP_MS, type TrueMarket } from './true-market.ts';

/** The faults of `/books`, the simulated Polymarket's route for order books. */
export const BOOK_FAULTS = [
  'error',
  'oversized',
  'hang',
  'slow',
  'no list',
  'malformed',
  'others', // books of other tokens
  'moved', // best prices that no longer hold
] as const;
export type BookFault = (typeof BOOK_FAULTS)[number];

/** A slow response arrives after the publication. */
const SLOW_MS = 4_000;

/**
 * The route `/books` of the simulated Polymarket: order books with the shares at each price. It has
 * dice of its own, so that its faults change nothing else:
 *
 *     world.polymarket.books.fault = 'hang';
 */
export class Books {
  fault: BookFault | undefined;
  readonly #dice = new Dice(68);

  /** One response. @param open finds a token's market, if it is open when the response leaves */
  answer(
    tokens: readonly string[],
    open: (token: string) => TrueMarket | undefined,
    now: () => number,
  ): Answer {
    const ms = Math.round(this.#dice.between(100, 600));
    const { fault } = this;
    const body = () => bodyOf(tokens, open, now, fault);
    switch (fault) {
      case 'error':
        return { ms, failure: 'network', body };
      case 'oversized':
        return { ms, failure: 'too_large', body };
      case 'hang':
        return { ms: Number.POSITIVE_INFINITY, body };
      case 'slow':
        return { ms: ms + SLOW_MS, body };
      default:
        return { ms, body };
    }
  }
}

function bodyOf(
  tokens: readonly string[],
  open: (token: string) => TrueMarket | undefined,
  now: () => number,
  fault: BookFault | undefined,
): unknown {
  if (fault === 'no list') return {};
  if (fault === 'malformed') return tokens.map((token) => ({ asset_id: token, bids: 'none' }));
  const books: object[] = [];
  for (const token of tokens) {
    const market = open(token);
    if (!market) continue;
    const at = now();
    const { bid, ask } = market.quote(at);
    // Ticks are at least 0.0001 in whole steps, so no true book has this price.
    const moved = fault === 'moved' ? 0.001 / 7 : 0;
    books.push({
      asset_id: fault === 'others' ? market.no : token,
      bids: levels(bid && bid + moved, -0.001, sizeOf(market, 'bid', at)),
      asks: levels(ask && ask - moved, 0.001, sizeOf(market, 'ask', at)),
    });
  }
  return books;
}

/** A side of a book. Its best price stands in the middle, because `/books` promises no order. */
function levels(best: number | undefined, step: number, bestSize: number): object[] {
  if (best === undefined) return [];
  const all = [
    { price: best + step, size: 9_999_999 },
    { price: best, size: bestSize },
    { price: best + 2 * step, size: 9_999_999 },
  ];
  return all
    .filter(({ price }) => price > 0 && price < 1)
    .map(({ price, size }) => ({ price: String(price), size: String(size) }));
}

/** Shares at a best price. They change every step. */
export function sizeOf({ yes }: TrueMarket, side: 'bid' | 'ask', at: number): number {
  const step = Math.floor(at / STEP_MS);
  const dice = new Dice(Number(yes.slice(-6)) * 31 + step * 1_009 + (side === 'bid' ? 0 : 7));
  return Math.round(dice.between(1, 1_000_000)) / 100;
}
