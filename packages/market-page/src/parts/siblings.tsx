import { client, remembered } from '../state/service.ts';
import { useRead } from '../state/use-read.ts';
import { Bar } from './bar.tsx';
import { Link } from './link.tsx';

const MAX_SIBLINGS = 6;
const KEPT_MS = 60_000;

/** The most probable outcomes of the event that a market belongs to. Nothing for an event of one market. */
export function Siblings(props: { readonly event: string; readonly market: string }) {
  const { event, market } = props;
  const { value } = useRead('siblings', event, () =>
    // A reader goes from one outcome to the next: one request is enough for all.
    remembered(event, KEPT_MS, () =>
      client.markets({
        event,
        sort: 'probability',
        limit: MAX_SIBLINGS,
        fields: ['id', 'slug', 'question', 'groupItemTitle', 'currentProbability'],
      }),
    ),
  );
  if (!value || value.data.length < 2) return null;
  return (
    <section class="siblings" aria-label="Outcomes of the event">
      <h3>
        Outcomes of this event{' '}
        <small>
          <Link class="plain" to={{ market: undefined, event, query: '', sort: undefined }}>
            all {value.total}
          </Link>
        </small>
      </h3>
      <ul>
        {value.data.map(({ id, slug, question, groupItemTitle, currentProbability }) => (
          <li key={id}>
            <Link class="link" current={id === market} to={{ market: slug ?? id }}>
              {groupItemTitle ?? question}
            </Link>
            <Bar value={currentProbability ?? 0} />
          </li>
        ))}
      </ul>
    </section>
  );
}
