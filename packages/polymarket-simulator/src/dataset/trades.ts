import type { MarketFacts } from './facts.ts';
import { mix, unit } from './hash.ts';
import { quoteAt } from './prices.ts';

/** Generated markets trade once in this time; in between the last trade price stands. */
const TRADE_EVERY_MS = 600_000;

/** The last trade of outcome 0 in ticks: at the bid or the ask of some minutes ago, in a wide market in between. */
export function lastTradeTicks(facts: MarketFacts, atMs: number): number | undefined {
  if (!facts.traded) return undefined;
  const step = Math.floor(atMs / TRADE_EVERY_MS);
  const { bid, ask } = quoteAt(facts.price, step * TRADE_EVERY_MS);
  if (bid === null || ask === null) return bid ?? ask ?? undefined;
  const chance = unit(mix(facts.price.key, step));
  if (ask - bid > facts.price.units / 10) return bid + Math.round((ask - bid) * chance);
  return chance < 0.5 ? bid : ask;
}
