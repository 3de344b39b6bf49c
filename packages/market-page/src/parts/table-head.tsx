import { go } from '../state/use-navigation.ts';
import { sortOf, type View } from '../state/view.ts';
import { type Column, firstOrder, isOrderOf } from './columns.ts';

/** The sign of a column by its `aria-sort`. `other`: sorted by the size of a change. */
const ARROWS = { ascending: '↑', descending: '↓', other: '⇅', none: '' };

/** The head of the table of markets. A click on a column sorts the list. */
export function TableHead({
  view,
  columns,
}: {
  readonly view: View;
  readonly columns: readonly Column[];
}) {
  const sort = sortOf(view);
  const order = view.order ?? firstOrder(sort);
  const sortingOf = (column: Column) => {
    if (!isOrderOf(column, sort)) return undefined;
    if (column.change && sort === column.sort) return 'other';
    return order === 'asc' ? 'ascending' : 'descending';
  };
  return (
    <tr>
      <th scope="col" class="question">
        {view.event ? 'Outcome' : 'Market'}
      </th>
      <th scope="col" class="line">
        Last 7 days
      </th>
      {columns.map((column) => (
        <th key={column.sort} scope="col" class={column.name} aria-sort={sortingOf(column)}>
          <button type="button" onClick={() => go(nextOrder(column, sort, order))}>
            <span aria-hidden="true">{ARROWS[sortingOf(column) ?? 'none']}</span>
            {column.change && <span class="unseen">Change over </span>}
            {column.label}
          </button>
        </th>
      ))}
    </tr>
  );
}

/**
 * The order after a click on a column. Clicks on a change sort by its size, then rises first, then
 * falls first. Clicks on any other column sort by it, then reverse its direction.
 *
 * @param sort the sort key of the list now
 */
function nextOrder(
  column: Column,
  sort: string | undefined,
  order: View['order'],
): Pick<View, 'sort' | 'order'> {
  if (column.change) {
    const { signedSort } = column.change;
    if (sort === column.sort) return { sort: signedSort, order: 'desc' };
    if (sort === signedSort && order === 'desc') return { sort: signedSort, order: 'asc' };
    return { sort: column.sort, order: undefined };
  }
  if (sort !== column.sort) return { sort: column.sort, order: firstOrder(column.sort) };
  return { sort: column.sort, order: order === 'asc' ? 'desc' : 'asc' };
}
