import type { Changes, Market, MarketChange } from './api.ts';

/** The order of the fields of a market in a response, so that a rebuilt list equals the service's list byte by byte. */
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
/** `null` is a value of this field. For any other field, `null` means that the field was removed. */
const NULLABLE: keyof Market = 'oneDayPriceChange';

/**
 * The list after `changes`, in list order. `markets` must be the list of the snapshot `changes.from`; it is not modified.
 */
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

function merge(market: Market, change: MarketChange): Market {
  const both: Record<string, unknown> = { ...market, ...change };
  const present = FIELDS.filter((field) => both[field] !== undefined && (both[field] !== null || field === NULLABLE));
  return Object.fromEntries(present.map((field) => [field, both[field]])) as unknown as Market;
}

/** The order of the list: volume descending, ties by id. */
function byVolume(a: Market, b: Market): number {
  return b.volume - a.volume || (a.id < b.id ? -1 : 1);
}
