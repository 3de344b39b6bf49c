import { useEffect } from 'preact/hooks';
import type { ListContent, Row } from '../state/list.ts';
import { cached, client } from '../state/service.ts';
import { useRead } from '../state/use-read.ts';
import { NO_CHOICE } from '../state/view.ts';
import { Bar } from './bar.tsx';
import { Link } from './link.tsx';

/** The outcomes that are shown besides the market itself. */
const SHOWN = 5;
/** The outcomes that are read, to know the market's rank. */
const MAX_OUTCOMES = 300;
/** The outcomes are read again after a minute. */
const TTL_MS = 60_000;

type Outcome = Pick<
  Row,
  'id' | 'slug' | 'question' | 'groupItemTitle' | 'currentProbability' | 'negRisk'
>;

/** The most probable outcomes of a market's event, and the market's rank among them. */
export function Siblings(props: {
  readonly event: string;
  readonly market: string;
  /** The list, which may already have all outcomes of the event. */
  readonly content: ListContent | undefined;
  /** Called when its height is known. */
  readonly onSettled: () => void;
}) {
  const { event, market, content, onSettled } = props;
  const hasAll =
    content?.view.event === event &&
    !content.view.query &&
    content.markets.length === content.total;
  const listed = hasAll ? content.markets : undefined;
  const { value, error } = useRead('siblings', event, () => readOutcomes(event), {
    while: listed === undefined,
  });
  const isSettled = listed !== undefined || value !== undefined || error !== undefined;
  useEffect(() => {
    if (isSettled) onSettled();
  }, [isSettled]);
  const total = (listed ? listed.length : value?.total) ?? 0;
  const outcomes = listed
    ? [...listed].sort((a, b) => b.currentProbability - a.currentProbability)
    : (value?.outcomes ?? []);
  // An event of one market has no others.
  if (outcomes.length < 2) return null;
  // Only one of competing outcomes can happen. Of several dates or thresholds, many can.
  const compete = outcomes.every(({ negRisk }) => negRisk);
  const rank = outcomes.findIndex(({ id }) => id === market);
  const shown = outcomes
    .map((outcome, index) => ({ ...outcome, index }))
    .filter(({ index }) => index < SHOWN || index === rank);
  return (
    <section class="siblings" aria-label="Outcomes of the event">
      <h3>
        {rank < 0 || !compete
          ? `${total} outcomes of this event`
          : `Rank ${rank + 1} of ${total} outcomes`}{' '}
        <small>
          <Link class="plain" to={{ ...NO_CHOICE, market: undefined, event }}>
            compare all
          </Link>
        </small>
      </h3>
      <ol>
        {shown.map(({ id, slug, question, groupItemTitle, currentProbability, index }) => (
          <li key={id}>
            {compete && <small class="rank">{index + 1}</small>}
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

/** Reads the outcomes of an event, most probable first. */
function readOutcomes(event: string) {
  return cached(event, TTL_MS, async () => {
    const fields = [
      'id',
      'slug',
      'question',
      'groupItemTitle',
      'currentProbability',
      'negRisk',
    ] as const;
    const { data, total } = await client.markets({
      event,
      sort: 'probability',
      limit: MAX_OUTCOMES,
      fields,
    });
    // With `fields` every field is optional for the client.
    return { outcomes: data as readonly Outcome[], total };
  });
}
