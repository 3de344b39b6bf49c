import type { Point } from '../charts/layout.ts';
import { changeText, clockTime, DOUBT, direction, fullMoment, usd } from '../format.ts';
import type { Row } from '../state/list.ts';
import { addressOf, type View } from '../state/view.ts';
import { Bar } from './bar.tsx';
import type { Column } from './columns.ts';
import { follow } from './link.tsx';
import { memo } from './memo.ts';
import { Spark } from './spark.tsx';

/** The sources of prices that are not of this minute. */
const OLDER_SOURCES: readonly Row['priceSource'][] = ['carried', 'catalogue'];

/** What a row shows. */
interface RowProps {
  readonly row: Row;
  /** The view of the list. It stays the same object when a market opens: no row renders again. */
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
        {row.pricedAt && OLDER_SOURCES.includes(row.priceSource) && (
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
      {columns.map((column) => (
        <Cell key={column.sort} column={column} row={row} />
      ))}
      {columns.some(({ name }) => name === 'date') && (
        <td class="date" data-label="Ends" title={fullMoment(row.endDate, row.createdAt)}>
          {end}
        </td>
      )}
    </tr>
  );
});

/** The cell of an amount or a change; nothing for the other columns. */
function Cell({ column, row }: { readonly column: Column; readonly row: Row }) {
  const { name, label, amount, change } = column;
  if (amount) {
    return (
      <td class={name} data-label={label}>
        {usd(row[amount])}
      </td>
    );
  }
  if (!change) return null;
  const points = row[change.field];
  const isDoubtful = row.doubtfulChanges?.includes(change.field);
  return (
    <td
      class={`${name} ${direction(points)} ${typeof points === 'number' ? '' : 'unknown'}`}
      data-label={label}
      title={isDoubtful ? DOUBT : 'Percentage points'}
    >
      {changeText(row, change.field)}
    </td>
  );
}
