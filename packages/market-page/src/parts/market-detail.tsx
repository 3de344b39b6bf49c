import type { Market } from 'market-data-proxy-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { date, dateTime, direction, ends, points, usd } from '../format.ts';
import { useNow } from '../state/browser.ts';
import { client } from '../state/service.ts';
import type { Navigation } from '../state/use-navigation.ts';
import { useRead } from '../state/use-read.ts';
import { ApiCalls } from './api-calls.tsx';
import { Bar } from './bar.tsx';
import { Copy } from './copy.tsx';
import { History } from './history.tsx';
import { OrderBook } from './order-book.tsx';

const POLL_MS = 60_000;

/** One market with its history and its order book. */
export function MarketDetail(props: {
  readonly id: string;
  /** The market as the list has it, shown until the market itself has been read. */
  readonly listed: Market | undefined;
  readonly statusLine: ComponentChildren;
  readonly navigation: Navigation;
  readonly close: () => void;
}) {
  const { id, listed, statusLine, close } = props;
  const heading = useFocus();
  const { value, error } = useRead('market', id, (signal) => client.market(id, { signal }), { everyMs: POLL_MS });
  const [historyUrl, setHistoryUrl] = useState<string>();
  const [bookUrl, setBookUrl] = useState<string>();
  const market = value?.data ?? listed;
  const question = market?.question;
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
            <Details market={market} />
            <History token={market.clobTokenId} onCall={setHistoryUrl} />
            <OrderBook token={market.clobTokenId} onCall={setBookUrl} />
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

function Details({ market }: { readonly market: Market }) {
  const end = ends(market.endDate, useNow(60_000));
  const changes = [
    ['1-day change', market.oneDayPriceChange],
    ['7-day change', market.sevenDayPriceChange],
    ['30-day change', market.thirtyDayPriceChange],
  ] as const;
  return (
    <>
      <p class="large">
        <Bar value={market.currentProbability} /> <small>probability of “{market.outcome ?? 'Yes'}”</small>
      </p>
      <dl class="facts">
        {changes.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class={direction(value)} title="Percentage points">
              {points(value)}
            </dd>
          </div>
        ))}
        <div>
          <dt>Volume</dt>
          <dd>{usd(market.volume)}</dd>
        </div>
        <div>
          <dt>Liquidity</dt>
          <dd>{usd(market.liquidity)}</dd>
        </div>
        <div>
          <dt>Ends {end.startsWith('in ') && end}</dt>
          <dd title={dateTime(market.endDate)}>{date(market.endDate)}</dd>
        </div>
      </dl>
    </>
  );
}
