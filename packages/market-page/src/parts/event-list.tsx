import { ends, percent, usd } from '../format.ts';
import { client } from '../state/api.ts';
import type { Navigation } from '../state/location.ts';
import { useNow } from '../state/use-now.ts';
import { useRead } from '../state/use-read.ts';
import { Bar } from './market-table.tsx';
import { Notice, sentenceOf } from './notices.tsx';

const EVENTS = 60;
const POLL_MS = 120_000;

/** Events by volume, each with its favourite. */
export function EventList({ navigation: { shown, go } }: { readonly navigation: Navigation }) {
  const now = useNow(60_000);
  const { category } = shown;
  const { value, error } = useRead(
    `events ${category ?? ''}`,
    (signal) => client.events({ limit: EVENTS, ...(category ? { category } : {}) }, { signal }),
    POLL_MS,
  );
  if (!value)
    return error ? <Notice kind="events">{sentenceOf(error)}</Notice> : <p class="empty">Loading events …</p>;
  return (
    <ul class="events">
      {value.data.map((event) => (
        <li key={event.slug}>
          <button type="button" class="link" onClick={() => go({ event: event.slug })}>
            {event.title}
          </button>
          <small>
            {event.markets} {event.markets === 1 ? 'market' : 'markets'} · {usd(event.volume)} volume
            {event.endDate ? ` · ends ${ends(event.endDate, now)}` : ''}
          </small>
          {event.topMarket && (
            <div class="favourite">
              <span>{event.topMarket.question}</span>
              <Bar value={event.topMarket.currentProbability} />
              <span class="hidden">{percent(event.topMarket.currentProbability)}</span>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
