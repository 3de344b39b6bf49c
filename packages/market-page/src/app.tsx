import { useEffect } from 'preact/hooks';
import { EventList } from './parts/event-list.tsx';
import { Header } from './parts/header.tsx';
import { MarketDetail } from './parts/market-detail.tsx';
import { MarketTable } from './parts/market-table.tsx';
import { Notices } from './parts/notices.tsx';
import { Summary } from './parts/summary.tsx';
import { Toolbar } from './parts/toolbar.tsx';
import { showsEvents, useNavigation, VIEWS } from './state/location.ts';
import { useEvents } from './state/use-events.ts';
import { useLive } from './state/use-live.ts';
import { useMedia } from './state/use-media.ts';
import { useRows } from './state/use-rows.ts';

/** Where a market lies over the list instead of beside it, as `detail.css` has it. */
const OVER_THE_LIST = '(max-width: 1199px)';

export function App() {
  const navigation = useNavigation();
  const { shown, go } = navigation;
  const eventsShown = showsEvents(shown);
  const rows = useRows(shown, !eventsShown);
  const events = useEvents(shown, eventsShown);
  useLive(rows);
  const list = eventsShown ? events : rows;
  const known = rows.rows.find((row) => row.id === shown.market || row.slug === shown.market);
  // What is covered is out of reach of the keyboard and of a screen reader, too.
  const covered = useMedia(OVER_THE_LIST) && shown.market !== undefined;
  const title = known?.question ?? (shown.query || VIEWS[shown.view].label);
  useEffect(() => {
    document.title = `${title} · Prediction markets`;
  }, [title]);
  return (
    <>
      <Header asOf={list.asOf} inert={covered} />
      <main class={shown.market ? 'with-detail' : ''}>
        <section class="list" aria-label={eventsShown ? 'Events' : 'Markets'} inert={covered}>
          <Toolbar navigation={navigation} />
          <Notices error={list.error} again={list.again} />
          <Summary navigation={navigation} list={list} />
          {eventsShown ? (
            <EventList events={events} navigation={navigation} />
          ) : (
            <MarketTable rows={rows} navigation={navigation} />
          )}
        </section>
        {shown.market && (
          <MarketDetail
            key={shown.market}
            id={shown.market}
            known={known}
            close={() => go({ market: undefined })}
          />
        )}
      </main>
    </>
  );
}
