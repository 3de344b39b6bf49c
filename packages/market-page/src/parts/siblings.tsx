import type { Page, Row } from '../state/list.ts';
import { client, remembered } from '../state/service.ts';
import { useRead } from '../state/use-read.ts';
import { Bar } from './bar.tsx';
import { Link } from './link.tsx';

/** Besides the market itself. */
const SHOWN = 5;
const MAX_OUTCOMES = 300;
const KEPT_MS = 60_000;

type Outcome = Pick<Row, 'id' | 'slug' | 'question' | 'groupItemTitle' | 'currentProbability'>;

/** The event's most probable outcomes and the market's rank. Empty for an event of one market. */
export function Siblings(props: { readonly event: string; readonly market: string; readonly page: Page | undefined }) {
  const { event, market, page } = props;
  const listed = page && hasAll(page, event) ? page.markets : undefined;
  const { value } = useRead('siblings', event, () => readOutcomes(event), { while: listed === undefined });
  const total = (listed ? listed.length : value?.total) ?? 0;
  const outcomes = listed
    ? [...listed].sort((a, b) => b.currentProbability - a.currentProbability)
    : (value?.outcomes ?? []);
  if (outcomes.length < 2) return null;
  const rank = outcomes.findIndex(({ id }) => id === market);
  const shown = outcomes.map((outcome, n) => ({ ...outcome, n })).filter(({ n }) => n < SHOWN || n === rank);
  return (
    <section class="siblings" aria-label="Outcomes of the event">
      <h3>
        {rank < 0 ? 'Outcomes of this event' : `Rank ${rank + 1} of ${total} outcomes`}{' '}
        <small>
          <Link class="plain" to={{ market: undefined, event, query: '', sort: undefined }}>
            compare all
          </Link>
        </small>
      </h3>
      <ol>
        {shown.map(({ id, slug, question, groupItemTitle, currentProbability, n }) => (
          <li key={id} class={n > SHOWN ? 'apart' : ''}>
            <small class="rank">{n + 1}</small>
            <Link class="link" current={id === market} to={{ market: slug ?? id }}>
              {groupItemTitle ?? question}
            </Link>
            <Bar value={currentProbability} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What the list shows, besides its filters. */
const NOT_FILTERS = ['view', 'event', 'sort', 'order', 'market'];

function hasAll({ of, markets, total }: Page, event: string): boolean {
  const isWhole = Object.entries(of).every(([name, value]) => NOT_FILTERS.includes(name) || !value);
  return of.event === event && isWhole && markets.length === total;
}

/** A reader goes from one outcome to the next: one request suffices. */
function readOutcomes(event: string) {
  return remembered(event, KEPT_MS, async () => {
    const fields = ['id', 'slug', 'question', 'groupItemTitle', 'currentProbability'] as const;
    const { data, total } = await client.markets({ event, sort: 'probability', limit: MAX_OUTCOMES, fields });
    // With `fields` every field is optional for the client.
    return { outcomes: data as readonly Outcome[], total };
  });
}
