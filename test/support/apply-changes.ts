import { DEFAULT_MARKET_FIELDS } from '../../lambda/contract/market-schemas.ts';
import { byVolume, type Market } from '../../lambda/domain/market.ts';
import type { Changes } from '../../lambda/query/changes.ts';

/** The list after changes, by the words of the API document and nothing else. */
export function applyChanges(markets: readonly Market[], changes: Changes): Market[] {
  const byId = new Map<string, Market>(markets.map((market) => [market.id, market]));
  for (const id of changes.removed) byId.delete(id);
  for (const market of changes.added) byId.set(market.id, market as Market);
  for (const change of changes.changed) {
    const both: Record<string, unknown> = { ...byId.get(change.id), ...change };
    const there = DEFAULT_MARKET_FIELDS.filter(
      (name) => both[name] !== undefined && (both[name] !== null || name === 'oneDayPriceChange'),
    );
    byId.set(change.id, Object.fromEntries(there.map((name) => [name, both[name]])) as unknown as Market);
  }
  if (changes.order) return changes.order.flatMap((id) => byId.get(id) ?? []);
  return [...byId.values()].sort(byVolume);
}
