import type { Quote } from './prices.ts';

/** An object in upstream's form; JSON drops `undefined` fields. */
export type WireObject = Readonly<Record<string, unknown>>;

/** Unix seconds, and a price from 0 to 1. */
export type Point = Readonly<Record<'t' | 'p', number>>;

export interface Resolution {
  readonly status: 'proposed' | 'resolved';
  /** By outcome, 0 to 1, sum 1. */
  readonly payouts: readonly [number, number];
  readonly resolvedAt: number;
}

/** A market of Gamma, CLOB and the Data API at a time. Amounts are in USD. */
export interface SimulatedMarket {
  readonly id: string;
  readonly slug: string;
  /** 64 hex digits, as in CLOB. */
  readonly conditionId: string;
  readonly version: 'v1' | 'v2';
  /** By outcome, for books and histories. */
  readonly tokens: readonly [string, string];
  readonly liquidity: number;
  readonly createdAt: number;
  /** After the last trade. */
  readonly endsAt: number;
  /** When Gamma closes it and its book disappears. */
  readonly closesAt: number;
  readonly negRisk: boolean;
  /** False if it never has prices. The book may be empty. */
  readonly hasPrices: boolean;
  /** Ticks per dollar. */
  readonly units: number;
  /** Seed of everything else. */
  readonly key: number;
  volume(atMs: number): number;
  quote(atMs: number): Quote;
  /** First outcome in histories, 0 to 1, even while the book is empty. */
  price(atMs: number): number;
  /** First outcome, 0 to 1; undefined before the first trade. */
  lastTrade(atMs: number): number | undefined;
  /** Undefined while open. */
  resolution(atMs: number): Resolution | undefined;
  wire(atMs: number, includeTags: boolean): WireObject;
}

export interface Universe {
  readonly description: string;
  /** Includes closed markets. Later times append to the same list. */
  until(atMs: number): readonly SimulatedMarket[];
  /** Markets that closed in the years before the start, apart from `until`. */
  past(): readonly SimulatedMarket[];
}

/** True if Gamma lists the market as open. */
export function isOpen({ createdAt, closesAt }: SimulatedMarket, atMs: number): boolean {
  return createdAt <= atMs && atMs < closesAt;
}

/** True if CLOB has a book, even an empty one. */
export function hasBook(market: SimulatedMarket, atMs: number): boolean {
  return market.hasPrices && isOpen(market, atMs);
}
