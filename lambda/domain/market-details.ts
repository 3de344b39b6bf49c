import type { CatalogueMarket, MarketDetails, Outcome } from './market.ts';

/**
 * The details of a market as a snapshot keeps them, with the outcomes priced like the market.
 *
 * @param probability of YES in percent
 */
export function marketDetails(market: CatalogueMarket, probability: number): MarketDetails {
  const { id, question, slug, volume, liquidity, endDate, yesTokenId, outcomePrice, ...details } = market;
  return { ...details, outcomes: pricedOutcomes(details.outcomes, yesTokenId, probability) };
}

/** The outcomes with their prices: of two, one is what the other is not; of more, the catalogue's prices are all there is. */
export function pricedOutcomes(
  outcomes: readonly Outcome[],
  yesTokenId: string,
  probability: number,
): readonly Outcome[] {
  return outcomes.map((outcome) => {
    if (outcome.tokenId === yesTokenId) return { ...outcome, probability };
    return outcomes.length === 2 ? { ...outcome, probability: percent(100 - probability) } : outcome;
  });
}

/** Three decimals: upstream's finest tick is a hundredth of a percent, and a midpoint lies between two. */
function percent(value: number): number {
  return Number(value.toFixed(3));
}
