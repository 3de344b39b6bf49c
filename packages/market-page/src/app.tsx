import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { EventHead } from './parts/event-head.tsx';
import { EventList } from './parts/event-list.tsx';
import { Footer } from './parts/footer.tsx';
import { FoundEvents } from './parts/found-events.tsx';
import { Header } from './parts/header.tsx';
import { MarketDetail } from './parts/market-detail.tsx';
import { MarketTable } from './parts/market-table.tsx';
import { Announcer, StatusLine } from './parts/status-line.tsx';
import { Summary } from './parts/summary.tsx';
import { Today } from './parts/today.tsx';
import { Toolbar } from './parts/toolbar.tsx';
import { useMedia } from './state/browser.ts';
import { useList } from './state/list.ts';
import { Simulated, useStatus } from './state/status.ts';
import { usePlace } from './state/use-navigation.ts';
import { useRowInPlace } from './state/use-row-in-place.ts';
import { listKey, showsEvents, showsToday, TABS } from './state/view.ts';

/** On these screens, a market covers the list. `detail.css` has the same width. */
const OVER_THE_LIST = '(max-width: 74.99em)';
/** In rows. A market lies over a longer list, whose width stays. */
const MAX_BESIDE = 1_000;

/** The whole page. The address decides what it shows. */
export function App() {
  const { view, y } = usePlace();
  const { market } = view;
  const list = useList(view, y !== undefined);
  const { content, state } = list;
  const status = useStatus();
  const key = listKey(view);
  // Every list begins at the top; Back leads to where the reader was.
  const first = useRef(true);
  useLayoutEffect(() => {
    if (!first.current) scrollTo(0, y ?? 0);
    first.current = false;
  }, [key]);
  useRowInPlace(market);
  const waits = !content && state === 'loading';
  const isShown = content !== undefined && listKey(content.view) === key;
  const search = isShown ? undefined : view.query;
  const asOf = content?.asOf;
  const pageState = useMemo(() => ({ asOf, status, waits, search }), [asOf, status, waits, search]);
  // Keyboard and screen readers cannot reach a covered list.
  const covered = useMedia(OVER_THE_LIST) && market !== undefined;
  // Behind a market on a phone nothing is drawn before the reader has closed it.
  const [wasUncovered, uncover] = useState(!covered);
  useEffect(() => {
    if (!covered) uncover(true);
  }, [covered]);
  // The view of the rows. Those of the address arrive later.
  const shown = content?.view ?? view;
  const isToday = showsToday(shown);
  // So many rows take half a second to get another width.
  const isLong = (content?.markets.length ?? 0) > MAX_BESIDE;
  const isEmptyEvent = shown.event !== undefined && content?.markets.length === 0;
  // Below the head of an event, whose height is unknown before.
  const hasList = shown.event ? content !== undefined && !isEmptyEvent : true;
  // Events have no probability to filter by.
  const hasFound = shown.query && !shown.event && !shown.chance;
  const title =
    (shown.event && content?.markets[0]?.eventTitle) ||
    shown.query ||
    (!isToday && TABS[shown.tab].label);
  useEffect(() => {
    if (!market) document.title = title ? `${title} · Prediction markets` : 'Prediction markets';
  }, [title, market]);
  const statusLine = <StatusLine state={pageState} retry={list.again} />;
  return (
    <Simulated.Provider value={status?.simulated}>
      <Announcer state={pageState} />
      <Header asOf={content?.asOf} status={status} inert={covered} />
      <main class={market && !isLong ? 'with-detail' : ''}>
        <section
          class="list"
          aria-label={showsEvents(shown) ? 'Events' : 'Markets'}
          inert={covered}
        >
          {wasUncovered && (
            <>
              <Toolbar view={shown} />
              {isToday && (content || state === 'loading') && <Today />}
              {shown.event && !isEmptyEvent && <EventHead slug={shown.event} content={content} />}
              {hasList && <Summary view={shown} list={list} />}
              {hasFound && content && content.total > 0 && <FoundEvents content={content} />}
              {showsEvents(shown) && <EventList list={list} />}
              {!showsEvents(shown) && (hasList || isEmptyEvent) && (
                <MarketTable {...list} view={shown} open={market} />
              )}
            </>
          )}
          {!market && statusLine}
        </section>
        {market && (
          <MarketDetail key={market} id={market} content={content} statusLine={statusLine} />
        )}
      </main>
      {state !== 'loading' && <Footer inert={covered} />}
    </Simulated.Provider>
  );
}
