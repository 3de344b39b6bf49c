import type { ResolvedMarket } from 'market-data-proxy-client';
import { useState } from 'preact/hooks';
import type { Point } from '../charts/layout.ts';
import type { Chart } from '../charts/price-chart.ts';
import { firstRange, type Life, rangeQuery, rangesOf } from '../charts/ranges.ts';
import { dateTime, shortMoment } from '../format.ts';
import { client } from '../state/service.ts';
import { History } from './history.tsx';
import type { EndedMarket, PanelMarket } from './market-price.tsx';

/** The price chart of one market. */
export function MarketHistory(props: {
  readonly market: PanelMarket;
  /** The same market if it has closed, with its end and its payouts. */
  readonly ended: EndedMarket | undefined;
  /** Time of the price. */
  readonly asOf: Date | undefined;
  /** Called with the address of the API call. */
  readonly onCall: (url: string) => void;
}) {
  const { market, ended, asOf, onCall } = props;
  const token = market.clobTokenId;
  const life = lifeOf(market, ended);
  const [now] = useState(() => Math.floor(Date.now() / 1_000));
  const ranges = rangesOf(life, now);
  return (
    <History
      ranges={ranges}
      first={ended ? 'max' : firstRange(ranges)}
      lines={[{ token, name: '', colour: 1, end: lastPoint(market, ended, asOf) }]}
      label={market.outcome ?? 'Yes'}
      mark={markOf(market, ended, life, now)}
      isLive={!ended}
      readPoints={async (_tokens, range) => {
        const { data, response } = await client.priceHistory(token, rangeQuery(range, life, now));
        onCall(response.url);
        return new Map([[token, data.history]]);
      }}
    />
  );
}

/** The time that the chart marks: when the market closed, or its end date if that has passed. */
function markOf(
  { endDate, createdAt }: PanelMarket,
  ended: EndedMarket | undefined,
  { end }: Life,
  now: number,
): Chart['mark'] {
  if (end !== undefined) return { t: end, text: `Closed ${dateTime(end * 1_000)}` };
  const planned = Date.parse(endDate) / 1_000;
  const isOverdue = !ended && planned < now;
  if (!isOverdue) return undefined;
  return { t: planned, text: `End date ${shortMoment(endDate, createdAt)}` };
}

/** The times of a market, as the chart's ranges need them. */
function lifeOf(market: PanelMarket, ended: EndedMarket | undefined): Life {
  const start = unixSeconds(market.createdAt);
  const closed = unixSeconds(ended?.closedAt);
  const resolved = ended?.status === 'resolved' ? unixSeconds(ended.resolvedAt) : undefined;
  return { start, end: closed ?? resolved, resolved };
}

function unixSeconds(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Math.floor(Date.parse(time) / 1_000);
}

/**
 * The end of the line: the present price of an open market, or the payout of a resolved one. A
 * market that has closed without a payout has neither.
 */
function lastPoint(
  market: PanelMarket,
  ended: EndedMarket | undefined,
  asOf: Date | undefined,
): Point | undefined {
  if (!ended) return pricePoint(market, asOf);
  return ended.status === 'resolved' ? payoutPoint(market, ended) : undefined;
}

/** The present price; undefined until it has been read. */
function pricePoint(
  { currentProbability }: PanelMarket,
  asOf: Date | undefined,
): Point | undefined {
  if (!asOf || currentProbability === undefined) return undefined;
  return { t: asOf.getTime() / 1_000, p: currentProbability / 100 };
}

/** The payout of the drawn outcome; undefined if upstream does not say when it was. */
function payoutPoint(
  { clobTokenId }: PanelMarket,
  { resolution, resolvedAt, closedAt }: ResolvedMarket,
): Point | undefined {
  const paid = resolution.payouts.find(({ tokenId }) => tokenId === clobTokenId);
  const time = resolvedAt ?? closedAt;
  if (!paid || !time) return undefined;
  return { t: Date.parse(time) / 1_000, p: paid.payout, payout: true };
}
