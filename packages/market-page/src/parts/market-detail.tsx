import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { cents, date, dateTime, direction, ends, percent, points, usd } from '../format.ts';
import { useNow } from '../state/browser.ts';
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

/** What the panel shows. A row of the list has fewer fields, and a market that has ended may have no price. */
type PanelMarket = Omit<Row, 'currentProbability' | 'sevenDayPriceChange' | 'thirtyDayPriceChange'> & {
  readonly currentProbability?: number;
  readonly sevenDayPriceChange?: number | null;
  readonly thirtyDayPriceChange?: number | null;
  readonly spread?: number;
  readonly url?: string;
  readonly outcomes?: readonly { readonly label: string; readonly tokenId: string; readonly probability?: number }[];
  readonly status?: string;
  readonly closedAt?: string;
  readonly resolvedAt?: string;
  readonly resolution?: {
    readonly status: string;
    readonly payouts?: readonly { readonly label: string; readonly payout: number }[];
  };
};

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
  const ended = market?.status === 'closed' || market?.status === 'resolved';
  useEffect(() => {
    document.title = `${question ?? 'Market'} · Prediction markets`;
  }, [question]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [close]);
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
            <Price market={market} />
            <Details market={market} ended={ended} />
            <MarketHistory token={market.clobTokenId} ended={ended} onCall={setHistoryUrl} />
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

/** The probability of both sides, or how the market ended. */
function Price({ market }: { readonly market: PanelMarket }) {
  const { currentProbability: yes, outcome = 'Yes', outcomes = [], status, resolution, clobTokenId } = market;
  if (status === 'closed' || status === 'resolved') {
    const at = market.resolvedAt ?? market.closedAt;
    const payouts = (resolution?.payouts ?? []).map(({ label, payout }) => `${label} pays ${cents(payout)}`);
    return (
      <p class="ended">
        <b>{status === 'resolved' ? 'Resolved' : 'Closed'}</b>
        {at && ` ${date(at)}`}
        {payouts.length > 0
          ? `: ${payouts.join(', ')}.`
          : `. ${resolution ? `Resolution: ${resolution.status}.` : 'Not resolved yet.'}`}
        {status === 'closed' && yes !== undefined && ` The last price of “${outcome}” was ${percent(yes)}.`}
      </p>
    );
  }
  const other = outcomes.find(({ tokenId }) => tokenId !== clobTokenId);
  return (
    <p class="large">
      {yes === undefined ? <b>–</b> : <Bar value={yes} />} <small>{outcome}</small>
      {outcomes.length === 2 && other && yes !== undefined && (
        <small>
          {other.label} <b>{percent(other.probability ?? 100 - yes)}</b>
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
    ...Object.entries(changes).map(([label, value]) => [`${label} change`, points(value), direction(value)] as const),
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
        <dt>{ended ? 'Ended' : `Ends ${end.startsWith('in ') ? end : ''}`}</dt>
        <dd title={dateTime(market.endDate)}>{date(market.endDate)}</dd>
      </div>
    </dl>
  );
}
