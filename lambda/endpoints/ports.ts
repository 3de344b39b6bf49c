import type { PricePoint } from '../domain/change.ts';
import type { HistoryRequest } from '../domain/history-requests.ts';
import type { OrderBook } from '../domain/order-book.ts';

/** What the live endpoints ask of the upstream. Deadlines are absolute, in ms. */
export interface OrderBooks {
  /** In upstream's order; undefined for a token without a book. */
  book(token: string, deadline: number): Promise<OrderBook | undefined>;
  /** In upstream's order, by token without leading zeros; tokens without a book are missing. */
  books(tokens: readonly string[], deadline: number): Promise<ReadonlyMap<string, OrderBook>>;
}

/** What older books do not tell of their market, as upstream's own endpoints name it. */
export type BookFact = 'last-trade-price' | 'neg-risk' | 'tick-size';

export interface BookFacts {
  /** As the newer books write it: texts for numbers. Undefined for a token that upstream does not know. */
  fact(name: BookFact, token: string, deadline: number): Promise<string | boolean | undefined>;
}

/** What the service itself remembers of a token's prices. */
export interface RememberedPrices {
  /** Ascending; empty where nothing is known, or nothing can be read in time. `fidelity` in minutes. Never rejects. */
  points(token: string, seconds: number, fidelity: number, deadline: number): Promise<readonly PricePoint[]>;
}

export interface PriceHistories {
  /** As upstream orders and repeats them; empty for an unknown token. */
  points(token: string, request: HistoryRequest, deadline: number): Promise<readonly PricePoint[]>;
}
