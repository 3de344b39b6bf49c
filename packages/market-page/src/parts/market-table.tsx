/** The list of markets as a table, or what the page shows in place of an empty list. */
import { useMemo } from 'preact/hooks';
import { ends, slugWords } from '../format.ts';
import { useNow } from '../state/browser.ts';
import type { List } from '../state/list.ts';
import { useLiveRows, useRowsInView } from '../state/use-live.ts';
import { readSparks, useSparks } from '../state/use-sparks.ts';
import { FILTER_NAMES, NO_FILTERS, sortOf, type View, WHOLE_LIST } from '../state/view.ts';
import { COLUMNS, columnsOf, sortedColumn } from './columns.ts';
import { Link } from './link.tsx';
import { MarketRow } from './market-row.tsx';
import { memo } from './memo.ts';
import { More } from './more.tsx';
import { TableHead } from './table-head.tsx';

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
  if (content?.markets.length === 0) return <EmptyList view={view} />;
  if (!content && state === 'failed') return null;
  return (
    <>
      <table class={`markets by-${shownChange(view)}`} aria-busy={state === 'loading'}>
        <thead>
          <TableHead view={view} columns={columns} />
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

/** The change that a narrow list shows, as in `list.css`: that of the order, else that of a day. */
function shownChange(view: View): string {
  const column = sortedColumn(sortOf(view));
  return column?.change ? column.name.replace('change ', '') : 'day';
}

/** What the page shows for an empty list: what was not found, and the ways to a longer list. */
function EmptyList({ view }: { readonly view: View }) {
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

/** The beginning of a sentence that says what an empty list lacks. */
function missingWords({ query, event }: View): string {
  if (event) return `There is no open event “${slugWords(event)}”`;
  return query ? `No market matches “${query}”` : 'There is no market';
}

/** The number of placeholders, which fill a screen. */
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
