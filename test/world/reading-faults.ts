// A reading is the part of a run in which the service reads all prices. These functions say what a
// fault of the simulated Polymarket can have cost a reading.

import type { Fault } from './faults.ts';
import { READING_MS } from './price-checks.ts';
import type { TrueMarket } from './true-market.ts';
import { MAX_SKEW_MS, type World } from './world.ts';

/**
 * Whether a route had a fault of this kind during a reading.
 *
 * @param from when the reading began, in Unix ms
 */
export function hadFault(
  world: World,
  { route, kind }: Pick<Fault, 'route' | 'kind'>,
  from: number,
): boolean {
  const faults = world.faultsIn(from - MAX_SKEW_MS, from + READING_MS + MAX_SKEW_MS);
  return faults.some((fault) => fault.route === route && fault.kind === kind);
}

/**
 * Whether a reading may lack the last trade of a market. The markets of Protocol V2 are so few that
 * the service does not doubt an empty response about them.
 */
export function mayLackTrade(world: World, { version }: TrueMarket, from: number): boolean {
  const route = 'last-trades-prices';
  if (hadFault(world, { route, kind: 'partial' }, from)) return true;
  return version === 'v2' && hadFault(world, { route, kind: 'empty' }, from);
}
