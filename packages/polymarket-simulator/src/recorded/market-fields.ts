import type { WireMarket } from '../source.ts';

/** Fields of recorded markets, any of which may be absent. */

export function numberIn(market: WireMarket, name: string): number | undefined {
  const value = market[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function stringIn(market: WireMarket, name: string): string | undefined {
  const value = market[name];
  return typeof value === 'string' ? value : undefined;
}

/** The strings of a field that holds JSON text or a real array. */
export function stringsIn(market: WireMarket, name: string): readonly string[] {
  const held = market[name];
  if (Array.isArray(held)) return held.filter((item) => typeof item === 'string');
  try {
    const value: unknown = JSON.parse(typeof held === 'string' && held !== '' ? held : '[]');
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

/** The ids that have books: by `version`, which recordings from before the field lack. */
export function assetIdsIn(market: WireMarket): readonly string[] {
  return stringsIn(market, market.version === 'v2' ? 'positionIds' : 'clobTokenIds');
}

/** The condition id with 64 hex digits, as the CLOB has it. */
export function paddedConditionIn(market: WireMarket): string | undefined {
  const id = stringIn(market, 'conditionId')?.toLowerCase();
  return id?.length === 64 ? `${id}00` : id;
}

/** The event that a market names, if it does. */
export function eventIn(market: WireMarket): WireMarket | undefined {
  const [event] = Array.isArray(market.events) ? (market.events as readonly WireMarket[]) : [];
  return event;
}
