import type { Status } from 'market-data-proxy-client';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { slugWords } from './format.ts';
import { Footer } from './parts/footer.tsx';
import { Header } from './parts/header.tsx';
import { ListSection } from './parts/list-section.tsx';
import { MarketDetail } from './parts/market-detail.tsx';
import { Announcer, type PageState, StatusLine } from './parts/status-line.tsx';
import { useMedia } from './state/browser.ts';
import type { List, ListContent } from './state/list.ts';
import { StatusContext, useStatus } from './state/status.ts';
import { useList } from './state/use-list.ts';
import { usePlace } from './state/use-navigation.ts';
import { useRowInPlace } from './state/use-row-in-place.ts';
import { listKey, showsToday, TABS, type View } from './state/view.ts';

/** On these screens, a market covers the list. `detail.css` has the wider ones, from 75em on. */
const NARROW_SCREEN = '(max-width: 74.99em)';
/**
 * A list of at most this many rows becomes narrower for a market beside it. A longer list would
 * take half a second, so the market lies over it.
 */
const MAX_ROWS_BESIDE = 1_000;

/** The whole page: a list, and the open market. The address decides what it shows. */
export function App() {
  const { view, y } = usePlace();
  const { market } = view;
  const list = useList(view, y !== undefined);
  const { content } = list;
  const status = useStatus();
  const pageState = usePageState(view, list, status);
  const covered = useMedia(NARROW_SCREEN) && market !== undefined;
  useScroll(listKey(view), y);
  useRowInPlace(market);
  useTitle(view, content);
  const statusLine = <StatusLine state={pageState} retry={list.again} />;
  const isLong = (content?.markets.length ?? 0) > MAX_ROWS_BESIDE;
  return (
    <StatusContext.Provider value={status}>
      <Announcer state={pageState} />
      <Header asOf={content?.asOf} status={status} inert={covered} />
      <main class={market && !isLong ? 'with-detail' : ''}>
        <ListSection view={content?.view ?? view} list={list} open={market} covered={covered}>
          {!market && statusLine}
        </ListSection>
        {market && (
          <MarketDetail key={market} id={market} content={content} statusLine={statusLine} />
        )}
      </main>
      {list.state !== 'loading' && <Footer inert={covered} />}
    </StatusContext.Provider>
  );
}

/** What the notices of the page depend on. */
function usePageState(view: View, { content, state }: List, status: Status | undefined): PageState {
  const asOf = content?.asOf;
  const waits = !content && state === 'loading';
  const isShown = content !== undefined && listKey(content.view) === listKey(view);
  const search = isShown ? undefined : view.query;
  return useMemo(() => ({ asOf, status, waits, search }), [asOf, status, waits, search]);
}

/** Every list begins at the top. Back leads to where the reader was. */
function useScroll(key: string, y = 0): void {
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (!isFirst.current) scrollTo(0, y);
    isFirst.current = false;
  }, [key]);
}

/** The title of the browser's tab, for the shown list. An open market has its own. */
function useTitle(view: View, content: ListContent | undefined): void {
  const { market } = view;
  const shown = content?.view ?? view;
  const { event, query, tab } = shown;
  const eventTitle = event && (content?.markets[0]?.eventTitle ?? slugWords(event));
  const title = eventTitle || query || (!showsToday(shown) && TABS[tab].label);
  useEffect(() => {
    if (!market) document.title = title ? `${title} · Prediction markets` : 'Prediction markets';
  }, [title, market]);
}
