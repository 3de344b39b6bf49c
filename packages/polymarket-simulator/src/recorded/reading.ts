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

/** The tokens in `clobTokenIds`, a string that holds JSON. */
export function tokensIn(market: WireMarket): readonly string[] {
  try {
    const value: unknown = JSON.parse(stringIn(market, 'clobTokenIds') ?? '[]');
    return Array.isArray(value) ? value.filter((token) => typeof token === 'string') : [];
  } catch {
    return [];
  }
}
