import type { Changes, Market, MarketChange } from './api.ts';
import { DEFAULT_MARKET_FIELDS, NULLABLE_FIELDS } from './fields.ts';

/** The list after `changes`, in list order. `markets` is the unmodified list of the snapshot `changes.from`. */
export function applyChanges(markets: readonly Market[], changes: Changes): Market[] {
  const byId = new Map(markets.map((market) => [market.id, market]));
  for (const id of changes.removed) byId.delete(id);
  for (const market of changes.added) byId.set(market.id, market);
  for (const change of changes.changed) {
    const market = byId.get(change.id);
    if (market) byId.set(change.id, merge(market, change));
  }
  if (changes.order) return changes.order.flatMap((id) => byId.get(id) ?? []);
  return [...byId.values()].sort(byVolume);
}

/** In the field order of a response: a rebuilt list equals the service's list byte by byte. */
function merge(market: Market, change: MarketChange): Market {
  const both: Record<string, unknown> = { ...market, ...change };
  const isPresent = (field: keyof Market) =>
    both[field] !== undefined && (both[field] !== null || NULLABLE_FIELDS.includes(field));
  return Object.fromEntries(
    DEFAULT_MARKET_FIELDS.filter(isPresent).map((field) => [field, both[field]]),
  ) as unknown as Market;
}

/** Volume descending, ties by id. */
function byVolume(a: Market, b: Market): number {
  return b.volume - a.volume || (a.id < b.id ? -1 : 1);
}
