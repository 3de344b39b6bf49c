import { useEffect } from 'preact/hooks';
import { EventList } from './parts/event-list.tsx';
import { Header } from './parts/header.tsx';
import { MarketDetail } from './parts/market-detail.tsx';
import { MarketTable } from './parts/market-table.tsx';
import { Notices } from './parts/notices.tsx';
import { Summary } from './parts/summary.tsx';
import { Toolbar } from './parts/toolbar.tsx';
import { client } from './state/api.ts';
import { showsEvents, VIEWS } from './state/shown.ts';
import { useEvents, useMarkets } from './state/use-lists.ts';
import { useLive } from './state/use-live.ts';
import { useMedia } from './state/use-media.ts';
import { useNavigation } from './state/use-navigation.ts';
import { EMPTY_RETRY_MS, isEmpty } from './state/use-pages.ts';
import { useRead } from './state/use-read.ts';

/** Narrow windows show a market above the list instead of beside it (`detail.css`). */
const OVER_THE_LIST = '(max-width: 1199px)';
const STATUS_MS = 60_000;

export function App() {
  const navigation = useNavigation();
  const { shown, go } = navigation;
  const eventsShown = showsEvents(shown);
  const markets = useMarkets(shown, !eventsShown);
  const events = useEvents(shown, eventsShown);
  useLive(markets);
  const list = eventsShown ? events : markets;
  const status = useRead('status', (signal) => client.status({ signal }), {
    everyMs: isEmpty(list.error) ? EMPTY_RETRY_MS : STATUS_MS,
  }).value?.data;
  const listed = markets.rows.find((row) => row.id === shown.market || row.slug === shown.market);
  // The keyboard and screen readers cannot reach a covered list.
  const covered = useMedia(OVER_THE_LIST) && shown.market !== undefined;
  const title = listed?.question ?? (shown.query || VIEWS[shown.view].label);
  useEffect(() => {
    document.title = `${title} · Prediction markets`;
  }, [title]);
  return (
    <>
      <Header asOf={list.asOf} status={status} inert={covered} />
      <main class={shown.market ? 'with-detail' : ''}>
        <section class="list" aria-label={eventsShown ? 'Events' : 'Markets'} inert={covered}>
          <Toolbar navigation={navigation} />
          <Notices error={list.error} status={status} again={list.again} />
          <Summary navigation={navigation} list={list} />
          {eventsShown ? (
            <EventList events={events} navigation={navigation} />
          ) : (
            <MarketTable rows={markets} navigation={navigation} />
          )}
        </section>
        {shown.market && (
          <MarketDetail key={shown.market} id={shown.market} listed={listed} close={() => go({ market: undefined })} />
        )}
      </main>
    </>
  );
}
