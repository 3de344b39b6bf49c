import type { MarketSource } from 'polymarket-simulator';
import { byVolume, publicMarket } from '../../lambda/domain/market.ts';
import { marketDetails } from '../../lambda/domain/market-details.ts';
import { currentProbability } from '../../lambda/domain/probability.ts';
import type { SnapshotEntry } from '../../lambda/domain/snapshot.ts';
import { readGammaMarket } from '../../lambda/polymarket/gamma-market.ts';

/** The first so many markets of a source as a snapshot has them; the changes are made up. */
export function entriesOf(source: MarketSource, most: number, now: number): SnapshotEntry[] {
  const records = Array.from({ length: source.size }, (_, n) => readGammaMarket(source.wire(n, now, true)));
  const markets = records.flatMap((record) => (record.kind === 'listable' ? [record.market] : []));
  markets.sort(byVolume);
  return markets.slice(0, most).map((market, position) => ({
    market: publicMarket(
      { ...market, clobTokenId: market.yesTokenId },
      currentProbability(market, undefined) ?? 50,
      {
        oneDay: (((position * 7_919) % 4_001) - 2_000) / 100,
        sevenDay: undefined,
        thirtyDay: undefined,
      },
    ),
    facets: marketDetails(market, currentProbability(market, undefined) ?? 50),
  }));
}
