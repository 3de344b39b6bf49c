import type { MarketWithAllFields, ResolvedMarket, UnlistedMarket } from 'market-data-proxy-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { cents, date, dateTime, direction, ends, percent, signedPoints, usd } from '../format.ts';
import { listen, useNow } from '../state/browser.ts';
import type { Row } from '../state/list.ts';
import { client } from '../state/service.ts';
import { useRead } from '../state/use-read.ts';
import { Bar, Marked } from './bar.tsx';
import { ApiCalls, Copy } from './copy.tsx';
import { MarketHistory } from './history.tsx';
import { Link } from './link.tsx';
import { OrderBook } from './order-book.tsx';
import { Siblings } from './siblings.tsx';

const POLL_MS = 60_000;

type EndedMarket = UnlistedMarket | ResolvedMarket;
/** The market itself, or its row of the list until the market has been read. */
type PanelMarket = Row | MarketWithAllFields | EndedMarket;

/** One market with its history and its order book. */
export function MarketDetail(props: {
  readonly id: string;
  /** The market as the list has it, shown until the market itself has been read. */
  readonly listed: Row | undefined;
  readonly statusLine: ComponentChildren;
  readonly close: () => void;
}) {
  const { id, listed, statusLine, close } = props;
  const heading = useFocus();
  const { value, error } = useRead('market', id, (signal) => client.market(id, { signal }), { everyMs: POLL_MS });
  const [historyUrl, setHistoryUrl] = useState<string>();
  const [bookUrl, setBookUrl] = useState<string>();
  const market: PanelMarket | undefined = value?.data ?? listed;
  const question = market?.question;
  const ended = value && value.data.status !== 'active' ? value.data : undefined;
  useEffect(() => {
    document.title = `${question ?? 'Market'} · Prediction markets`;
  }, [question]);
  useEffect(() => listen<KeyboardEvent>(window, ['keydown'], ({ key }) => key === 'Escape' && close()), [close]);
  return (
    <>
      <div class="scrim" aria-hidden="true" onClick={close} />
      <aside class="detail" aria-label="Market">
        <button type="button" class="close" aria-label="Close" onClick={close}>
          ✕
        </button>
        <h2 ref={heading} tabIndex={-1}>
          {question ?? id.replaceAll('-', ' ')}
        </h2>
        {statusLine}
        {!market && error === undefined && <p class="muted">Loading …</p>}
        {market && (
          <>
            <p class="of">
              {market.eventSlug && (
                <Link class="plain" to={{ market: undefined, event: market.eventSlug, query: '', sort: undefined }}>
                  {market.eventTitle ?? market.eventSlug}
                </Link>
              )}
              {market.url && <a href={market.url}>Polymarket ↗</a>}
            </p>
            {ended ? <Ended market={ended} /> : <Price market={market} />}
            <Details market={market} ended={ended !== undefined} />
            <MarketHistory token={market.clobTokenId} ended={ended !== undefined} onCall={setHistoryUrl} />
            {market.eventSlug && <Siblings event={market.eventSlug} market={market.id} />}
            {!ended && <OrderBook token={market.clobTokenId} onCall={setBookUrl} />}
            <dl class="ids">
              <dt>Condition id</dt>
              <dd>
                <Copy text={market.id} label="Copy the condition id" />
              </dd>
              <dt>Token of “{market.outcome ?? 'Yes'}”</dt>
              <dd>
                <Copy text={market.clobTokenId} label="Copy the token id" />
              </dd>
            </dl>
            <ApiCalls urls={[value?.response.url, historyUrl, bookUrl]} />
          </>
        )}
      </aside>
    </>
  );
}

/** Moves the focus to the heading, and back when the reader closes the market. */
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

/** Upstream's words for an open market and for a result, which a closed market without payouts can have. */
const NOT_PENDING = ['active', 'resolved'];

/** How the market ended. */
function Ended({ market }: { readonly market: EndedMarket }) {
  if (market.status === 'resolved') {
    const { resolvedAt = market.closedAt, resolution } = market;
    const payouts = resolution.payouts.map(({ label, payout }) => `${label} pays ${cents(payout)}`);
    return (
      <p class="ended">
        <b>Resolved</b>
        {resolvedAt && ` ${date(resolvedAt)}`}: {payouts.join(', ')}.
      </p>
    );
  }
  const { closedAt, resolution, currentProbability: yes, outcome = 'Yes' } = market;
  const pending = resolution && !NOT_PENDING.includes(resolution.status) ? ` (${resolution.status})` : '';
  return (
    <p class="ended">
      <b>Closed</b>
      {closedAt && ` ${date(closedAt)}`}, not resolved yet{pending}.
      {yes !== undefined && ` The last price of “${outcome}” was ${percent(yes)}.`}
    </p>
  );
}

/** The probability of both sides. */
function Price({ market }: { readonly market: PanelMarket }) {
  const { currentProbability: yes, outcome = 'Yes', outcomes = [], clobTokenId } = market;
  const other = outcomes.find(({ tokenId }) => tokenId !== clobTokenId);
  return (
    <p class="large">
      {yes === undefined ? <b>–</b> : <Bar value={yes} />} <small>{outcome}</small>
      {other?.probability !== undefined && (
        <small>
          {other.label} <b>{percent(other.probability)}</b>
        </small>
      )}
    </p>
  );
}

function Details({ market, ended }: { readonly market: PanelMarket; readonly ended: boolean }) {
  const end = ends(market.endDate, useNow(60_000));
  const { oneDayPriceChange, sevenDayPriceChange, thirtyDayPriceChange, spread } = market;
  const changes = { '1-day': oneDayPriceChange, '7-day': sevenDayPriceChange, '30-day': thirtyDayPriceChange };
  const details = [
    ...Object.entries(changes).map(
      ([label, value]) => [`${label} change`, signedPoints(value), direction(value)] as const,
    ),
    ['Volume', usd(market.volume), ''],
    ['Volume in 24 h', usd(market.volume24h), ''],
    ['Liquidity', usd(market.liquidity), ''],
    ['Spread', spread === undefined ? '–' : cents(spread), ''],
  ] as const;
  return (
    <dl class="facts">
      {details.map(([label, value, sign]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd class={sign} title={sign && 'Percentage points'}>
            <Marked>{value}</Marked>
          </dd>
        </div>
      ))}
      <div>
        <dt>{ended ? 'End date' : `Ends ${end.startsWith('in ') ? end : ''}`}</dt>
        <dd title={dateTime(market.endDate)}>{date(market.endDate)}</dd>
      </div>
    </dl>
  );
}
