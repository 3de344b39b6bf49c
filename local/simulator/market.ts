import type { Quote } from './prices.ts';

/** An object in upstream's own form; fields that are `undefined` do not survive JSON. */
export type WireObject = Readonly<Record<string, unknown>>;

/** A point of a price history: Unix seconds, and a price from 0 to 1. */
export type Point = Readonly<Record<'t' | 'p', number>>;

/** A market as Gamma, the CLOB and the Data API show it. Amounts are in USD, times are Unix ms. */
export interface SimulatedMarket {
  readonly id: string;
  readonly slug: string;
  /** 64 hex digits, as the CLOB writes it. */
  readonly conditionId: string;
  readonly version: 'v1' | 'v2';
  /** The ids that have books and histories, by outcome. */
  readonly tokens: readonly [string, string];
  readonly volume: number;
  readonly volume24hr: number;
  readonly liquidity: number;
  readonly createdAt: number;
  readonly endDate: string;
  readonly negRisk: boolean;
  /** Whether the CLOB has a book for it; the book may be empty. */
  readonly hasBook: boolean;
  /** Ticks in one dollar. */
  readonly units: number;
  /** Seed of what else is generated for it. */
  readonly key: number;
  /** Of the first outcome. */
  quote(atMs: number): Quote;
  /** Price of the last trade of the first outcome, 0 to 1; undefined when there was none. */
  lastTrade(atMs: number): number | undefined;
  /** The market as Gamma lists it. */
  wire(atMs: number, includeTags: boolean): WireObject;
}

export interface Universe {
  /** For people. */
  readonly description: string;
  readonly markets: readonly SimulatedMarket[];
}
