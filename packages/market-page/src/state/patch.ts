import type { Changes } from 'market-data-proxy-client';
import { NULLABLE_FIELDS } from '../../../../lambda/core/contract/market-fields.ts';
import type { Page } from './list.ts';

/** Updates values, and counts markets that joined and left since the list was read. */
export function changedPage(page: Page, changes: Changes): Page {
  const { category, query, event } = page.of;
  const gone = new Set(changes.removed);
  // Only the service knows whether a new market matches a filter.
  const added = category || query || event ? 0 : changes.added.length;
  const removed = page.markets.filter(({ id }) => gone.has(id)).length;
  // A further page returns to the list's snapshot: these changes contain the earlier ones.
  const before = page.snapshot === page.listSnapshot ? { added: 0, removed: 0 } : page.changed;
  return {
    ...page,
    markets: page.markets.map(patchOf(changes)),
    changed: { added: before.added + added, removed: before.removed + removed },
    snapshot: changes.to,
  };
}

/**
 * For one row. In the default list only 20 markets have 7- and 30-day changes: `null` can mean that a market left those
 * 20, so a row keeps its value.
 */
export function patchOf(changes: Pick<Changes, 'changed'>): <R extends { readonly id: string }>(row: R) => R {
  const nullable: readonly string[] = NULLABLE_FIELDS;
  const changed = new Map(changes.changed.map((change) => [change.id, change]));
  return (row) => {
    const change = changed.get(row.id);
    if (!change) return row;
    const values = Object.entries(change).filter(([name, value]) => value !== null || nullable.includes(name));
    return { ...row, ...Object.fromEntries(values) };
  };
}
