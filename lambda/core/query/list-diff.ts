import type { FromSchemaNamed } from '../contract/schemas.ts';
import { byVolume, type Market } from '../domain/market.ts';
import type { MarketSnapshot } from './market-snapshot.ts';

export type Changes = FromSchemaNamed<'Changes'>;
type ListDiff = Pick<Changes, 'added' | 'changed' | 'removed' | 'order'>;

/** In default fields. Compares only markets whose lines differ. */
export function listDiff(from: MarketSnapshot, to: MarketSnapshot): ListDiff {
  const positions = new Map(from.markets.map(({ id }, position) => [id, position]));
  const added: Changes['added'] = [];
  const changed: Changes['changed'] = [];
  for (const [position, { id }] of to.markets.entries()) {
    const line = to.line(position);
    const before = positions.get(id);
    positions.delete(id);
    if (before === undefined) added.push(JSON.parse(line));
    else if (from.line(before) !== line) changed.push({ id, ...differences(from.line(before), line) });
  }
  const order = isByVolume(to.markets) ? {} : { order: to.markets.map(({ id }) => id) };
  return { added, changed, removed: [...positions.keys()], ...order };
}

/** New or different fields; null for removed ones. */
function differences(before: string, after: string): Readonly<Record<string, unknown>> {
  const old: Readonly<Record<string, unknown>> = JSON.parse(before);
  const now: Readonly<Record<string, unknown>> = JSON.parse(after);
  const names = new Set([...Object.keys(now), ...Object.keys(old)]);
  return Object.fromEntries(
    [...names].filter((name) => old[name] !== now[name]).map((name) => [name, now[name] ?? null]),
  );
}

/** If the list is by volume, the caller can restore the order by itself. */
function isByVolume(markets: readonly Market[]): boolean {
  return markets.every((market, position) => {
    const before = markets[position - 1];
    return before === undefined || byVolume(before, market) < 0;
  });
}
