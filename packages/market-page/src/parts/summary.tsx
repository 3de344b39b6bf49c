import { clockTime, DOUBT } from '../format.ts';
import { useNow } from '../state/browser.ts';
import type { List, ListContent } from '../state/list.ts';
import { useIsCut, useKnownChanges } from '../state/status.ts';
import { showsEvents, showsToday, sortOf, type View, volumeWords } from '../state/view.ts';
import { orderWords, sortedColumn } from './columns.ts';
import { ForDevelopers } from './for-developers.tsx';
import { Link } from './link.tsx';
import { ListCsv } from './list-csv.tsx';

/** After this time the page offers to sort the list again, because its numbers are newer. */
const OLD_ORDER_MS = 5 * 60_000;

/**
 * The line above the list, for example "All 2,000 markets, by volume", with buttons for another
 * order and for the list as a file.
 */
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
  const found = anyWord ? `with some words of “${query}”, none has all` : `for “${query}”`;
  return (
    <>
      <Count content={content} />
      {query && !event && ` ${found}`}
      {category && ` in ${category[0]?.toUpperCase()}${category.slice(1)}`}
      {volume && ` with ${volume}`}
      {/* On a phone, only the choice of the order above the list says the order of markets. */}
      {total > 0 && order && (
        <span class={event || showsEvents(view) ? '' : 'roomy'}>, {order}</span>
      )}
      {total > 0 && <Ranking content={content} />}
    </>
  );
}

/** The number of entries: all markets, or the largest ones if the service leaves out others. */
function Count({ content: { total, view } }: { readonly content: ListContent }) {
  const isCut = useIsCut();
  const market = view.event ? 'outcome' : 'market';
  const noun = `${showsEvents(view) ? 'event' : market}${total === 1 ? '' : 's'}`;
  const isWhole = showsToday(view) && isCut !== undefined;
  return (
    <h2>
      {isWhole && (isCut ? 'The ' : 'All ')}
      {total.toLocaleString('en')} {isWhole && isCut && 'largest '}
      {noun}
    </h2>
  );
}

/** The share of markets with a known change from which a ranking by it needs no words. */
const ALMOST_ALL = 0.95;

/**
 * What a ranking by a change leaves out: the service sorts unknown and doubtful changes last. After
 * the service has started, the older changes become known within minutes.
 */
function Ranking({ content: { markets, view } }: { readonly content: ListContent }) {
  const counts = useKnownChanges(sortedColumn(sortOf(view))?.change?.field);
  const isPartial = counts && counts.known < ALMOST_ALL * counts.markets;
  const [known, all] = [counts?.known, counts?.markets].map((n) => n?.toLocaleString('en'));
  return (
    <>
      {isPartial &&
        `. Known so far for ${known} of ${all} markets; the others, and doubtful ones (≈), come last`}
      {markets.some(({ doubtfulChanges }) => doubtfulChanges) && `. ${DOUBT}`}
    </>
  );
}
