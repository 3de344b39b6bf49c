/** The list of markets as a table: its sortable head, its rows, and what it shows without rows. */
import { useMemo } from 'preact/hooks';
import { ends, slugWords } from '../format.ts';
import { useNow } from '../state/browser.ts';
import type { List } from '../state/list.ts';
import { useLiveRows, useRowsInView } from '../state/use-live.ts';
import { go } from '../state/use-navigation.ts';
import { readSparks, useSparks } from '../state/use-sparks.ts';
import {
  defaultOrderWords,
  FILTER_NAMES,
  NO_FILTERS,
  sortOf,
  type View,
  WHOLE_LIST,
} from '../state/view.ts';
import { about, COLUMNS, type Column, columnsOf, firstOrder, isOrderOf } from './columns.ts';
import { Link } from './link.tsx';
import { MarketRow } from './market-row.tsx';
import { memo } from './memo.ts';
import { More } from './more.tsx';

/** The sign of a column by its `aria-sort`. `other`: sorted by the size of a change. */
const ARROWS = { ascending: '↑', descending: '↓', other: '⇅', none: '' };

/** What the table shows. */
interface TableProps extends List {
  readonly view: View;
  /** The open market: id or slug. */
  readonly open: string | undefined;
}

/** The table of the list's markets. */
export const MarketTable = memo((props: TableProps) => {
  const { view, content, state, more, open } = props;
  const now = useNow(60_000);
  const rows = content?.markets ?? [];
  const shown = content ? columnsOf(rows, content.view) : COLUMNS;
  // The same columns are the same value, so that no row is rendered again.
  const columns = useMemo(() => shown, [shown.map(({ sort }) => sort).join()]);
  const sparkOf = useSparks();
  const refresh = useLiveRows(props);
  useRowsInView(`${content?.url} ${rows.length}`, (ids) => {
    refresh(ids);
    readSparks(rows.filter(({ id }) => ids.includes(id)).map(({ clobTokenId }) => clobTokenId));
  });
  if (content?.markets.length === 0) return <Nothing view={view} />;
  if (!content && state === 'failed') return null;
  return (
    <>
      <table class={`markets by-${shownChange(view)}`} aria-busy={state === 'loading'}>
        <thead>
          <Headers view={view} columns={columns} />
        </thead>
        <tbody>
          {!content && <Placeholders />}
          {rows.map((row) => (
            <MarketRow
              key={row.id}
              row={row}
              view={view}
              columns={columns}
              points={sparkOf(row.clobTokenId)}
              end={ends(row.endDate, now, row.createdAt)}
              open={open !== undefined && (open === row.id || open === row.slug)}
            />
          ))}
        </tbody>
      </table>
      <More more={more} length={rows.length} />
    </>
  );
});

/** Narrow lists show one change: that of the order, else that of a day. */
function shownChange(view: View): string {
  const column = COLUMNS.find((one) => isOrderOf(one, sortOf(view)));
  return column && 'signed' in column ? column.name.replace('change ', '') : 'day';
}

/** The heads of the columns, which sort the list. */
function Headers({ view, columns }: { readonly view: View; readonly columns: readonly Column[] }) {
  const by = sortOf(view);
  const order = view.order ?? firstOrder(by);
  const sortingOf = (column: Column) => {
    if (!isOrderOf(column, by)) return undefined;
    if ('signed' in column && by === column.sort) return 'other';
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
          <button type="button" onClick={() => go(nextOrder(column, by, order))}>
            <span aria-hidden="true">{ARROWS[sortingOf(column) ?? 'none']}</span>
            {'about' in column && <span class="unseen">{column.about}</span>}
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
 * @param by the sort key of the list now
 */
function nextOrder(
  column: Column,
  by: string | undefined,
  order: View['order'],
): Pick<View, 'sort' | 'order'> {
  if ('signed' in column) {
    if (by === column.sort) return { sort: column.signed, order: 'desc' };
    if (by === column.signed && order === 'desc') return { sort: column.signed, order: 'asc' };
    return { sort: column.sort, order: undefined };
  }
  if (by !== column.sort) return { sort: column.sort, order: firstOrder(column.sort) };
  return { sort: column.sort, order: order === 'asc' ? 'desc' : 'asc' };
}

/** The choice of the order in narrow lists, which have no column headers. */
export function SortChoice({ view }: { readonly view: View }) {
  const by = sortOf(view);
  const choose = (sort: string) =>
    go(sort ? { sort, order: firstOrder(sort) } : { sort: undefined, order: undefined });
  const chosen = view.sort && COLUMNS.find((one) => isOrderOf(one, by));
  return (
    <select
      class="chip sort-choice"
      aria-label="Sorted by"
      value={chosen ? chosen.sort : ''}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">Sort: {defaultOrderWords(view)}</option>
      {COLUMNS.map((column) => (
        <option key={column.sort} value={column.sort}>
          Sort: {'about' in column && about}
          {column.label}
        </option>
      ))}
    </select>
  );
}

/** Says what the list was asked for, in place of an empty list. */
function missingWords({ query, event }: View): string {
  if (event) return `There is no open event “${slugWords(event)}”`;
  return query ? `No market matches “${query}”` : 'There is no market';
}

/** What an empty list shows: what was not found, why, and the ways to a longer list. */
function Nothing({ view }: { readonly view: View }) {
  const { query, category, event } = view;
  const filtered = FILTER_NAMES.some((name) => view[name]);
  return (
    <p class="empty">
      {missingWords(view)}
      {category && ` in the category “${category}”`}
      {filtered && ' with these filters'}.{' '}
      {event && 'It may have ended, or the link is incomplete.'}
      {query && !category && !filtered && 'Try fewer or other words.'}
      <span class="ways">
        {event && (
          <Link class="small" to={{ ...WHOLE_LIST, query: slugWords(event) }}>
            Search for it
          </Link>
        )}
        {category && (
          <Link class="small" to={{ category: undefined }}>
            Look in all categories
          </Link>
        )}
        {filtered && (
          <Link class="small" to={NO_FILTERS}>
            Remove the filters
          </Link>
        )}
        <Link class="small" to={{ ...WHOLE_LIST, tab: event ? 'events' : 'top' }}>
          {event ? 'All events' : 'All markets'}
        </Link>
      </span>
    </p>
  );
}

/** The placeholders fill a screen. */
const PLACEHOLDERS = 14;
/** Each placeholder has its own width, from 53 to 92 %, like questions of different lengths. */
const placeholderWidth = (n: number) => `${92 - ((n * 23) % 40)}%`;

/**
 * The rows that are shown while the first list loads: as high as markets, so that nothing moves
 * when they arrive.
 */
function Placeholders() {
  return Array.from({ length: PLACEHOLDERS }, (_, n) => (
    <tr key={n} class="placeholder">
      <td>
        <span style={{ width: placeholderWidth(n) }} />
      </td>
    </tr>
  ));
}
