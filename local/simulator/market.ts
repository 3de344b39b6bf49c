/** What the simulated Polymarket knows of its markets. Each of its routes shows a part of it. */
import type { Quote } from './prices.ts';

/** An object in upstream's form; JSON drops `undefined` fields. */
export type WireObject = Readonly<Record<string, unknown>>;

/** A point of a history: Unix seconds, and a price from 0 to 1. */
export type Point = Readonly<Record<'t' | 'p', number>>;

/** The result of a market, as the Data API shows it. */
export interface Resolution {
  readonly status: 'proposed' | 'resolved';
  /** What a share of each outcome pays, 0 to 1. Both add up to 1. */
  readonly payouts: readonly [number, number];
  readonly resolvedAt: number;
}

/**
 * A simulated market. Gamma, CLOB and the Data API all read it, so that they agree at any time.
 * Amounts are in USD, times in Unix ms.
 */
export interface SimulatedMarket {
  readonly id: string;
  readonly slug: string;
  /** 64 hex digits, as in CLOB. */
  readonly conditionId: string;
  readonly version: 'v1' | 'v2';
  /** The token of each outcome, for books and histories. */
  readonly tokens: readonly [string, string];
  readonly liquidity: number;
  readonly createdAt: number;
  /** When trading ends. */
  readonly endsAt: number;
  /** When Gamma closes it and its book disappears. */
  readonly closesAt: number;
  readonly negRisk: boolean;
  /** False if it never has prices. The book may be empty. */
  readonly hasPrices: boolean;
  /** Ticks per dollar. */
  readonly units: number;
  /** The seed of all random choices about the market. */
  readonly key: number;
  volume(atMs: number): number;
  /** The best prices of the first outcome, in ticks. */
  quote(atMs: number): Quote;
  /** The first outcome's price in histories, 0 to 1, even while the book is empty. */
  price(atMs: number): number;
  /** The first outcome's last trade, 0 to 1; undefined before the first trade. */
  lastTrade(atMs: number): number | undefined;
  /** Undefined while the market is open. */
  resolution(atMs: number): Resolution | undefined;
  /** The market in Gamma's form. */
  wire(atMs: number, includeTags: boolean): WireObject;
}

/** All markets of a simulator. */
export interface Universe {
  readonly description: string;
  /** The markets that opened up to a time, even closed ones. Later times append to the list. */
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
