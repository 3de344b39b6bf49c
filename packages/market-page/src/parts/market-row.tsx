import type { Point } from '../charts/layout.ts';
import { changeText, clockTime, DOUBT, direction, usd, wholeMoment } from '../format.ts';
import type { Row } from '../state/list.ts';
import { addressOf, orderOf, TABS, type View } from '../state/view.ts';
import { Bar } from './bar.tsx';
import { follow } from './link.tsx';
import { memo } from './memo.ts';
import { Spark } from './spark.tsx';

/** The words that screen readers say before the label of a change. */
export const about = 'Change over ';
/**
 * The columns of the table after the question and the spark.
 *
 * - `name`: the CSS classes, which decide the width and the place in narrow lists (`list.css`)
 * - `sort`: the API's sort key of the first click; a change is sorted by its size first
 * - `signed`: the sort key of the next clicks: the largest rise first, then the largest fall
 * - `field`: the field of the row, for changes and amounts
 */
export const COLUMNS = [
  { name: 'probability', label: 'Probability', sort: 'probability' },
  {
    name: 'change hour',
    label: '1 hour',
    sort: 'move1h',
    signed: 'change1h',
    about,
    field: 'oneHourPriceChange',
  },
  {
    name: 'change oneday',
    label: '1 day',
    sort: 'move1d',
    signed: 'change1d',
    about,
    field: 'oneDayPriceChange',
  },
  {
    name: 'change late',
    label: '7 days',
    sort: 'move7d',
    signed: 'change7d',
    about,
    field: 'sevenDayPriceChange',
  },
  {
    name: 'change last',
    label: '30 days',
    sort: 'move30d',
    signed: 'change30d',
    about,
    field: 'thirtyDayPriceChange',
  },
  { name: 'number day', label: '24 h volume', sort: 'volume24h', field: 'volume24h' },
  { name: 'number late', label: 'Volume', sort: 'volume', field: 'volume' },
  { name: 'number last', label: 'Liquidity', sort: 'liquidity', field: 'liquidity' },
  { name: 'date', label: 'Ends', sort: 'endDate' },
] as const;
export type Column = (typeof COLUMNS)[number];

/** The columns with a value in at least one row. */
export function columnsOf(rows: readonly Row[], view: View): readonly Column[] {
  // If all outcomes of an event end at once, its head says so. Upstream adds fractions of a second
  // to some ends, so only the minutes are compared.
  const minutes = new Set(rows.map(({ endDate }) => endDate.slice(0, 'yyyy-mm-ddThh:mm'.length)));
  const isOneEnd = view.event !== undefined && minutes.size === 1;
  return COLUMNS.filter((column) => {
    if (column.name === 'date') return !isOneEnd;
    return (
      !('field' in column) ||
      rows.some((row) => row[column.field] !== undefined && row[column.field] !== null)
    );
  });
}

/** The order of the list, in words. */
export function orderWords(view: View): string {
  if (!view.sort) return orderOf(view);
  const isReversed = view.order === 'asc';
  const column = COLUMNS.find((one) => isOrderOf(one, view.sort));
  if (!column) return '';
  if ('signed' in column) {
    const kind = view.sort === column.sort ? 'change' : isReversed ? 'fall' : 'rise';
    return `largest ${kind} over ${column.label} first`;
  }
  if (column.sort === 'endDate') {
    return view.order === 'desc' ? 'last to end first' : TABS.closing.orderLabel;
  }
  return `${isReversed ? 'lowest' : 'highest'} ${column.label.toLowerCase()} first`;
}

/** Whether a sort key of the API is the order of this column. */
export function isOrderOf(column: Column, sort: string | undefined): boolean {
  return sort === column.sort || ('signed' in column && sort === column.signed);
}

/** Sources of prices that are not of this minute. */
const OLDER: readonly Row['priceSource'][] = ['carried', 'catalogue'];

/** What a row shows. */
interface RowProps {
  readonly row: Row;
  /** The same object when a market opens, so that no row is rendered again. */
  readonly view: View;
  readonly columns: readonly Column[];
  readonly points: readonly Point[] | undefined;
  /** When the market ends, in words. */
  readonly end: string;
  readonly open: boolean;
}

/** A row of the table. It renders again only when it changes: a list can have 2,000. */
export const MarketRow = memo(({ row, view, columns, points, end, open }: RowProps) => {
  const market = row.slug ?? row.id;
  return (
    <tr class={`${open ? 'open' : ''} ${row.gone ? 'gone' : ''}`} data-id={row.id}>
      <th scope="row" class="question">
        <a
          class="link"
          href={addressOf({ ...view, market })}
          aria-current={open ? 'true' : undefined}
          onClick={(event) => follow(event, { market })}
        >
          {(view.event && row.groupItemTitle) || row.question}
        </a>
        {/* The outcome that the probability refers to, if it is not "Yes". */}
        {row.outcome && (
          <small class="outcome" title={`Probability of “${row.outcome}”`}>
            <span class="unseen">, probability of </span>
            {row.outcome}
          </small>
        )}
        {row.gone && <small class="outcome">no longer listed</small>}
        {row.pricedAt && OLDER.includes(row.priceSource) && (
          <small class="outcome" title="Its order book could not be read since">
            price of {clockTime(row.pricedAt)}
          </small>
        )}
      </th>
      <td class="line late">
        <Spark points={points} price={row.currentProbability} change={row.sevenDayPriceChange} />
      </td>
      <td class="probability">
        <Bar value={row.currentProbability} />
      </td>
      {columns.map(
        (column) => 'field' in column && <Amount key={column.sort} column={column} row={row} />,
      )}
      {columns.some(({ name }) => name === 'date') && (
        <td class="date" data-label="Ends" title={wholeMoment(row.endDate, row.createdAt)}>
          {end}
        </td>
      )}
    </tr>
  );
});

/** The cell of a change or an amount. */
function Amount({
  column,
  row,
}: {
  readonly column: Extract<Column, { field: string }>;
  readonly row: Row;
}) {
  const { name, label } = column;
  const value = row[column.field];
  if (!('signed' in column)) {
    return (
      <td class={name} data-label={label}>
        {usd(value ?? undefined)}
      </td>
    );
  }
  const isDoubtful = row.doubtfulChanges?.includes(column.field);
  return (
    <td
      class={`${name} ${direction(value)}`}
      data-label={label}
      title={isDoubtful ? DOUBT : 'Percentage points'}
    >
      {changeText(row, column.field)}
    </td>
  );
}
