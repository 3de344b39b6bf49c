import type { Catalogue } from './gamma/catalogue.ts';
import type { MarketSource, WireMarket } from './source.ts';

/** Where the documented latencies are added, or not. */
export const LATENCIES = ['none', 'realistic'] as const;
export type Latency = (typeof LATENCIES)[number];

/** All that the routes of one simulated upstream share. */
export interface State {
  readonly source: MarketSource;
  /** The markets of the source, in any order. */
  readonly catalogue: Catalogue;
  readonly events: Catalogue;
  /** Ms. */
  readonly now: () => number;
  latency: Latency;
  rateLimits: boolean;
  /** The markets of the catalogue page served last, for the fault that repeats them. */
  previousPage: readonly WireMarket[];
}
