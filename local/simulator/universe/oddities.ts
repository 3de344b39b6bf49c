/** What is unusual about a share of the markets. `decoyPositions` was measured (docs/upstream.md), the rest is assumed. */
export const ODDITIES = {
  outcomesAbsent: 0.004,
  outcomesNull: 0.004,
  noEndDate: 0.05,
  /** Neither the market nor its event has an end date. */
  noEndAtAll: 0.01,
  /** No `outcomePrices` yet. */
  placeholder: 0.02,
  /** A book without any order: the midpoint is 0.5 all the same. */
  emptyBook: 0.02,
  noOrderBook: 0.02,
  /** A book that becomes wide, one-sided or empty for some minutes, and recovers. */
  restlessBook: 0.03,
  noSecond: 0.05,
  unknownVersion: 0.01,
  withoutVersion: 0.03,
  pendingIds: 0.02,
  /** A v1 market with `positionIds`, or a v2 market with `clobTokenIds`, for which the CLOB has no book. */
  decoyPositions: 0.36,
  decoyTokens: 0.1,
  /** A v2 condition id that has 64 digits in Gamma, too. */
  padded: 0.4,
  outerSpaces: 0.02,
} as const;
export type Oddities = Readonly<Record<keyof typeof ODDITIES, boolean>>;
