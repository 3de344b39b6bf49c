import type { Event } from 'market-data-proxy-client';
import { ends, usd } from '../format.ts';
import type { Navigation } from '../state/use-navigation.ts';
import { useNow } from '../state/use-now.ts';
import type { Paged } from '../state/use-pages.ts';
import { Bar } from './bar.tsx';
import { Link } from './link.tsx';
import { More } from './more.tsx';

/** Events by volume, each with its favourite. */
export function EventList(props: { readonly events: Paged<Event>; readonly navigation: Navigation }) {
  const { events, navigation } = props;
  const now = useNow(60_000);
  if (events.state === 'ready' && events.rows.length === 0) {
    return <p class="empty">No event matches. Try another category.</p>;
  }
  if (events.state === 'failed' && events.rows.length === 0) return null;
  return (
    <>
      <ul class="events" aria-busy={events.state === 'loading'}>
        {events.rows.length === 0 &&
          Array.from({ length: 12 }, (_, n) => <li key={n} class="placeholder" aria-hidden="true" />)}
        {events.rows.map((event) => (
          <li key={event.slug}>
            <h2>
              <Link class="link" navigation={navigation} to={{ event: event.slug }}>
                {event.title}
              </Link>
            </h2>
            {event.topMarket && (
              <p class="favourite">
                <span>{event.topMarket.groupItemTitle ?? event.topMarket.question}</span>
                <Bar value={event.topMarket.currentProbability} />
              </p>
            )}
            <p class="muted">
              <span>
                {event.markets} {event.markets === 1 ? 'market' : 'markets'} · {usd(event.volume)} volume
              </span>
              {event.endDate && <span>ends {ends(event.endDate, now)}</span>}
            </p>
          </li>
        ))}
      </ul>
      <More more={events.more} length={events.rows.length} />
    </>
  );
}
