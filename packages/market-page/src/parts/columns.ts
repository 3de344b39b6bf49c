/** The columns of the list, and the words for its order. */
import type { Row } from '../state/list.ts';
import { defaultOrderWords, TABS, type View } from '../state/view.ts';

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
    name: 'change day',
    label: '1 day',
    sort: 'move1d',
    signed: 'change1d',
    about,
    field: 'oneDayPriceChange',
  },
  {
    name: 'change week',
    label: '7 days',
    sort: 'move7d',
    signed: 'change7d',
    about,
    field: 'sevenDayPriceChange',
  },
  {
    name: 'change month',
    label: '30 days',
    sort: 'move30d',
    signed: 'change30d',
    about,
    field: 'thirtyDayPriceChange',
  },
  { name: 'number volume24h', label: '24 h volume', sort: 'volume24h', field: 'volume24h' },
  { name: 'number volume', label: 'Volume', sort: 'volume', field: 'volume' },
  { name: 'number liquidity', label: 'Liquidity', sort: 'liquidity', field: 'liquidity' },
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

/** Whether a sort key of the API is the order of this column. */
export function isOrderOf(column: Column, sort: string | undefined): boolean {
  return sort === column.sort || ('signed' in column && sort === column.signed);
}

/** The direction of a sort key for which none is chosen, and of the first click on a column. */
export function firstOrder(sort: string | undefined): 'asc' | 'desc' {
  return sort === 'endDate' ? 'asc' : 'desc';
}

/** The order of the list in words, for example "largest rise over 1 day first". */
export function orderWords(view: View): string {
  if (!view.sort) return defaultOrderWords(view);
  const column = COLUMNS.find((one) => isOrderOf(one, view.sort));
  // An address can name an order that no column has.
  if (!column) return '';
  const isAscending = (view.order ?? firstOrder(view.sort)) === 'asc';
  if (column.sort === 'endDate') {
    return isAscending ? TABS.closing.orderLabel : 'ending last first';
  }
  if (!('signed' in column)) {
    return `${isAscending ? 'lowest' : 'highest'} ${column.label.toLowerCase()} first`;
  }
  const signed = isAscending ? 'fall' : 'rise';
  const kind = view.sort === column.signed ? signed : 'change';
  return `largest ${kind} over ${column.label} first`;
}
