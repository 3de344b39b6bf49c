import { clockTime, DOUBT } from '../format.ts';
import { useNow } from '../state/browser.ts';
import type { List, ListContent } from '../state/list.ts';
import { showsEvents, showsToday, type View, volumeWords } from '../state/view.ts';
import { orderWords } from './columns.ts';
import { ForDevelopers } from './copy.tsx';
import { Link } from './link.tsx';
import { ListCsv } from './list-csv.tsx';

/**
 * After this time the page offers to sort the list again: its numbers are newer than its order.
 */
const OLD_ORDER_MS = 5 * 60_000;

/** The line above the list: the number of entries, their order, and the list as a file. */
export function Summary({ view, list }: { readonly view: View; readonly list: List }) {
  const { content } = list;
  const isOld = useNow(60_000) - (content?.readAt ?? Number.POSITIVE_INFINITY) > OLD_ORDER_MS;
  return (
    <div class="summary">
      <p aria-live="polite">
        {content ? <Sentence content={content} /> : list.state === 'loading' && 'Loading …'}
        {view.query && (
          <>
            {' '}
            <Link class="plain" to={{ query: '' }}>
              Show all
            </Link>
          </>
        )}
      </p>
      {content && (
        <div class="actions">
          {isOld && (
            <button type="button" class="small" onClick={list.again}>
              Order of {clockTime(content.readAt)} · update
            </button>
          )}
          {content.markets.length > 0 && <ListCsv key={content.url} content={content} />}
          <ForDevelopers urls={[content.url]} />
        </div>
      )}
    </div>
  );
}

/** The number of entries and their order, in words. */
function Sentence({ content }: { readonly content: ListContent }) {
  const { total, anyWord, view } = content;
  const { query, event, category } = view;
  const volume = volumeWords(view);
  const order = orderWords(view);
  const hasDoubt = content.markets.some(({ doubtfulChanges }) => doubtfulChanges);
  const market = event ? 'outcome' : 'market';
  const noun = showsEvents(view) ? 'event' : market;
  const count = `${total.toLocaleString('en')} ${noun}${total === 1 ? '' : 's'}`;
  const words = anyWord ? ` with some words of “${query}”, none has all` : ` for “${query}”`;
  return (
    <>
      <h2>
        {showsToday(view) && 'All '}
        {count}
      </h2>
      {query && !event && words}
      {category && ` in ${category[0]?.toUpperCase()}${category.slice(1)}`}
      {/* On a phone the filter above says it alone. */}
      {volume && <span class="roomy"> with {volume}</span>}
      {total > 0 && order && `, ${order}`}
      {total > 0 && hasDoubt && `. ${DOUBT}`}
    </>
  );
}
