import { useMemo } from 'preact/hooks';
import { ends } from '../format.ts';
import { useNow } from '../state/browser.ts';
import type { List } from '../state/list.ts';
import { useLiveRows, useRowsInView } from '../state/use-live.ts';
import { go } from '../state/use-navigation.ts';
import { readSparks, useSparks } from '../state/use-sparks.ts';
import { FILTER_NAMES, NO_FILTERS, orderOf, sortOf, type View, WHOLE_LIST } from '../state/view.ts';
import { Link } from './link.tsx';
import { about, COLUMNS, type Column, columnsOf, MarketRow } from './market-row.tsx';
import { memo } from './memo.ts';
import { More } from './more.tsx';

/** By `aria-sort`; `other`: by absolute change. */
const ARROWS = { ascending: '↑', descending: '↓', other: '⇅', none: '' };

const firstOrder = (sort: string | undefined) => (sort === 'endDate' ? 'asc' : 'desc');

interface TableProps extends List {
  readonly view: View;
  /** The open market: id or slug. */
  readonly open: string | undefined;
}

export const MarketTable = memo((props: TableProps) => {
  const { view, content, state, more, open } = props;
  const now = useNow(60_000);
  const rows = content?.markets ?? [];
  const shown = content ? columnsOf(rows) : COLUMNS;
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
      {/* Narrow lists show one change: that of the order. */}
      <table
        class={`markets ${sortOf(view)?.endsWith('1h') ? 'by-hour' : ''}`}
        aria-busy={state === 'loading'}
      >
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
              end={ends(row.endDate, now)}
              open={open !== undefined && (open === row.id || open === row.slug)}
            />
          ))}
        </tbody>
      </table>
      <More more={more} length={rows.length} />
    </>
  );
});

function Headers({ view, columns }: { readonly view: View; readonly columns: readonly Column[] }) {
  const by = sortOf(view);
  const order = view.order ?? firstOrder(by);
  const sortingOf = ({ sort }: Column) => {
    if (by === sort) return order === 'asc' ? 'ascending' : 'descending';
    return by === sort.replace('change', 'move') ? 'other' : undefined;
  };
  const sortBy = ({ sort }: Column) => {
    const reversed = order === 'asc' ? 'desc' : 'asc';
    go({ sort, order: by === sort ? reversed : firstOrder(sort) });
  };
  return (
    <tr>
      <th scope="col" class="question">
        {view.event ? 'Outcome' : 'Market'}
      </th>
      <th scope="col" class="line late">
        Last 7 days
      </th>
      {columns.map((column) => (
        <th key={column.sort} scope="col" class={column.name} aria-sort={sortingOf(column)}>
          <button type="button" onClick={() => sortBy(column)}>
            <span aria-hidden="true">{ARROWS[sortingOf(column) ?? 'none']}</span>
            {'about' in column && <span class="unseen">{column.about}</span>}
            {column.label}
          </button>
        </th>
      ))}
    </tr>
  );
}

/** For narrow lists, which have no column headers. */
export function SortChoice({ view }: { readonly view: View }) {
  const by = sortOf(view);
  const choose = (sort: string) =>
    go(sort ? { sort, order: firstOrder(sort) } : { sort: undefined, order: undefined });
  const isColumn = view.sort && COLUMNS.some(({ sort }) => sort === by);
  return (
    <select
      class="chip sort-choice"
      aria-label="Sorted by"
      value={isColumn ? by : ''}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">Sort: {orderOf(view)}</option>
      {COLUMNS.map((column) => (
        <option key={column.sort} value={column.sort}>
          Sort: {'about' in column && about}
          {column.label}
        </option>
      ))}
    </select>
  );
}

function Nothing({ view }: { readonly view: View }) {
  const { query, category, event } = view;
  const words = event?.replaceAll('-', ' ') ?? '';
  const filtered = FILTER_NAMES.some((name) => view[name]);
  const where = `${category ? ` in the category “${category}”` : ''}${filtered ? ' with these filters' : ''}`;
  return (
    <p class="empty">
      {event
        ? `There is no open event “${words}”`
        : query
          ? `No market matches “${query}”`
          : 'There is no market'}
      {where}. {event && 'It may have ended, or the link is incomplete.'}
      {query && !category && !filtered && 'Try fewer or other words.'}
      <span class="ways">
        {event && (
          <Link class="small" to={{ ...WHOLE_LIST, query: words }}>
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

/** As high as rows, so that nothing moves when they arrive. */
function Placeholders() {
  return Array.from({ length: 14 }, (_, n) => (
    <tr key={n} class="placeholder">
      <td colSpan={COLUMNS.length + 2}>
        <span style={{ width: `${92 - ((n * 23) % 40)}%` }} />
      </td>
    </tr>
  ));
}
