import type { FromSchemaNamed } from '../contract/schemas.ts';
import type { Market, MarketRecord } from '../domain/market.ts';
import { byVolume } from '../domain/market.ts';
import { defaultFields } from '../domain/market-list.ts';

/** What is kept of a snapshot's list to tell what changed: its encoded lines and where each market stands. */
export interface ListVersion {
  readonly lines: readonly string[];
  /** In list order. */
  readonly ids: readonly string[];
  readonly positions: ReadonlyMap<string, number>;
  /** Whether the list is by volume and id, as it always should be: then its order need not be told. */
  readonly byVolume: boolean;
}

export type Changes = FromSchemaNamed<'Changes'>;
type ListChanges = Pick<Changes, 'added' | 'changed' | 'removed' | 'order'>;

/** @param markets in list order */
export function listVersion(markets: Iterable<MarketRecord>): ListVersion {
  const records = [...markets];
  const ids = records.map(({ id }) => id);
  const lines = records.map((market, position) => JSON.stringify(defaultFields(market, position)));
  return {
    lines,
    ids,
    positions: new Map(ids.map((id, position) => [id, position])),
    byVolume: records.every((market, position) => {
      const before = records[position - 1];
      return before === undefined || byVolume(before, market) < 0;
    }),
  };
}

/** What makes the list `to` of the list `from`. Markets whose encoded line is the same are not looked into. */
export function changesBetween(from: ListVersion, to: ListVersion): ListChanges {
  const added: Market[] = [];
  const changed: Changes['changed'] = [];
  for (const [position, id] of to.ids.entries()) {
    const before = from.positions.get(id);
    if (before === undefined) added.push(JSON.parse(to.lines[position] ?? ''));
    else if (from.lines[before] !== to.lines[position]) {
      changed.push({ id, ...differences(from.lines[before] ?? '', to.lines[position] ?? '') });
    }
  }
  const removed = from.ids.filter((id) => !to.positions.has(id));
  return { added, changed, removed, ...(to.byVolume ? {} : { order: [...to.ids] }) };
}

/** The fields that are new or different; null for those that are gone. */
function differences(before: string, after: string): Readonly<Record<string, unknown>> {
  const [old, now]: Readonly<Record<string, unknown>>[] = [JSON.parse(before), JSON.parse(after)];
  const names = new Set([...Object.keys(now ?? {}), ...Object.keys(old ?? {})]);
  return Object.fromEntries(
    [...names].filter((name) => old?.[name] !== now?.[name]).map((name) => [name, now?.[name] ?? null]),
  );
}
