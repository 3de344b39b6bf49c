import type { PricePoint } from '../domain/change.ts';
import type { HistoryRequest } from '../domain/history-requests.ts';
import type { OrderBook } from '../domain/order-book.ts';

/** What the live endpoints ask of the upstream. Deadlines are absolute, in ms. */
export interface OrderBooks {
  /** In upstream's order; undefined for a token without a book. */
  book(token: string, deadline: number): Promise<OrderBook | undefined>;
}

export interface PriceHistories {
  /** As upstream orders and repeats them; empty for an unknown token. */
  points(token: string, request: HistoryRequest, deadline: number): Promise<readonly PricePoint[]>;
}
