import type { Quote } from './dataset/prices.ts';

/** What the order by clauses of the catalogue routes may name: camelCase, as Gamma demands. */
export const ORDER_FIELDS = [
  'volumeNum',
  'liquidityNum',
  'volume24hr',
  'startDate',
  'endDate',
  'createdAt',
  'id',
] as const;
export type OrderField = (typeof ORDER_FIELDS)[number];

/** The facts that Gamma's filters look at. */
export interface Filterable {
  readonly id: string;
  readonly slug: string;
  readonly conditionId: string;
  readonly tokens: readonly string[];
  readonly tagIds: readonly string[];
  readonly closed: boolean;
}

export type WireMarket = Record<string, unknown>;

/** One outcome token as CLOB sees it; quotes and prices are this token's own. */
export interface Instrument {
  readonly token: string;
  readonly conditionId: string;
  /** Ticks in one dollar: 100 or 1,000. */
  readonly units: number;
  /** Has an order book: false for resolved markets and those that never had one. */
  readonly trading: boolean;
  /** Ms; no history before it. */
  readonly bornAt: number;
  /** Ms; no new history after it. */
  readonly endedAt: number | undefined;
  readonly negRisk: boolean;
  /** Lacks the last four keys of a book. */
  readonly oldBook: boolean;
  /** Seeds what the sizes and the unevenness of the points are made from; the same for both tokens of a market. */
  readonly key: number;
  /** The second token's book is the first's in a mirror, down to the sizes. */
  readonly outcome: 0 | 1;
  quote(atMs: number): Quote;
  lastTrade(atMs: number): number | undefined;
  /** A recorded book, served in place of a generated one. */
  readonly book?: RecordedBook;
  /** A recorded history that reaches back to `fromSeconds` as far as one does, served in place of a generated one. */
  readonly history?: (fromSeconds: number, nowSeconds: number) => RecordedHistory;
}

/** Recorded points, shifted so that the last one is now. */
export interface RecordedHistory {
  readonly points: readonly Point[];
  /** Minutes between the points; 0 where they are too few to say. */
  readonly fidelity: number;
}

export interface Level {
  readonly price: string;
  readonly size: string;
}

export interface RecordedBook extends Readonly<Record<string, unknown>> {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** A point of a price history: unix seconds, 0..1. */
export interface Point {
  readonly t: number;
  readonly p: number;
}

/** Where markets come from: generated or recorded. Times are ms. */
export interface MarketSource {
  /** For people, for instance "2,500 generated markets (seed 1)". */
  readonly description: string;
  readonly size: number;
  /** Changes how many markets there are; absent where that is fixed. */
  resize?(markets: number): void;
  sortValue(index: number, field: OrderField): number | string;
  filterable(index: number): Filterable;
  /** The market in Gamma's form with the prices of `atMs`. */
  wire(index: number, atMs: number, includeTags: boolean): WireMarket;
  /** undefined for a token that was never given out. */
  instrument(token: string): Instrument | undefined;
}
