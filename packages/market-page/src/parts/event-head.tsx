import { countdown, date, percent, slugWords, usd } from '../format.ts';
import { useNow } from '../state/browser.ts';
import type { ListContent, Row } from '../state/list.ts';
import { useFailing } from '../state/service.ts';
import { NO_CHOICE } from '../state/view.ts';
import { EventHistory } from './event-history.tsx';
import { Link, PolymarketLink } from './link.tsx';

/** The head of an event, above the list of its markets: its title, sums, end and price chart. */
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
  const endDates = markets.map(({ endDate }) => endDate).sort();
  const end = endDates.at(-1) ?? '';
  const until = countdown(end, now);
  // `negRisk` is Polymarket's word for outcomes of which at most one can happen.
  const isExclusive = markets.length > 1 && markets.every(({ negRisk }) => negRisk);
  const hasAll = markets.length === total;
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
      {/* The placeholder is as tall as what arrives, so that nothing moves. */}
      {!content && !isFailing && <div class="event-waits waits" />}
      {first && (
        <>
          <ul class="facts">
            <li>
              <b>{usd(sumOf(markets, 'volume'))}</b> volume
            </li>
            <li>
              <b>{usd(sumOf(markets, 'volume24h'))}</b> in 24 h
            </li>
            <li>
              ends <b>{date(end)}</b>
              {until && `, ${until}`}
            </li>
            {isExclusive && hasAll && (
              <li title="At most one of these outcomes can happen. The prices of one event come from separate order books.">
                the {total} listed outcomes add up to{' '}
                <b>{percent(sumOf(markets, 'currentProbability'))}</b>
              </li>
            )}
          </ul>
          <EventHistory key={view?.event} rows={byProbability} asOf={asOf} end={end} />
        </>
      )}
    </section>
  );
}

/** The sum of a field over markets. An unknown value counts as 0. */
function sumOf(
  markets: readonly Row[],
  field: 'volume' | 'volume24h' | 'currentProbability',
): number {
  return markets.reduce((sum, market) => sum + (market[field] ?? 0), 0);
}
