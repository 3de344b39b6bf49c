import type { ListQuery } from 'market-data-proxy-client';
import { useEffect } from 'preact/hooks';
import { direction, ends, percent, signedPoints, usd } from '../format.ts';
import { useNow } from '../state/browser.ts';
import { asRows, type Row } from '../state/list.ts';
import { client, remembered } from '../state/service.ts';
import { FIELDS, NOTABLE_VOLUME, PERIOD } from '../state/shown.ts';
import { useRead } from '../state/use-read.ts';
import { readSparks, useSparks } from '../state/use-sparks.ts';
import { EventCards } from './event-list.tsx';
import { Link } from './link.tsx';
import { Spark } from './spark.tsx';

const POLL_MS = 60_000;
const KEPT_MS = 55_000;
/** Entries of each part. */
const PLACES = 5;
const EVENTS = 4;
/** Candidates, of which one of each event is shown: twenty outcomes of one event would fill the list. */
const CANDIDATES = 40;

/** A title that begins with as many letters of the question says nothing new. */
const SIMILAR = 16;

/** What happened: the largest moves, what ends next, and the largest events. */
export function Today() {
  const movers = useRows('movers', { sort: PERIOD.sort });
  const closing = useRows('closing', { sort: 'endDate', endsAfter: '0h' });
  const events = useRead(
    'today',
    'events',
    () => remembered('today events', KEPT_MS, () => client.events({ limit: EVENTS })),
    { everyMs: POLL_MS },
  ).value?.data;
  const sparkOf = useSparks();
  const tokens = movers?.map(({ clobTokenId }) => clobTokenId) ?? [];
  useEffect(() => readSparks(tokens), [tokens.join()]);
  const now = useNow(POLL_MS);
  return (
    <div class="today">
      <section>
        <h2>
          Largest moves <small>{PERIOD.words}</small>{' '}
          <Link class="plain" to={{ view: 'movers' }}>
            All movers
          </Link>
        </h2>
        <ol>
          {places(movers).map((row, n) => (
            <li key={row?.id ?? n} class={row ? '' : 'waits'}>
              {row && (
                <>
                  <Name row={row} />
                  <Spark points={sparkOf(row.clobTokenId)} />
                  <span class={`value ${direction(row[PERIOD.field])}`}>
                    <b>{signedPoints(row[PERIOD.field])}</b>
                    <small>to {percent(row.currentProbability)}</small>
                  </span>
                </>
              )}
            </li>
          ))}
        </ol>
      </section>
      <section>
        <h2>
          Closing next{' '}
          <Link class="plain" to={{ view: 'closing' }}>
            All closing
          </Link>
        </h2>
        <ol>
          {places(closing).map((row, n) => (
            <li key={row?.id ?? n} class={row ? '' : 'waits'}>
              {row && (
                <>
                  <Name row={row} />
                  <span class="value">
                    <b>{percent(row.currentProbability)}</b>
                    <small>{ends(row.endDate, now)}</small>
                  </span>
                </>
              )}
            </li>
          ))}
        </ol>
      </section>
      <section class="largest">
        <h2>
          Largest events{' '}
          <Link class="plain" to={{ view: 'events' }}>
            All events
          </Link>
        </h2>
        <EventCards events={events} places={EVENTS} />
      </section>
    </div>
  );
}

/** Markets of notable volume, at most one of each event. */
function useRows(name: string, query: ListQuery): readonly Row[] | undefined {
  const { value } = useRead(
    'today',
    name,
    () =>
      remembered(`today ${name}`, KEPT_MS, () =>
        client.markets({ ...query, minVolume: NOTABLE_VOLUME, limit: CANDIDATES, fields: FIELDS }),
      ),
    { everyMs: POLL_MS },
  );
  if (!value) return undefined;
  // The list can be a minute old.
  const rows = asRows(value.data).filter(({ endDate }) => query.sort !== 'endDate' || Date.parse(endDate) > Date.now());
  return [...new Map(rows.toReversed().map((row) => [row.eventSlug ?? row.id, row])).values()]
    .reverse()
    .slice(0, PLACES);
}

/** Places that wait are as high as rows, so that nothing moves. */
const places = (rows: readonly Row[] | undefined): readonly (Row | undefined)[] =>
  rows ?? Array.from({ length: PLACES }, () => undefined);

/** The question, and its event where that says more. */
function Name({ row }: { readonly row: Row }) {
  const { question, eventTitle = '', outcome } = row;
  const repeats = question.includes(eventTitle) || question.startsWith(eventTitle.slice(0, SIMILAR));
  const event = repeats ? '' : eventTitle;
  return (
    <span class="name">
      <Link class="link" to={{ market: row.slug ?? row.id }}>
        {question}
      </Link>
      <small>{[event, outcome, `${usd(row.volume)} volume`].filter(Boolean).join(' · ')}</small>
    </span>
  );
}
