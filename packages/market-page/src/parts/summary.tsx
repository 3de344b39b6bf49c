import { clockTime, DOUBT } from '../format.ts';
import { useNow } from '../state/browser.ts';
import type { List, ListContent } from '../state/list.ts';
import { useIsCut, useKnownChanges } from '../state/status.ts';
import { showsEvents, showsToday, sortOf, type View, volumeWords } from '../state/view.ts';
import { COLUMNS, isOrderOf, orderWords } from './columns.ts';
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
  const words = anyWord ? ` with some words of “${query}”, none has all` : ` for “${query}”`;
  return (
    <>
      <Count content={content} />
      {query && !event && words}
      {category && ` in ${category[0]?.toUpperCase()}${category.slice(1)}`}
      {volume && ` with ${volume}`}
      {/* On a phone the choice above says it alone. */}
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
  const column = COLUMNS.find((one) => isOrderOf(one, sortOf(view)));
  const change = useKnownChanges(column && 'signed' in column ? column.field : undefined);
  const isPartial = change && change.known < ALMOST_ALL * change.markets;
  return (
    <>
      {isPartial &&
        `. Known so far for ${change.known.toLocaleString('en')} of ${change.markets.toLocaleString('en')} markets; the others, and doubtful ones (≈), come last`}
      {markets.some(({ doubtfulChanges }) => doubtfulChanges) && `. ${DOUBT}`}
    </>
  );
}
