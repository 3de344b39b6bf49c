/**
 * Merges the points of several calls to Polymarket ("upstream") into one price history. A
 * `HistoryPlan` says which calls: each for a span of time, with a point for each step of `fidelity`
 * minutes. The history of a resolved market ends with a payout, which is what a share pays.
 */

import type { HistoryPlan, HistorySpan } from './history-plan.ts';
import type { PricePoint } from './price-history.ts';
import { MINUTE_SECONDS } from './time.ts';

/** What upstream returned for the span of one call. */
interface HistoryPart {
  readonly span: HistorySpan;
  readonly points: readonly PricePoint[];
}

/**
 * Merges the parts into one series: the latest point of each step (steps count from 1970, UTC),
 * with upstream's time and price. The payout comes last: at upstream's time, or a second after the
 * last price if that is later.
 *
 * @param parts by span, oldest first
 */
export function mergeHistory(
  plan: HistoryPlan,
  parts: readonly HistoryPart[],
): readonly PricePoint[] {
  const step = plan.fidelity * MINUTE_SECONDS;
  // A later point of a step replaces the earlier one.
  const latestByStep = new Map<number, PricePoint>();
  for (const point of pricesIn(plan, parts).sort((a, b) => a.t - b.t))
    latestByStep.set(Math.floor(point.t / step), point);
  const prices = [...latestByStep.values()];

  const payout = payoutOf(parts);
  if (!payout) return prices;
  const lastTime = prices.at(-1)?.t ?? 0;
  const t = Math.max(payout.t, lastTime + 1);
  return t >= plan.start && t <= plan.end ? [...prices, { ...payout, t }] : prices;
}

/** The points of each part that lie in its span and in the plan, without payouts. */
function pricesIn({ start, end }: HistoryPlan, parts: readonly HistoryPart[]): PricePoint[] {
  return parts.flatMap(({ span, points }, index) => {
    const isLastPart = index === parts.length - 1;
    const from = span.kind === 'window' ? Math.max(span.start, start) : start;
    // The last window ends now. The plan ends a minute later, in case upstream's clock is ahead.
    const until = span.kind === 'window' && !isLastPart ? span.end : end;
    return points.filter(({ t, payout }) => t >= from && t <= until && !payout);
  });
}

/** The payout, which only the newest part with points can have. */
function payoutOf(parts: readonly HistoryPart[]): PricePoint | undefined {
  const newest = parts.findLast(({ points }) => points.length > 0);
  return newest?.points.findLast(({ payout }) => payout);
}
