import { useEffect, useState } from 'preact/hooks';
import { EventHead } from './parts/event-head.tsx';
import { EventList } from './parts/event-list.tsx';
import { Footer } from './parts/footer.tsx';
import { Header } from './parts/header.tsx';
import { MarketDetail } from './parts/market-detail.tsx';
import { MarketTable } from './parts/market-table.tsx';
import { Announcer, StatusLine, useCondition } from './parts/status-line.tsx';
import { Summary } from './parts/summary.tsx';
import { Toolbar } from './parts/toolbar.tsx';
import { useMedia } from './state/browser.ts';
import { useList } from './state/list.ts';
import { client, useService } from './state/service.ts';
import { showsEvents, VIEWS } from './state/shown.ts';
import { useLive } from './state/use-live.ts';
import { NavigationContext, useAddress } from './state/use-navigation.ts';
import { announceRecovery, useRead } from './state/use-read.ts';

/** Narrow windows show a market over the list (`detail.css`). */
const OVER_THE_LIST = '(max-width: 74.99em)';
/** The service's limit does not count these. */
const STATUS_MS = 60_000;
const STATUS_IN_TROUBLE_MS = 5_000;

export function App() {
  const navigation = useAddress();
  const { shown, go } = navigation;
  const list = useList(shown);
  const { page } = list;
  useLive(list);
  const { failures } = useService();
  const [inTrouble, setInTrouble] = useState(false);
  const status = useRead('status', 'status', (signal) => client.status({ signal }), {
    everyMs: inTrouble ? STATUS_IN_TROUBLE_MS : STATUS_MS,
  }).value?.data;
  useEffect(() => {
    setInTrouble(Object.keys(failures).length > 0 || (status !== undefined && status.status !== 'ok'));
  }, [failures, status]);
  useEffect(() => {
    if (status?.status === 'ok') announceRecovery();
  }, [status?.status]);
  const condition = useCondition({
    asOf: page?.asOf,
    status,
    changed: page?.changed,
    waits: !page && list.state === 'loading',
  });
  const listed = page?.markets.find((row) => row.id === shown.market || row.slug === shown.market);
  // Keyboard and screen readers cannot reach a covered list.
  const covered = useMedia(OVER_THE_LIST) && shown.market !== undefined;
  // What the rows belong to: not the address until they arrive.
  const of = page?.of ?? shown;
  const title = (of.event && page?.markets[0]?.eventTitle) || of.query || VIEWS[of.view].label;
  useEffect(() => {
    if (!shown.market) document.title = `${title} · Prediction markets`;
  }, [title, shown.market]);
  const statusLine = <StatusLine condition={condition} retry={list.again} />;
  return (
    <NavigationContext.Provider value={navigation}>
      <Announcer condition={condition} />
      <Header asOf={page?.asOf} status={status} inert={covered} />
      <main class={shown.market ? 'with-detail' : ''}>
        <section class="list" aria-label={showsEvents(of) ? 'Events' : 'Markets'} inert={covered}>
          <Toolbar of={of} />
          {!shown.market && statusLine}
          {of.event && <EventHead page={page} />}
          <Summary of={of} page={page} />
          {showsEvents(of) ? <EventList list={list} /> : <MarketTable of={of} list={list} />}
        </section>
        {shown.market && (
          <MarketDetail
            key={shown.market}
            id={shown.market}
            listed={listed}
            page={page}
            statusLine={statusLine}
            close={() => go({ market: undefined })}
          />
        )}
      </main>
      {list.state !== 'loading' && <Footer asOf={page?.asOf} inert={covered} />}
    </NavigationContext.Provider>
  );
}
