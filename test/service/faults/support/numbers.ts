import type { Market } from '../../../../lambda/domain/market.ts';

/** What a response may say: lists that were read without faults before and after, and the catalogue's prices. */
export interface Truth {
  readonly lists: readonly (readonly Market[])[];
  /** By market id, percent; where the order book could not be asked. */
  readonly cataloguePrices: ReadonlyMap<string, number>;
  /** Whether the changes are since the same moments. */
  readonly sameBaselines: boolean;
}

const CHANGES = ['oneDayPriceChange', 'sevenDayPriceChange', 'thirtyDayPriceChange'] as const;
const FACTS = ['question', 'slug', 'volume', 'liquidity', 'endDate', 'clobTokenId'] as const;
/** Both sides of a comparison are rounded to three decimals. */
const ROUNDING = 0.0015;

/**
 * What is wrong with a served list, in words; empty when it is right. The upstream's time stands still, so prices are
 * equal, not alike. A baseline may be that of before or of after: a point of the history passes by now and then.
 */
export function wrongNumbers(
  served: readonly Market[],
  { lists, cataloguePrices, sameBaselines }: Truth,
): string[] {
  const byId = lists.map((list) => new Map(list.map((market) => [market.id, market])));
  const wrong: string[] = [];
  if (new Set(served.map(({ id }) => id)).size < served.length) wrong.push('a market is listed twice');
  served.forEach((market, n) => {
    if (market.volume > (served[n - 1]?.volume ?? Number.POSITIVE_INFINITY))
      wrong.push(`place ${n} by volume`);
    const known = byId.flatMap((markets) => markets.get(market.id) ?? []);
    if (known.length === 0) wrong.push(`${market.id}: no such market`);
    for (const fact of FACTS) {
      if (known.some((one) => one[fact] !== market[fact]))
        wrong.push(`${market.id}: ${fact} ${market[fact]}`);
    }
    const prices = [...known.map((one) => one.currentProbability), cataloguePrices.get(market.id)];
    if (!prices.includes(market.currentProbability)) {
      wrong.push(`${market.id}: ${market.currentProbability}, not one of ${prices}`);
    }
    for (const change of sameBaselines ? CHANGES : []) {
      const baseline = baselineOf(market, change);
      const baselines = known.flatMap((one) => baselineOf(one, change) ?? []);
      if (baseline === undefined || baselines.length === 0) continue;
      if (!baselines.some((one) => Math.abs(one - baseline) < ROUNDING)) {
        wrong.push(`${market.id}: ${change} from ${baseline}, not one of ${baselines}`);
      }
    }
  });
  return wrong;
}

function baselineOf(market: Market, change: (typeof CHANGES)[number]): number | undefined {
  const value = market[change];
  return value === null || value === undefined ? undefined : market.currentProbability - value;
}
