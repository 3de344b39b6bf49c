import type { Quote } from './prices.ts';

/** An object in upstream's own form; fields that are `undefined` do not survive JSON. */
export type WireObject = Readonly<Record<string, unknown>>;

/** A point of a price history: seconds since 1970, and a price from 0 to 1. */
export type Point = Readonly<Record<'t' | 'p', number>>;

/** How a closed market ends. */
export interface Resolution {
  readonly status: 'proposed' | 'resolved';
  /** By outcome, 0 to 1; they add up to 1. */
  readonly payouts: readonly [number, number];
  readonly resolvedAt: number;
}

/** A market as Gamma, the CLOB and the Data API show it at a time. Amounts are in USD. */
export interface SimulatedMarket {
  readonly id: string;
  readonly slug: string;
  /** 64 hex digits, as the CLOB writes it. */
  readonly conditionId: string;
  readonly version: 'v1' | 'v2';
  /** The ids that have books and histories, by outcome. */
  readonly tokens: readonly [string, string];
  readonly liquidity: number;
  readonly createdAt: number;
  /** The last trade comes before this time. */
  readonly endsAt: number;
  /** When Gamma lists it as closed, and its book goes. */
  readonly closesAt: number;
  readonly negRisk: boolean;
  /** Whether there ever are prices; the book may be empty. */
  readonly hasPrices: boolean;
  /** Ticks in one dollar. */
  readonly units: number;
  /** Seed of what else is generated for it. */
  readonly key: number;
  /** Total until the time. */
  volume(atMs: number): number;
  /** The book of the first outcome. */
  quote(atMs: number): Quote;
  /** The price of the first outcome as histories show it, 0 to 1; also while the book is empty. */
  price(atMs: number): number;
  /** Price of the last trade of the first outcome, 0 to 1; undefined when there was none. */
  lastTrade(atMs: number): number | undefined;
  /** Of a closed market. */
  resolution(atMs: number): Resolution | undefined;
  /** The market as Gamma lists it. */
  wire(atMs: number, includeTags: boolean): WireObject;
}

export interface Universe {
  /** A text for the terminal. */
  readonly description: string;
  /** The markets that exist at a time, with those that have closed. Later times append to the same list. */
  until(atMs: number): readonly SimulatedMarket[];
}

/** Whether Gamma lists a market among the open ones. */
export function isOpen({ createdAt, closesAt }: SimulatedMarket, atMs: number): boolean {
  return createdAt <= atMs && atMs < closesAt;
}

/** Whether the CLOB has a book for it; the book may be empty. */
export function hasBook(market: SimulatedMarket, atMs: number): boolean {
  return market.hasPrices && isOpen(market, atMs);
}
