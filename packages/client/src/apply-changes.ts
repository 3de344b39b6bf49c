import type { Changes, Market } from './generated/api.ts';

/** The order of a market's fields in the list, so that a rebuilt list equals the service's to the byte. */
const FIELDS: readonly (keyof Market)[] = [
  'id',
  'question',
  'slug',
  'currentProbability',
  'volume',
  'liquidity',
  'oneDayPriceChange',
  'sevenDayPriceChange',
  'thirtyDayPriceChange',
  'endDate',
  'clobTokenId',
  'outcome',
];
/** Null is one of its values; of any other field it says that the market has it no more. */
const NULLABLE: keyof Market = 'oneDayPriceChange';

/** The list after `changes`, which must be those since the snapshot that `markets` is of. `markets` stays as it is. */
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

function merge(market: Market, change: Changes['changed'][number]): Market {
  const both: Record<string, unknown> = { ...market, ...change };
  const kept = FIELDS.filter(
    (field) => both[field] !== undefined && (both[field] !== null || field === NULLABLE),
  );
  return Object.fromEntries(kept.map((field) => [field, both[field]])) as unknown as Market;
}

/** The order of the list: by volume, ties by id. */
function byVolume(a: Market, b: Market): number {
  return b.volume - a.volume || (a.id < b.id ? -1 : 1);
}
