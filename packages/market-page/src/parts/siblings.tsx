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

/** The fields of an outcome that are shown. */
const FIELDS = [
  'id',
  'slug',
  'question',
  'groupItemTitle',
  'currentProbability',
  'negRisk',
] as const;
type Outcome = Pick<Row, (typeof FIELDS)[number]>;

/**
 * The siblings of a market: the most probable outcomes of its event, and the market's rank among
 * them, in the market's panel.
 */
export function Siblings(props: {
  readonly event: string;
  readonly market: string;
  /** The list, which may already have all outcomes of the event. */
  readonly content: ListContent | undefined;
  /** Called when the height is known. The parts below appear then, so that they do not move. */
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
  const ranked = outcomes.map((outcome, index) => ({ ...outcome, rank: index + 1 }));
  const own = ranked.find(({ id }) => id === market);
  const shown = ranked.filter((outcome) => outcome.rank <= SHOWN || outcome === own);
  return (
    <section class="siblings" aria-label="Outcomes of the event">
      <h3>
        {own && compete
          ? `Rank ${own.rank} of ${total} outcomes`
          : `${total} outcomes of this event`}{' '}
        <small>
          <Link class="plain" to={{ ...NO_CHOICE, market: undefined, event }}>
            compare all
          </Link>
        </small>
      </h3>
      <ol>
        {shown.map(({ id, slug, question, groupItemTitle, currentProbability, rank }) => (
          <li key={id}>
            {compete && <small class="rank">{rank}</small>}
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
    const order = { sort: 'probability', limit: MAX_OUTCOMES } as const;
    const { data, total } = await client.markets({ event, ...order, fields: FIELDS });
    // The service leaves out a field that a market lacks, so the client's type is wider.
    return { outcomes: data as readonly Outcome[], total };
  });
}
