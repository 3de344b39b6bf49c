import { pointsBetween } from './change.ts';
import { publicMarket } from './market.ts';
import { pricedOutcomes } from './market-details.ts';
import { optional } from './optional.ts';
import { believedMidpoint, currentProbability } from './probability.ts';
import type { SnapshotEntry } from './snapshot.ts';

/**
 * A market of the previous snapshot at a new midpoint. Its facts stay those of the catalogue; the starts of its windows
 * are where they were some minutes ago, so a change moves by as much as the midpoint.
 *
 * @param midpoint of YES, 0..1; undefined where the order book gives none: then the price that the market had stands in for
 *   the catalogue's, which a snapshot does not keep, by the same rule as in a full run; no change is known
 */
export function repriced(entry: SnapshotEntry, midpoint: number | undefined): SnapshotEntry {
  const { market, facets } = entry;
  const now = believedMidpoint(facets, midpoint);
  const had = market.currentProbability;
  const probability = currentProbability({ ...facets, outcomePrice: had / 100 }, midpoint) ?? had;
  const change = (before: number | null | undefined): number | undefined =>
    before === null || before === undefined || entry.midpoint === undefined
      ? undefined
      : pointsBetween(entry.midpoint - before / 100, now);
  const changes = {
    oneDay: change(market.oneDayPriceChange),
    sevenDay: change(market.sevenDayPriceChange),
    thirtyDay: change(market.thirtyDayPriceChange),
  };
  return {
    market: publicMarket(market, probability, changes),
    facets: { ...facets, outcomes: pricedOutcomes(facets.outcomes, market.clobTokenId, probability) },
    ...optional('midpoint', now),
  };
}
