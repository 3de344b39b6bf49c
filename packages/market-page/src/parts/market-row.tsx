import type { Point } from '../charts/layout.ts';
import { changeText, clockTime, DOUBT, direction, fullMoment, usd } from '../format.ts';
import type { Row } from '../state/list.ts';
import { addressOf, type View } from '../state/view.ts';
import { Bar } from './bar.tsx';
import type { Column } from './columns.ts';
import { follow } from './link.tsx';
import { memo } from './memo.ts';
import { Spark } from './spark.tsx';

/** Sources of prices that are not of this minute. */
const OLDER: readonly Row['priceSource'][] = ['carried', 'catalogue'];

/** What a row shows. */
interface RowProps {
  readonly row: Row;
  /** Stays the same object when a market opens, because a new one would render every row. */
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
        </a>{' '}
        {/* The outcome that the probability refers to, if it is not "Yes". */}
        {row.outcome && (
          <small class="outcome" title={`Probability of “${row.outcome}”`}>
            <span class="unseen">, probability of </span>
            {row.outcome}
          </small>
        )}{' '}
        {row.gone && <small class="outcome">no longer listed</small>}{' '}
        {row.pricedAt && OLDER.includes(row.priceSource) && (
          <small class="outcome" title="Its order book could not be read since">
            price of {clockTime(row.pricedAt)}
          </small>
        )}
      </th>
      <td class="line">
        <Spark points={points} price={row.currentProbability} change={row.sevenDayPriceChange} />
      </td>
      <td class="probability">
        <Bar value={row.currentProbability} />
      </td>
      {columns.map(
        (column) => 'field' in column && <Amount key={column.sort} column={column} row={row} />,
      )}
      {columns.some(({ name }) => name === 'date') && (
        <td class="date" data-label="Ends" title={fullMoment(row.endDate, row.createdAt)}>
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
      class={`${name} ${direction(value)} ${typeof value === 'number' ? '' : 'unknown'}`}
      data-label={label}
      title={isDoubtful ? DOUBT : 'Percentage points'}
    >
      {changeText(row, column.field)}
    </td>
  );
}
