import type { UpstreamErrorDetails } from '../../lambda/io/upstream/upstream-error.ts';
import { Dice } from '../support/dice.ts';
import { STEP_MS, type TrueMarket } from './truth.ts';

/** What `/books` does. */
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

const FAILURES: Partial<Record<BookFault, UpstreamErrorDetails['failure']>> = {
  error: 'network',
  oversized: 'too_large',
};

/**
 * The route `/books` of the world. It has dice of its own, so that its faults change nothing else:
 *
 *     world.polymarket.books.fault = 'hang';
 */
export class Books {
  fault: BookFault | undefined;
  readonly #dice = new Dice(68);

  /** One response. `body` is made when it leaves upstream. */
  answer(
    tokens: readonly string[],
    open: (token: string) => TrueMarket | undefined,
    now: () => number,
  ) {
    const { fault } = this;
    const ms = Math.round(this.#dice.between(100, 600));
    const books = () => {
      if (fault === 'no list') return {};
      if (fault === 'malformed') return tokens.map((token) => ({ asset_id: token, bids: 'none' }));
      return tokens.flatMap((token) => {
        const market = open(token);
        if (!market) return [];
        const asset_id = fault === 'others' ? market.no : token;
        return [{ asset_id, ...sidesOf(market, now(), fault === 'moved') }];
      });
    };
    const delays: Partial<Record<BookFault, number>> = {
      hang: Number.POSITIVE_INFINITY,
      // They arrive after the publication.
      slow: 4_000,
    };
    return {
      ms: ms + ((fault && delays[fault]) ?? 0),
      failure: fault && FAILURES[fault],
      body: books,
    };
  }
}

/** Levels in no order: the best one is in the middle. */
function sidesOf(market: TrueMarket, at: number, isMoved: boolean) {
  const { bid, ask } = market.quote(at);
  const side = (best: number | undefined, name: 'bid' | 'ask', step: number) => {
    if (best === undefined) return [];
    const price = isMoved ? best - step / 7 : best;
    const worse = [price + step, price + 2 * step].filter((other) => other > 0 && other < 1);
    const levels = [worse[0], price, worse[1]].flatMap((level) => level ?? []);
    return levels.map((level) => ({
      price: String(level),
      size: String(level === price ? sizeOf(market, name, at) : 9_999_999),
    }));
  };
  return { bids: side(bid, 'bid', -0.001), asks: side(ask, 'ask', 0.001) };
}

/** Shares at a best price. They change every step. */
export function sizeOf({ yes }: TrueMarket, side: 'bid' | 'ask', at: number): number {
  const step = Math.floor(at / STEP_MS);
  const dice = new Dice(Number(yes.slice(-6)) * 31 + step * 1_009 + (side === 'bid' ? 0 : 7));
  return Math.round(dice.between(1, 1_000_000)) / 100;
}
