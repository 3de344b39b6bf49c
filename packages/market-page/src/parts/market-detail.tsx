import type { Market } from 'market-data-proxy-client';
import { useEffect, useRef } from 'preact/hooks';
import { dateTime, direction, points, usd } from '../format.ts';
import { client } from '../state/api.ts';
import { useRead } from '../state/use-read.ts';
import { ApiCalls } from './api-calls.tsx';
import { Copy } from './copy.tsx';
import { History } from './history.tsx';
import { Bar } from './market-table.tsx';
import { Notice, sentenceOf } from './notices.tsx';
import { OrderBook } from './order-book.tsx';

const POLL_MS = 60_000;

/** One market: what is known of it, its history, and its order book while it is in view. */
export function MarketDetail(props: {
  readonly id: string;
  readonly known: Market | undefined;
  readonly close: () => void;
}) {
  const { id, known, close } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const { value, error } = useRead(id, (signal) => client.market(id, { signal }), POLL_MS);
  const market = value?.data ?? known;
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, [close]);
  return (
    <aside class="detail" aria-label="Market">
      <button type="button" class="close" aria-label="Close" onClick={close}>
        ✕
      </button>
      <h2 ref={heading} tabIndex={-1}>
        {market?.question ?? 'Market'}
      </h2>
      {error !== undefined && <Notice kind="detail">{sentenceOf(error)}</Notice>}
      {market && (
        <>
          <Facts market={market} />
          <History token={market.clobTokenId} />
          <OrderBook token={market.clobTokenId} />
          <dl class="ids">
            <dt>Condition id</dt>
            <dd>
              <Copy text={market.id} />
            </dd>
            <dt>Token of {market.outcome ?? 'Yes'}</dt>
            <dd>
              <Copy text={market.clobTokenId} />
            </dd>
          </dl>
          <ApiCalls id={market.id} token={market.clobTokenId} />
        </>
      )}
    </aside>
  );
}

function Facts({ market }: { readonly market: Market }) {
  const changes = [
    ['1 day', market.oneDayPriceChange],
    ['7 days', market.sevenDayPriceChange],
    ['30 days', market.thirtyDayPriceChange],
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
            <dd class={direction(value)}>{points(value)}</dd>
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
          <dt>Ends</dt>
          <dd>{dateTime(market.endDate)}</dd>
        </div>
      </dl>
    </>
  );
}
