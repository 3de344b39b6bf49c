import type { Point } from '../charts/price-chart.ts';
import { dateTime, direction, ends, signedPoints, usd } from '../format.ts';
import { useNow } from '../state/browser.ts';
import type { List, Row } from '../state/list.ts';
import { orderOf, type Shown, sortOf } from '../state/shown.ts';
import { useNavigation } from '../state/use-navigation.ts';
import { Bar, Marked } from './bar.tsx';
import { Link } from './link.tsx';
import { More } from './more.tsx';
import { Spark, useSparks } from './spark.tsx';

/** Words before the labels of changes, for screen readers. */
const about = 'Change over ';
/**
 * A click on a header sorts, a second click reverses. `name`: the CSS class for width and narrow lists (`list.css`).
 * Changes and amounts have the row's field.
 */
const COLUMNS = [
  { name: 'probability', label: 'Probability', sort: 'probability' },
  { name: 'change', label: '1 day', sort: 'change1d', about, field: 'oneDayPriceChange' },
  { name: 'change late', label: '7 days', sort: 'change7d', about, field: 'sevenDayPriceChange' },
  { name: 'change last', label: '30 days', sort: 'change30d', about, field: 'thirtyDayPriceChange' },
  { name: 'number day', label: 'Volume 24 h', sort: 'volume24h', field: 'volume24h' },
  { name: 'number late', label: 'Volume', sort: 'volume', field: 'volume' },
  { name: 'number last', label: 'Liquidity', sort: 'liquidity', field: 'liquidity' },
  { name: 'date', label: 'Ends', sort: 'endDate' },
] as const;
type Column = (typeof COLUMNS)[number];

/** By `aria-sort`; “Movers” sorts by absolute change. */
const ARROWS = { ascending: '↑ ', descending: '↓ ', other: '⇅ ', none: '' };

/** The next date, or the largest number. */
const firstOrder = (sort: string | undefined) => (sort === 'endDate' ? 'asc' : 'desc');

/** @param props.of what the rows belong to */
export function MarketTable(props: { readonly of: Shown; readonly list: List }) {
  const { of, list } = props;
  const { page, state, more } = list;
  const { go } = useNavigation();
  const now = useNow(60_000);
  const by = sortOf(of);
  const order = of.order ?? firstOrder(by);
  const sortingOf = ({ sort }: Column) => {
    if (by === sort) return order === 'asc' ? 'ascending' : 'descending';
    return by === sort.replace('change', 'move') ? 'other' : undefined;
  };
  const sparkOf = useSparks(page?.markets.map(({ clobTokenId }) => clobTokenId) ?? []);
  const sortBy = ({ sort }: Column) => {
    const reversed = order === 'asc' ? 'desc' : 'asc';
    go({ sort, order: by === sort ? reversed : firstOrder(sort) });
  };
  if (page?.markets.length === 0) return <Nothing of={of} />;
  if (!page && state === 'failed') return null;
  return (
    <>
      <SortChoice by={by} usual={orderOf(of)} />
      <table class="markets" aria-busy={state === 'loading'}>
        <thead>
          <tr>
            <th scope="col" class="question">
              {of.event ? 'Outcome' : 'Market'}
            </th>
            <th scope="col" class="line late">
              Last 7 days
            </th>
            {COLUMNS.map((column) => (
              <th key={column.sort} scope="col" class={column.name} aria-sort={sortingOf(column)}>
                <button type="button" onClick={() => sortBy(column)}>
                  <span aria-hidden="true">{ARROWS[sortingOf(column) ?? 'none']}</span>
                  {'about' in column && <span class="unseen">{column.about}</span>}
                  {column.label}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {!page && <Placeholders />}
          {page?.markets.map((row) => (
            <MarketRow
              key={row.id}
              row={row}
              name={(of.event && row.groupItemTitle) || row.question}
              points={sparkOf(row.clobTokenId)}
              now={now}
            />
          ))}
        </tbody>
      </table>
      <More more={more} length={page?.markets.length ?? 0} />
    </>
  );
}

/** For narrow lists without column headers. */
function SortChoice(props: { readonly by: string | undefined; readonly usual: string }) {
  const { by, usual } = props;
  const { shown, go } = useNavigation();
  const choose = (sort: string) => go(sort ? { sort, order: firstOrder(sort) } : { sort: undefined, order: undefined });
  const isColumn = shown.sort && COLUMNS.some(({ sort }) => sort === by);
  return (
    <label class="sort-choice muted">
      Sorted by{' '}
      <select value={isColumn ? by : ''} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{usual}</option>
        {COLUMNS.map((column) => (
          <option key={column.sort} value={column.sort}>
            {'about' in column && about}
            {column.label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** An empty list, and the way out of it. */
function Nothing({ of }: { readonly of: Shown }) {
  const { query, category, event } = of;
  const where = category ? ` in the category “${category}”` : '';
  return (
    <p class="empty">
      {event ? 'This event has no open market' : query ? `No market matches “${query}”` : 'There is no market'}
      {where}.{' '}
      {category && (
        <Link class="plain" to={{ category: undefined }}>
          Look in all categories
        </Link>
      )}
    </p>
  );
}

function MarketRow(props: {
  readonly row: Row;
  readonly name: string;
  readonly points: readonly Point[] | undefined;
  readonly now: number;
}) {
  const { row, name, points, now } = props;
  const { market } = useNavigation().shown;
  const open = market === row.id || market === row.slug;
  return (
    <tr class={open ? 'open' : ''}>
      <th scope="row" class="question">
        <Link class="link" to={{ market: row.slug ?? row.id }} current={open}>
          {name}
        </Link>
        {/* The outcome that the probability refers to, if it is not "Yes". */}
        {row.outcome && (
          <small class="outcome" title={`Probability of “${row.outcome}”`}>
            <span class="unseen">, probability of </span>
            {row.outcome}
          </small>
        )}
      </th>
      <td class="line late">
        <Spark points={points} />
      </td>
      <td class="probability">
        <Bar value={row.currentProbability} />
      </td>
      {COLUMNS.map((column) => 'field' in column && <Amount key={column.sort} column={column} row={row} />)}
      <td class="date" data-label="Ends" title={dateTime(row.endDate)}>
        {ends(row.endDate, now)}
      </td>
    </tr>
  );
}

/** Percentage points or USD. */
function Amount({ column, row }: { readonly column: Extract<Column, { field: string }>; readonly row: Row }) {
  const { name, label } = column;
  const value = row[column.field];
  const isChange = 'about' in column;
  return (
    <td
      class={isChange ? `${name} ${direction(value)}` : name}
      data-label={label}
      title={isChange ? 'Percentage points' : undefined}
    >
      <Marked>{isChange ? signedPoints(value) : usd(value ?? undefined)}</Marked>
    </td>
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
