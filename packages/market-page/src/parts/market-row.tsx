import type { Point } from '../charts/layout.ts';
import { clockTime, dateTime, direction, signedPoints, usd } from '../format.ts';
import type { Row } from '../state/list.ts';
import { addressOf, type View } from '../state/view.ts';
import { Bar } from './bar.tsx';
import { follow } from './link.tsx';
import { memo } from './memo.ts';
import { Spark } from './spark.tsx';

/** Screen readers read it before the label of a change. */
export const about = 'Change over ';
/**
 * `name`: the CSS class for width and narrow lists (`list.css`). `field`: of changes and amounts.
 */
export const COLUMNS = [
  { name: 'probability', label: 'Probability', sort: 'probability' },
  { name: 'change hour', label: '1 hour', sort: 'change1h', about, field: 'oneHourPriceChange' },
  { name: 'change oneday', label: '1 day', sort: 'change1d', about, field: 'oneDayPriceChange' },
  { name: 'change late', label: '7 days', sort: 'change7d', about, field: 'sevenDayPriceChange' },
  {
    name: 'change last',
    label: '30 days',
    sort: 'change30d',
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
export function columnsOf(rows: readonly Row[]): readonly Column[] {
  return COLUMNS.filter(
    (column) =>
      !('field' in column) ||
      rows.some((row) => row[column.field] !== undefined && row[column.field] !== null),
  );
}

/** Sources of prices that are not of this minute. */
const OLDER: readonly Row['priceSource'][] = ['carried', 'catalogue'];

interface RowProps {
  readonly row: Row;
  /** The same when a market opens. */
  readonly view: View;
  readonly columns: readonly Column[];
  readonly points: readonly Point[] | undefined;
  readonly end: string;
  readonly open: boolean;
}

/** Renders again only when it changes: a list can have 2,000. */
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
      <td class="date" data-label="Ends" title={dateTime(row.endDate)}>
        {end}
      </td>
    </tr>
  );
});

function Amount({
  column,
  row,
}: {
  readonly column: Extract<Column, { field: string }>;
  readonly row: Row;
}) {
  const { name, label } = column;
  const value = row[column.field];
  const isChange = 'about' in column;
  return (
    <td
      class={isChange ? `${name} ${direction(value)}` : name}
      data-label={label}
      title={isChange ? 'Percentage points' : undefined}
    >
      {isChange ? signedPoints(value) : usd(value ?? undefined)}
    </td>
  );
}
