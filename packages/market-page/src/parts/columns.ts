/** The columns of the list, and the words for its order. */
import type { Row } from '../state/list.ts';
import { defaultOrderWords, TABS, type View } from '../state/view.ts';

/** The fields of a row that are a change of its probability, in percentage points. */
export type ChangeField =
  | 'oneHourPriceChange'
  | 'oneDayPriceChange'
  | 'sevenDayPriceChange'
  | 'thirtyDayPriceChange';
/** The fields of a row that are an amount in USD. */
type AmountField = 'volume24h' | 'volume' | 'liquidity';

/** A column of the table after the question and the spark. */
export interface Column {
  /** The CSS classes, which decide the width and the place in narrow lists (`list.css`). */
  readonly name: string;
  readonly label: string;
  /** The API's sort key of the first click. A change is sorted by its size first. */
  readonly sort: string;
  /** In the column of an amount: the field with it. */
  readonly amount?: AmountField;
  /** In the column of a change. */
  readonly change?: {
    readonly field: ChangeField;
    /** The sort key of the next clicks: the largest rise first, then the largest fall. */
    readonly signedSort: string;
  };
}

export const COLUMNS: readonly Column[] = [
  { name: 'probability', label: 'Probability', sort: 'probability' },
  {
    name: 'change hour',
    label: '1 hour',
    sort: 'move1h',
    change: { field: 'oneHourPriceChange', signedSort: 'change1h' },
  },
  {
    name: 'change day',
    label: '1 day',
    sort: 'move1d',
    change: { field: 'oneDayPriceChange', signedSort: 'change1d' },
  },
  {
    name: 'change week',
    label: '7 days',
    sort: 'move7d',
    change: { field: 'sevenDayPriceChange', signedSort: 'change7d' },
  },
  {
    name: 'change month',
    label: '30 days',
    sort: 'move30d',
    change: { field: 'thirtyDayPriceChange', signedSort: 'change30d' },
  },
  { name: 'number volume24h', label: '24 h volume', sort: 'volume24h', amount: 'volume24h' },
  { name: 'number volume', label: 'Volume', sort: 'volume', amount: 'volume' },
  { name: 'number liquidity', label: 'Liquidity', sort: 'liquidity', amount: 'liquidity' },
  { name: 'date', label: 'Ends', sort: 'endDate' },
];

/** The columns with a value in at least one row. */
export function columnsOf(rows: readonly Row[], view: View): readonly Column[] {
  return COLUMNS.filter((column) => {
    // If all outcomes of an event end at once, its head says so.
    if (column.name === 'date') return view.event === undefined || !endTogether(rows);
    const field = column.amount ?? column.change?.field;
    return field === undefined || rows.some((row) => typeof row[field] === 'number');
  });
}

/**
 * Whether all rows end in the same minute. Upstream adds fractions of a second to some ends, so the
 * seconds do not count.
 */
function endTogether(rows: readonly Row[]): boolean {
  const minutes = rows.map(({ endDate }) => endDate.slice(0, 'yyyy-mm-ddThh:mm'.length));
  return new Set(minutes).size === 1;
}

/** The column by which the list is sorted; undefined if no column has this sort key. */
export function sortedColumn(sort: string | undefined): Column | undefined {
  return COLUMNS.find((column) => isOrderOf(column, sort));
}

/** Whether a sort key of the API is the order of this column. */
export function isOrderOf(column: Column, sort: string | undefined): boolean {
  return sort !== undefined && (sort === column.sort || sort === column.change?.signedSort);
}

/** The direction of a sort key for which none is chosen, and of the first click on a column. */
export function firstOrder(sort: string | undefined): 'asc' | 'desc' {
  return sort === 'endDate' ? 'asc' : 'desc';
}

/** The order of the list in words, for example "largest rise over 1 day first". */
export function orderWords(view: View): string {
  if (!view.sort) return defaultOrderWords(view);
  const column = sortedColumn(view.sort);
  // An address can name an order that no column has.
  if (!column) return '';
  const isAscending = (view.order ?? firstOrder(view.sort)) === 'asc';
  if (column.sort === 'endDate') {
    return isAscending ? TABS.closing.orderLabel : 'ending last first';
  }
  if (!column.change) {
    return `${isAscending ? 'lowest' : 'highest'} ${column.label.toLowerCase()} first`;
  }
  const signed = isAscending ? 'fall' : 'rise';
  const kind = view.sort === column.change.signedSort ? signed : 'change';
  return `largest ${kind} over ${column.label} first`;
}
