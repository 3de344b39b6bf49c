/** The panel of the market that the reader opened: beside the list, or over it on small screens. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  cents,
  changeText,
  countdown,
  DOUBT,
  direction,
  fullMoment,
  shortMoment,
  slugWords,
  usd,
} from '../format.ts';
import { listen, useNow } from '../state/browser.ts';
import type { ListContent } from '../state/list.ts';
import { client } from '../state/service.ts';
import { closeMarket } from '../state/use-navigation.ts';
import { useRead } from '../state/use-read.ts';
import { NO_CHOICE } from '../state/view.ts';
import type { ChangeField } from './columns.ts';
import { ForDevelopers } from './for-developers.tsx';
import { Link, PolymarketLink } from './link.tsx';
import { MarketHistory } from './market-history.tsx';
import { Ended, type PanelMarket, Price } from './market-price.tsx';
import { MarketRules } from './market-rules.tsx';
import { OrderBook } from './order-book.tsx';
import { Siblings } from './siblings.tsx';

/** How often the shown market is read again. */
const POLL_MS = 60_000;

export function MarketDetail(props: {
  readonly id: string;
  readonly content: ListContent | undefined;
  readonly statusLine: ComponentChildren;
}) {
  const { id, content, statusLine } = props;
  const heading = useFocus();
  const { value, error } = useRead('market', id, (signal) => client.market(id, { signal }), {
    everyMs: POLL_MS,
  });
  // The addresses of the API calls that the parts have made, for developers.
  const [historyUrl, setHistoryUrl] = useState<string>();
  const [bookUrl, setBookUrl] = useState<string>();
  // The parts below the siblings, the event's other markets, wait until their height is known.
  const [hasSiblings, setHasSiblings] = useState(false);
  const listed = content?.markets.find((row) => row.id === id || row.slug === id);
  const market: PanelMarket | undefined = value?.data ?? listed;
  const pricesAt = value ? value.asOf : content?.asOf;
  const question = market?.question;
  const ended = value && value.data.status !== 'active' ? value.data : undefined;
  useEffect(() => {
    document.title = `${question ?? 'Market'} · Prediction markets`;
  }, [question]);
  useEffect(
    () =>
      listen<KeyboardEvent>(window, ['keydown'], ({ key }) => key === 'Escape' && closeMarket()),
    [],
  );
  return (
    <>
      <div class="scrim" aria-hidden="true" onClick={closeMarket} />
      <aside class="detail" aria-label="Market">
        <button type="button" class="close" aria-label="Close" onClick={closeMarket}>
          ✕
        </button>
        <h2 ref={heading} tabIndex={-1}>
          {question ?? slugWords(id)}
        </h2>
        {!market && error === undefined && <p class="muted">Loading …</p>}
        {market && (
          <>
            <p class="of">
              {market.eventSlug && (
                <Link
                  class="plain"
                  to={{ ...NO_CHOICE, market: undefined, event: market.eventSlug }}
                >
                  {market.eventTitle ?? market.eventSlug}
                </Link>
              )}
              {market.url && <PolymarketLink href={market.url} />}
            </p>
            {ended ? <Ended market={ended} /> : <Price market={market} asOf={pricesAt} />}
            <MarketHistory
              key={ended ? 'ended' : 'open'}
              market={market}
              ended={ended}
              asOf={pricesAt}
              onCall={setHistoryUrl}
            />
            <Details market={market} ended={ended !== undefined} />
            {'doubtfulChanges' in market && market.doubtfulChanges && <p class="muted">{DOUBT}</p>}
            {market.eventSlug && (
              <Siblings
                event={market.eventSlug}
                market={market.id}
                content={content}
                onSettled={() => setHasSiblings(true)}
              />
            )}
            {(hasSiblings || !market.eventSlug) && (
              <>
                {!ended && <OrderBook market={market} onCall={setBookUrl} />}
                <MarketRules key={market.id} id={market.id} />
                <ForDevelopers
                  urls={[value?.response.url, historyUrl, bookUrl]}
                  ids={{
                    'Condition id': market.id,
                    [`Token of “${market.outcome ?? 'Yes'}”`]: market.clobTokenId,
                  }}
                />
              </>
            )}
          </>
        )}
        {statusLine}
      </aside>
    </>
  );
}

/** Moves the focus to the heading, and back after closing. */
function useFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  // During the first render: afterwards the covered list is inert and has no focus.
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return heading;
}

/** The market's changes, amounts and end. */
function Details({ market, ended }: { readonly market: PanelMarket; readonly ended: boolean }) {
  const end = countdown(market.endDate, useNow(60_000), market.createdAt);
  const { spread } = market;
  const change = (label: string, field: ChangeField) => ({
    label,
    value: changeText(market, field),
    sign: direction(market[field]),
  });
  const details = [
    change('1-hour change', 'oneHourPriceChange'),
    change('7-day change', 'sevenDayPriceChange'),
    change('30-day change', 'thirtyDayPriceChange'),
    { label: 'Volume', value: usd(market.volume), sign: '' },
    { label: 'Volume in 24 h', value: usd(market.volume24h), sign: '' },
    { label: 'Liquidity', value: usd(market.liquidity), sign: '' },
    { label: 'Spread', value: spread === undefined ? '–' : cents(spread), sign: '' },
  ];
  // An ended market has no changes and no spread.
  const known = details.filter(({ value }) => !ended || value !== '–');
  return (
    <dl class="facts">
      {known.map(({ label, value, sign }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd class={sign} title={sign && 'Percentage points'}>
            {value}
          </dd>
        </div>
      ))}
      <div>
        <dt>{ended ? 'End date' : `Ends ${end ?? ''}`}</dt>
        <dd title={fullMoment(market.endDate, market.createdAt)}>
          {shortMoment(market.endDate, market.createdAt)}
        </dd>
      </div>
    </dl>
  );
}
