import type { Event } from 'market-data-proxy-client';
import { ends, usd } from '../format.ts';
import { useNow } from '../state/browser.ts';
import type { List } from '../state/list.ts';
import { WHOLE_LIST } from '../state/view.ts';
import { Bar } from './bar.tsx';
import { Link } from './link.tsx';
import { More } from './more.tsx';

/** The number of empty cards that are shown while the list loads. */
const PLACEHOLDERS = 12;

/** The list of events, as cards. */
export function EventList({ list }: { readonly list: List }) {
  const { content, state, more } = list;
  if (content?.events.length === 0) {
    return (
      <p class="empty">
        No event matches.
        <span class="ways">
          <Link class="small" to={{ ...WHOLE_LIST, tab: 'events' }}>
            All events
          </Link>
        </span>
      </p>
    );
  }
  if (!content && state === 'failed') return null;
  return (
    <>
      <EventCards events={content?.events} placeholders={PLACEHOLDERS} busy={state === 'loading'} />
      <More more={more} length={content?.events.length ?? 0} />
    </>
  );
}

/** Events as cards, each with its most probable outcomes; placeholders until they are read. */
export function EventCards(props: {
  readonly events: readonly Event[] | undefined;
  readonly placeholders: number;
  readonly busy?: boolean;
}) {
  const { events, placeholders, busy = false } = props;
  const now = useNow(60_000);
  return (
    <ul class="events" aria-busy={busy}>
      {!events &&
        Array.from({ length: placeholders }, (_, n) => (
          <li key={n} class="waits" aria-hidden="true" />
        ))}
      {events?.map((event) => (
        <li key={event.slug}>
          <h3>
            <Link class="link" to={{ event: event.slug }}>
              {event.title}
            </Link>
          </h3>
          {event.topMarkets.map((market) => (
            <p class="favourite" key={market.id}>
              <span>
                {event.markets === 1
                  ? (market.outcome ?? 'Yes')
                  : (market.groupItemTitle ?? market.question)}
              </span>
              <Bar value={market.currentProbability} />
            </p>
          ))}
          <p class="muted">
            <span>
              {event.markets > 1 && `${event.markets} markets · `}
              {usd(event.volume)} vol.
            </span>
            {event.endDate && <span>ends {ends(event.endDate, now)}</span>}
          </p>
        </li>
      ))}
    </ul>
  );
}
