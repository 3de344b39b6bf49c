/**
 * The first screen, above the list: the largest events, the largest moves, and what closes next.
 * Each part reads its own short list, and links to the tab that has all of it.
 */
import type { ListQuery } from 'market-data-proxy-client';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { changeText, direction, ends, percent, usd } from '../format.ts';
import { useNow } from '../state/browser.ts';
import { asRows, type Row } from '../state/list.ts';
import { cached, client } from '../state/service.ts';
import { useSimulated } from '../state/status.ts';
import { useRead } from '../state/use-read.ts';
import { readSparks, useSparks } from '../state/use-sparks.ts';
import { firstOfEach, varied } from '../state/varied.ts';
import { NOTABLE_VOLUME, NOTABLE_VOLUME_LABEL, type Tab } from '../state/view.ts';
import { EventCards } from './event-list.tsx';
import { Link } from './link.tsx';
import { Spark } from './spark.tsx';

/** How often the parts are read again. */
const POLL_MS = 60_000;
/** The page uses a response again for this time, which ends before the next read. */
const TTL_MS = 55_000;
/** The rows and the events that a part shows. */
const MAX_ROWS = 5;
const MAX_EVENTS = 4;
/** The markets and events that are read: more than are shown, because many have the same topic. */
const ROW_CANDIDATES = 40;
const EVENT_CANDIDATES = 12;
/** The fields of a market that a row of a part shows. */
const ROW_FIELDS: NonNullable<ListQuery['fields']> = [
  'id',
  'slug',
  'question',
  'outcome',
  'eventSlug',
  'eventTitle',
  'clobTokenId',
  'currentProbability',
  'oneHourPriceChange',
  'doubtfulChanges',
  'volume',
  'endDate',
  'createdAt',
];
/** If title and question begin with this many equal characters, the title adds nothing. */
const SAME_START = 16;

/** The filter of moves and of what closes next, in words. */
const NOTABLE = `volume ${NOTABLE_VOLUME_LABEL}`;
const LAST_HOUR = (
  <>
    in the last hour<span class="roomy">, {NOTABLE}, line: 7 days</span>
  </>
);

/** The first screen, with its three parts. */
export function Today() {
  const lead = leadWords(useSimulated());
  const movers = useRows({ sort: 'move1h' });
  const closing = useRows({ sort: 'endDate', endsAfter: '0h' });
  const events = usePolled('events', () => client.events({ limit: EVENT_CANDIDATES }));
  const sparkOf = useSparks();
  const tokens = movers?.map(({ clobTokenId }) => clobTokenId) ?? [];
  useEffect(() => readSparks(tokens), [tokens.join()]);
  const now = useNow(POLL_MS);
  return (
    <div class="today">
      <p class="lead">
        {lead}
        <span class="roomy">: at 22%, a share that pays $1 costs 22 ¢</span>.
      </p>
      <Part class="wide" title="Largest events" tab="events" all="All events">
        <EventCards
          events={events && varied(MAX_EVENTS, events, ({ tags }) => tags[0] ?? '')}
          placeholders={MAX_EVENTS}
        />
      </Part>
      <Part class="moves" title="Largest moves" period={LAST_HOUR} tab="movers" all="All movers">
        <Rows rows={movers}>
          {(row) => (
            <>
              <Spark points={sparkOf(row.clobTokenId)} price={row.currentProbability} />
              <span class={`value ${direction(row.oneHourPriceChange)}`}>
                <b>{changeText(row, 'oneHourPriceChange')}</b>
                <small>to {percent(row.currentProbability)}</small>
              </span>
            </>
          )}
        </Rows>
      </Part>
      <Part
        class="next"
        title="Closing next"
        period={<span class="roomy">{NOTABLE}</span>}
        tab="closing"
        all="All closing"
      >
        <Rows rows={closing}>
          {(row) => (
            <span class="value">
              <b>{percent(row.currentProbability)}</b>
              <small>{ends(row.endDate, now, row.createdAt)}</small>
            </span>
          )}
        </Rows>
      </Part>
    </div>
  );
}

/**
 * The sentence that explains the numbers. All three are equally long, so that nothing moves when
 * the service says whether it is simulated.
 */
function leadWords(isSimulated: boolean | undefined): string {
  if (isSimulated === undefined)
    return 'Each percent is the probability of an outcome, computed from its latest price';
  return isSimulated
    ? 'All data is simulated. Each percent is the invented probability of an outcome'
    : 'Each percent is the probability that traders at Polymarket give to an outcome';
}

/** A part of the screen, with a link to the tab that has all of it. */
function Part(props: {
  readonly class: string;
  readonly title: string;
  readonly period?: ComponentChildren;
  readonly tab: Tab;
  readonly all: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={props.class}>
      <h2>
        {props.title} <small>{props.period}</small>{' '}
        <Link class="plain" to={{ tab: props.tab }}>
          {props.all}
        </Link>
      </h2>
      {props.children}
    </section>
  );
}

/** The rows of a part; placeholders until they are read. */
function Rows(props: {
  readonly rows: readonly Row[] | undefined;
  readonly children: (row: Row) => ComponentChildren;
}) {
  const rows = props.rows ?? Array.from({ length: MAX_ROWS }, () => undefined);
  return (
    <ol>
      {rows.map((row, n) => (
        <li key={row?.id ?? n} class={row ? '' : 'waits'}>
          {row && <Name row={row} />}
          {row && props.children(row)}
        </li>
      ))}
    </ol>
  );
}

/** The question of a row, and below it its event and volume. */
function Name({
  row: { id, slug, question, eventTitle = '', outcome, volume },
}: {
  readonly row: Row;
}) {
  const saysTitle =
    question.includes(eventTitle) || question.startsWith(eventTitle.slice(0, SAME_START));
  const details = [saysTitle ? '' : eventTitle, outcome, `${usd(volume)} volume`];
  return (
    <span class="name">
      <Link class="link" to={{ market: slug ?? id }}>
        {question}
      </Link>
      <small>{details.filter(Boolean).join(' · ')}</small>
    </span>
  );
}

/** Markets of notable volume in the API's order: the first one of each event. */
function useRows(query: ListQuery): readonly Row[] | undefined {
  const list = { ...query, minVolume: NOTABLE_VOLUME, limit: ROW_CANDIDATES, fields: ROW_FIELDS };
  const data = usePolled(String(query.sort), () => client.markets(list));
  if (!data) return undefined;
  // The list can be a minute old, so a market in it can have ended.
  const rows = asRows(data).filter(
    ({ endDate }) => query.sort !== 'endDate' || Date.parse(endDate) > Date.now(),
  );
  return firstOfEach(rows, ({ eventSlug, id }) => eventSlug ?? id).slice(0, MAX_ROWS);
}

/**
 * Reads data each minute. The last data appear at once when the reader comes back to the screen.
 */
function usePolled<T>(name: string, read: () => Promise<{ readonly data: T }>): T | undefined {
  return useRead('today', name, () => cached(`today ${name}`, TTL_MS, read), { everyMs: POLL_MS })
    .value?.data;
}
