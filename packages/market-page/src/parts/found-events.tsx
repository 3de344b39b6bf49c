import type { ListContent } from '../state/list.ts';
import { client } from '../state/service.ts';
import { useRead } from '../state/use-read.ts';
import { eventQuery, listKey } from '../state/view.ts';
import { EventCards } from './event-list.tsx';

/** The number of events that are shown above the rows. */
const EVENTS = 4;

/**
 * The largest events that a search finds, each with its most probable outcomes: they answer "who is
 * ahead". Each row below has only one outcome.
 *
 * @param content a search with its rows
 */
export function FoundEvents({ content }: { readonly content: ListContent }) {
  const { view, markets } = content;
  const { value, error } = useRead('found', listKey(view), (signal) =>
    client.events({ q: view.query, ...eventQuery(view), limit: EVENTS }, { signal }),
  );
  const events = value?.data.filter((event) => event.markets > 1);
  // Rows of an event say that there is one, so placeholders keep the room until it is read.
  const hasEvents = markets.some(({ groupItemTitle }) => groupItemTitle);
  if (events ? events.length === 0 : error !== undefined || !hasEvents) return null;
  return (
    <section class="found" aria-label="Events found">
      <EventCards events={events} placeholders={EVENTS} />
    </section>
  );
}
