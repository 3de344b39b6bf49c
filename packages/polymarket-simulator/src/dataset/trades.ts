import { type MarketFacts, round } from './facts.ts';
import { Draw, mix, unit } from './hash.ts';
import { quoteAt } from './prices.ts';

/** Generated markets trade once in this time; in between the last trade price stands. */
const TRADE_EVERY_MS = 600_000;

/** USD traded in 24 hours: a fixed, hashed part of the volume. */
export function volume24hr(facts: MarketFacts): number {
  const share = new Draw(facts.price.key, 'volume24hr');
  return share.chance(0.25) ? 0 : round(facts.volume * share.next() * 0.02, 6);
}

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
