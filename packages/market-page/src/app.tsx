import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { EventHead } from './parts/event-head.tsx';
import { EventList } from './parts/event-list.tsx';
import { Footer } from './parts/footer.tsx';
import { Header } from './parts/header.tsx';
import { MarketDetail } from './parts/market-detail.tsx';
import { MarketTable } from './parts/market-table.tsx';
import { Announcer, StatusLine } from './parts/status-line.tsx';
import { Summary } from './parts/summary.tsx';
import { Today } from './parts/today.tsx';
import { Toolbar } from './parts/toolbar.tsx';
import { useMedia } from './state/browser.ts';
import { useList } from './state/list.ts';
import { client, useFailing } from './state/service.ts';
import { listKey, showsEvents, showsToday, VIEWS } from './state/shown.ts';
import { closeMarket, usePlace } from './state/use-navigation.ts';
import { announceRecovery, useRead } from './state/use-read.ts';
import { useRowInPlace } from './state/use-row-in-place.ts';

/** Narrow windows show a market over the list (`detail.css`). */
const OVER_THE_LIST = '(max-width: 74.99em)';
/** The service's limit does not count these. */
const STATUS_MS = 60_000;
const STATUS_IN_TROUBLE_MS = 5_000;

export function App() {
  const { shown, y } = usePlace();
  const list = useList(shown, y !== undefined);
  const { page } = list;
  const status = useStatus();
  const key = listKey(shown);
  // Every list begins at the top; Back leads to where the reader was.
  const first = useRef(true);
  useLayoutEffect(() => {
    if (!first.current) scrollTo(0, y ?? 0);
    first.current = false;
  }, [key]);
  useRowInPlace(shown.market);
  const waits = !page && list.state === 'loading';
  const state = useMemo(() => ({ asOf: page?.asOf, status, waits }), [page?.asOf, status, waits]);
  const listed = page?.markets.find((row) => row.id === shown.market || row.slug === shown.market);
  // Keyboard and screen readers cannot reach a covered list.
  const covered = useMedia(OVER_THE_LIST) && shown.market !== undefined;
  // What the rows belong to: not the address until they arrive.
  const of = page?.of ?? shown;
  const title = (of.event && page?.markets[0]?.eventTitle) || of.query || (showsToday(of) ? '' : VIEWS[of.view].label);
  useEffect(() => {
    if (!shown.market) document.title = title ? `${title} · Prediction markets` : 'Prediction markets';
  }, [title, shown.market]);
  const statusLine = <StatusLine state={state} retry={list.again} />;
  const isToday = showsToday(of);
  const isEmptyEvent = of.event !== undefined && page?.markets.length === 0;
  return (
    <>
      <Announcer state={state} />
      <Header asOf={page?.asOf} status={status} inert={covered} />
      <main class={shown.market ? 'with-detail' : ''}>
        <section class="list" aria-label={showsEvents(of) ? 'Events' : 'Markets'} inert={covered}>
          <Toolbar of={of} />
          {!shown.market && statusLine}
          {isToday && (page || list.state !== 'failed') && <Today />}
          {of.event && !isEmptyEvent && <EventHead page={page} />}
          {!isEmptyEvent && <Summary of={of} list={list} />}
          {showsEvents(of) ? <EventList list={list} /> : <MarketTable {...list} of={of} open={shown.market} />}
        </section>
        {shown.market && (
          <MarketDetail
            key={shown.market}
            id={shown.market}
            listed={listed}
            page={page}
            statusLine={statusLine}
            close={closeMarket}
          />
        )}
      </main>
      {list.state !== 'loading' && <Footer asOf={page?.asOf} inert={covered} />}
    </>
  );
}

/** The state of the service, read more often while something fails. */
function useStatus() {
  const failing = useFailing();
  const [isOk, setOk] = useState(true);
  const everyMs = failing || !isOk ? STATUS_IN_TROUBLE_MS : STATUS_MS;
  const status = useRead('status', 'status', (signal) => client.status({ signal }), { everyMs }).value?.data;
  const hasPrices = status !== undefined && !['empty', 'stale'].includes(status.status);
  useEffect(() => {
    setOk(hasPrices || status === undefined);
    if (hasPrices) announceRecovery();
  }, [hasPrices, status === undefined]);
  return status;
}
