import type { PricePoint } from '../domain/change.ts';
import type { HistoryRequest } from '../domain/history-requests.ts';
import type { OrderBook } from '../domain/order-book.ts';

/**
 * Reads something from the upstream for a caller who is waiting. `what` names it in the error. The deadline, as all here, is
 * absolute, in ms.
 *
 * @throws ServiceError `upstream_unavailable` (502) for whatever the upstream did
 */
export type LiveRead = <T>(what: string, read: (deadline: number) => Promise<T>) => Promise<T>;

/** What the live endpoints ask of the upstream. */
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

/** What is known of the upstream's objects from the runs of the refresh. */
export interface UpstreamState {
  readonly known: {
    /** The route that gave the last price history. */
    readonly historyRoute?: string;
    /** Protocol versions that the service does not know. */
    readonly unknownVersions: readonly string[];
  };
  /** The newest thing that is not as it was; absent before there was any. `at` in ISO 8601. */
  readonly lastChange?: {
    readonly what: string;
    readonly before: string;
    readonly after: string;
    readonly at: string;
  };
}

/** What the service itself remembers of a token's prices. */
export interface RememberedPrices {
  /** Ascending; empty where nothing is known, or nothing can be read in time. `fidelity` in minutes. Never rejects. */
  points(token: string, seconds: number, fidelity: number, deadline: number): Promise<readonly PricePoint[]>;
}

export interface LivePriceHistories {
  /** As upstream orders and repeats them; empty for an unknown token. */
  points(token: string, request: HistoryRequest, deadline: number): Promise<readonly PricePoint[]>;
}
