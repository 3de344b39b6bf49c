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
  // As upstream does, these two sort as text: the fields are strings there.
  'volume',
  'liquidity',
] as const;
export type OrderField = (typeof ORDER_FIELDS)[number];

/** The same for events, whose amounts are numbers. */
export const EVENT_ORDER_FIELDS = [
  'volume',
  'liquidity',
  'volume24hr',
  'startDate',
  'endDate',
  'createdAt',
  'id',
] as const;
export type EventOrderField = (typeof EVENT_ORDER_FIELDS)[number];

/** The facts that Gamma's filters look at. Amounts in USD, undefined where the key is left out; times in ms. */
export interface Filterable {
  readonly id: string;
  readonly slug: string;
  /** 64 hex digits, lower case. */
  readonly conditionId: string;
  readonly clobTokenIds: readonly string[];
  readonly positionIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly closed: boolean;
  readonly active: boolean;
  readonly archived: boolean;
  readonly volume: number | undefined;
  readonly liquidity: number | undefined;
  readonly startMs: number;
  readonly endMs: number | undefined;
}

export type WireMarket = Record<string, unknown>;

/** One outcome token as CLOB sees it; quotes and prices are this token's own. */
export interface Instrument {
  readonly token: string;
  /** The id of the other outcome. */
  readonly opposite: string;
  /** 64 hex digits. */
  readonly conditionId: string;
  readonly version: 'v1' | 'v2';
  /** Ticks in one dollar: 10 to 10,000. */
  readonly units: number;
  /** Has an order book: false for resolved markets and those that never had one. */
  readonly trading: boolean;
  /** Ms; no history before it. */
  readonly bornAt: number;
  /** Ms; no new history after it. */
  readonly endedAt: number | undefined;
  readonly negRisk: boolean;
  /** Has traded at all: the Data API knows no price of what never did. */
  readonly traded: boolean;
  readonly about: InstrumentText;
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

/** What people call a token. */
export interface InstrumentText {
  readonly question: string;
  readonly slug: string;
  readonly outcome: string;
  readonly eventId: string | undefined;
  readonly eventSlug: string | undefined;
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
  /** Changes the share of markets on Protocol V2; absent where that is fixed. */
  setV2Share?(share: number): void;
  /** Lets a share of the volumes grow by a factor, as trading does between two reads; absent where they are fixed. */
  growVolumes?(share: number, factor: number): void;
  sortValue(index: number, field: OrderField): number | string;
  filterable(index: number): Filterable;
  /** The market in Gamma's form with the prices of `atMs`. */
  wire(index: number, atMs: number, includeTags: boolean): WireMarket;
  /** undefined for a token that was never given out. */
  instrument(token: string): Instrument | undefined;
  /** The tokens of a condition, given with 64 hex digits, by outcome; undefined for an unknown one. */
  assetIds(conditionId: string): readonly string[] | undefined;
  readonly eventCount: number;
  eventSortValue(index: number, field: EventOrderField): number | string;
  eventFilterable(index: number): Filterable;
  /** The event in Gamma's form, with its markets where they are asked for. */
  wireEvent(index: number, atMs: number, options: { readonly includeMarkets: boolean }): WireMarket;
}
