import { countdown, date, percent, slugWords, usd } from '../format.ts';
import { useNow } from '../state/browser.ts';
import type { ListContent, Row } from '../state/list.ts';
import { useFailing } from '../state/service.ts';
import { NO_CHOICE } from '../state/view.ts';
import { EventHistory } from './event-history.tsx';
import { Link } from './link.tsx';
import { PolymarketLink } from './polymarket-link.tsx';

/** The head of an event: its title, sums, end and price chart. */
export function EventHead(props: {
  readonly slug: string;
  readonly content: ListContent | undefined;
}) {
  const { slug, content } = props;
  const isFailing = useFailing();
  const { markets = [], total, asOf, view } = content ?? {};
  const now = useNow(60_000);
  const [first] = markets;
  const byProbability = [...markets].sort((a, b) => b.currentProbability - a.currentProbability);
  const sum = (amount: (row: Row) => number | undefined) =>
    markets.reduce((all, row) => all + (amount(row) ?? 0), 0);
  const endDates = markets.map(({ endDate }) => endDate).sort();
  const end = endDates.at(-1) ?? '';
  const until = countdown(end, now);
  const exclusive =
    markets.length > 1 && markets.length === total && markets.every(({ negRisk }) => negRisk);
  return (
    <section class="event" aria-label="Event">
      <p class="of">
        <Link class="plain" to={{ ...NO_CHOICE, tab: 'events' }}>
          ← All events
        </Link>
        {first && (
          <PolymarketLink
            href={`https://polymarket.com/event/${encodeURIComponent(view?.event ?? '')}`}
          />
        )}
      </p>
      <h2>{first?.eventTitle ?? slugWords(slug)}</h2>
      {/* As tall as what arrives, so that nothing moves. */}
      {!content && !isFailing && <div class="event-waits waits" />}
      {first && (
        <>
          <ul class="facts">
            <li>
              <b>{usd(sum(({ volume }) => volume))}</b> volume
            </li>
            <li>
              <b>{usd(sum(({ volume24h }) => volume24h))}</b> in 24 h
            </li>
            <li>
              ends <b>{date(end)}</b>
              {until && `, ${until}`}
            </li>
            {exclusive && (
              <li title="At most one of these outcomes can happen. The prices of one event come from separate order books.">
                the {total} listed outcomes add up to{' '}
                <b>{percent(sum(({ currentProbability }) => currentProbability))}</b>
              </li>
            )}
          </ul>
          <EventHistory key={view?.event} rows={byProbability} asOf={asOf} end={end} />
        </>
      )}
    </section>
  );
}
