import { ends, usd } from '../format.ts';
import { useNow } from '../state/browser.ts';
import type { List } from '../state/list.ts';
import { Bar } from './bar.tsx';
import { Link } from './link.tsx';
import { More } from './more.tsx';

/** By volume, each with its favourite. */
export function EventList({ list }: { readonly list: List }) {
  const { page, state, more } = list;
  const now = useNow(60_000);
  if (page?.events.length === 0) return <p class="empty">No event matches. Try another category.</p>;
  if (!page && state === 'failed') return null;
  return (
    <>
      <ul class="events" aria-busy={state === 'loading'}>
        {!page && Array.from({ length: 12 }, (_, n) => <li key={n} class="placeholder" aria-hidden="true" />)}
        {page?.events.map((event) => (
          <li key={event.slug}>
            <h2>
              <Link class="link" to={{ event: event.slug }}>
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
      <More more={more} length={page?.events.length ?? 0} />
    </>
  );
}
