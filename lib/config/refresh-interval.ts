/** About 1.1 s a page of 100 (upstream.md), of which a twentieth is not kept; a fifth more for what comes beside it. */
const CRAWL_SECONDS_PER_MARKET = 0.014;
/** For the prices, the store and the closing lines at the end of a run. */
const CLOSING_SECONDS = 8;

/** A run must end before the next one begins: the shortest interval for so many markets. Two minutes do for 8,000. */
export function leastRefreshMinutes(maxMarkets: number): number {
  return Math.ceil((maxMarkets * CRAWL_SECONDS_PER_MARKET + CLOSING_SECONDS) / 60);
}
