import type { Changes } from 'market-data-proxy-client';

/**
 * Applies changes to one row of the table. The feed describes the default list, in which only 20 markets have 7- and
 * 30-day changes: there `null` can mean that a market left those 20, so a row keeps its value.
 */
export function patchOf(changes: Pick<Changes, 'changed'>): <R extends { readonly id: string }>(row: R) => R {
  const changed = new Map(changes.changed.map((change) => [change.id, change]));
  return (row) => {
    const change = changed.get(row.id);
    if (!change) return row;
    const values = Object.entries(change).filter(([name, value]) => value !== null || name === 'oneDayPriceChange');
    return { ...row, ...Object.fromEntries(values) };
  };
}
