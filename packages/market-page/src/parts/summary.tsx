import { clockTime } from '../format.ts';
import { useNow } from '../state/browser.ts';
import { csvOf } from '../state/csv.ts';
import type { List, Page } from '../state/list.ts';
import { orderOf, type Shown, showsEvents, showsToday } from '../state/shown.ts';
import { CopyButton } from './copy.tsx';
import { Link } from './link.tsx';

/** After this time a reader may prefer a new order. The numbers are newer: they are read each minute. */
const OLD_ORDER_MS = 5 * 60_000;

/** The number of entries and their order, and what the reader can take away. @param props.of what the rows belong to */
export function Summary(props: { readonly of: Shown; readonly list: List }) {
  const { of, list } = props;
  const { page } = list;
  const isOld = useNow(60_000) - (page?.readAt ?? Number.POSITIVE_INFINITY) > OLD_ORDER_MS;
  return (
    <div class="summary">
      <p aria-live="polite">
        {page ? <Sentence of={of} page={page} /> : list.state === 'loading' && 'Loading …'}
        {of.query && (
          <>
            {' '}
            <Link class="plain" to={{ query: '' }}>
              Show all
            </Link>
          </>
        )}
      </p>
      {page && (
        <p class="actions">
          {isOld && (
            <button type="button" class="small" onClick={list.again}>
              Order of {clockTime(page.readAt)} · update
            </button>
          )}
          {page.markets.length > 0 && (
            <button type="button" class="small" onClick={() => save(page)} title="The rows of this list as a table">
              CSV
            </button>
          )}
          <CopyButton
            text={`curl -s '${page.url}'`}
            label="Copy as curl: the API call behind this list"
            name="Copy as curl"
          />
        </p>
      )}
    </div>
  );
}

function save(page: Page): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([csvOf(page.markets)], { type: 'text/csv' }));
  link.download = `${page.of.event ?? 'markets'}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Sentence({ of, page }: { readonly of: Shown; readonly page: Page }) {
  const { query, event, sort, category } = of;
  const { total, anyWord } = page;
  const noun = `${showsEvents(of) ? 'event' : event ? 'outcome' : 'market'}${total === 1 ? '' : 's'}`;
  const count = `${total.toLocaleString('en')} ${noun}`;
  const words = query && !event ? (anyWord ? ` with some words of “${query}”, none has all` : ` for “${query}”`) : '';
  return (
    <>
      {showsToday(of) ? <h2>All {count}</h2> : <b>{count}</b>}
      {words}
      {category && ` in ${category[0]?.toUpperCase()}${category.slice(1)}`}
      {sort || total === 0 ? '' : `, ${orderOf(of)}`}
    </>
  );
}
