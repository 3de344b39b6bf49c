import { EventList } from './parts/event-list.tsx';
import { Header } from './parts/header.tsx';
import { MarketDetail } from './parts/market-detail.tsx';
import { MarketTable } from './parts/market-table.tsx';
import { Notices } from './parts/notices.tsx';
import { Toolbar } from './parts/toolbar.tsx';
import { useNavigation } from './state/location.ts';
import { useLive } from './state/use-live.ts';
import { useRows } from './state/use-rows.ts';

export function App() {
  const navigation = useNavigation();
  const { shown, go } = navigation;
  const rows = useRows(shown);
  useLive(rows);
  const events = shown.view === 'events' && !shown.event && !shown.query;
  return (
    <>
      <Header asOf={rows.asOf} />
      <main class={shown.market ? 'with-detail' : ''}>
        <section class="list" aria-label="Markets">
          <Toolbar navigation={navigation} total={events ? undefined : rows.total} />
          <Notices error={events ? undefined : rows.error} again={rows.again} />
          {events ? (
            <EventList navigation={navigation} />
          ) : (
            <MarketTable rows={rows} navigation={navigation} />
          )}
        </section>
        {shown.market && (
          <MarketDetail
            key={shown.market}
            id={shown.market}
            known={rows.rows.find((row) => row.id === shown.market || row.slug === shown.market)}
            close={() => go({ market: undefined })}
          />
        )}
      </main>
    </>
  );
}
