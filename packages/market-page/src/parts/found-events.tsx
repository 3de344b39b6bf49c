import { client } from '../state/service.ts';
import { useRead } from '../state/use-read.ts';
import { eventQuery, listKey, type View } from '../state/view.ts';
import { EventCards } from './event-list.tsx';

const EVENTS = 4;

/**
 * The largest events that a search finds, each with its most probable outcomes: they answer "who is
 * ahead". Each row below has only one outcome.
 *
 * @param view a search with its filters
 */
export function FoundEvents({ view }: { readonly view: View }) {
  const { value } = useRead('found', listKey(view), (signal) =>
    client.events({ q: view.query, ...eventQuery(view), limit: EVENTS }, { signal }),
  );
  const events = value?.data.filter(({ markets }) => markets > 1) ?? [];
  if (events.length === 0) return null;
  return (
    <section class="found" aria-label="Events found">
      <EventCards events={events} placeholders={0} />
    </section>
  );
}
