/**
 * How often each oddity of upstream.md occurs among generated markets. The shares are guesses at upstream's order of
 * magnitude, raised where the real one would leave a page of 100 without a single case; the tests hold the dataset
 * to them. What makes a market unlistable adds up to less than 7 %, so that 2,500 markets leave well over 2,000.
 */
export const RATES = {
  /** Resolved: `active` stays true, `closed=false` filters them. */
  closed: 0.02,
  archived: 0.01,
  inactive: 0.012,
  noOrderBook: 0.012,
  /** `outcomes` and the other JSON strings absent, null or "". */
  withoutOutcomes: 0.004,
  /** No `endDate`, and none on the event either. */
  noEndDateAtAll: 0.008,
  /** No `endDate`, but the event has one. */
  noEndDate: 0.025,
  /** The event is missing altogether (recordings: 4 of 798). */
  noEvent: 0.005,
  endInThePast: 0.03,
  fractionalEnd: 0.06,
  /** "Yes" in second place. */
  yesSecond: 0.03,
  /** "YES" and "NO". */
  shoutedYes: 0.006,
  /** A question equal to that of the market before it. */
  duplicate: 0.02,
  outerSpaces: 0.02,
  /** No orders on one side (recordings: 16 %). */
  oneSided: 0.06,
  /** No `outcomePrices` yet; a third of these have no orders either. */
  placeholder: 0.012,
  /** Wider than 0.10, where the provider's own site shows the last trade. */
  wideSpread: 0.06,
  /** Exactly 0.10 wide: the boundary of that rule. */
  boundarySpread: 0.01,
  /** Of the wide ones: never traded. */
  wideWithoutTrade: 0.4,
  withoutTrade: 0.02,
  youngerThanDay: 0.02,
  youngerThanWeek: 0.07,
  youngerThanMonth: 0.13,
  zeroVolume: 0.015,
  tinyVolume: 0.03,
  /** `volumeNum` rounded to cents while `volume` keeps its digits. */
  roundedVolume: 0.2,
  /** A book without its last four keys, as older v1 ones are. */
  oldBook: 0.05,
  /** An order book, but no order on either side: the midpoint says "0.5" all the same. */
  emptyBook: 0.008,
  /** Ticks of 0.0025, 0.0001 or 0.005. */
  fineTick: 0.04,
  /** Of v1 markets older than a day: `positionIds` for combos, which no CLOB route knows (upstream: 35 %). */
  decoyIds: 0.36,
  /** Asks the question of the market before it, under the other protocol. */
  twin: 0.02,
  /** A `version` that nobody has heard of. */
  unknownVersion: 0.004,
  /** No `version`, as in recordings made before the field. */
  withoutVersion: 0.01,
  /** The ids of the market's own protocol are not there yet; those of the other may be. */
  pendingIds: 0.006,
  pendingV2Ids: 0.03,
  /** Of v2 markets: `clobTokenIds` holds ids that no CLOB route knows. Unseen so far; `version` must decide. */
  decoyTokens: 0.1,
  /** Of v2 markets: the condition id comes right-padded to 64 digits. */
  paddedCondition: 0.4,
  /** An event that is no longer listed while its markets still are. */
  unlistedEvent: 0.01,
} as const;
