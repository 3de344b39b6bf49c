/**
 * The simulated Data API's route for resolutions: how markets ended, and what each outcome pays.
 */
import { dataError } from './data-history.ts';
import type { SimulatedMarket, WireObject } from './market.ts';
import { mix } from './random.ts';
import { json, type SimulatedRequest, type SimulatedResponse, type UpstreamData } from './route.ts';

/** The condition ids that the Data API accepts in one call (docs/upstream.md). */
const MAX_CONDITIONS = 20;
/** Payouts are in millionths of a dollar a share. */
const MILLIONTHS = 1_000_000;
/** One row in this many has no resolution time. */
const UNTIMED_EVERY = 6;

/** `GET /v2/resolutions?condition=`: the resolutions of closed markets. Omits open markets. */
export function resolutionsOf(
  { query, now }: SimulatedRequest,
  { conditions, past }: UpstreamData,
): SimulatedResponse {
  const ids = (query.get('condition') ?? '').split(',');
  if (ids.length > MAX_CONDITIONS || !ids.every((id) => /^0x[0-9a-f]{64}$/i.test(id))) {
    return dataError(400, `condition must be 1 to ${MAX_CONDITIONS} ids of 64 hex digits`);
  }
  const markets = ids
    .map((id) => id.toLowerCase())
    .map((id) => conditions.get(id) ?? past().conditions.get(id));
  return json(200, { data: markets.flatMap((market) => (market ? rowOf(market, now) : [])) });
}

/** The row of a market in the Data API's form; none while it is open. */
function rowOf(market: SimulatedMarket, nowMs: number): WireObject[] {
  const resolution = market.resolution(nowMs);
  if (!resolution) return [];
  const { status, payouts, resolvedAt } = resolution;
  const isResolved = status === 'resolved';
  const isTimed = isResolved && mix(market.key, 0x71) % UNTIMED_EVERY !== 0;
  return [
    {
      condition_id: market.conditionId,
      status,
      was_disputed: false,
      last_update_timestamp: String(
        Math.floor((isResolved ? resolvedAt : market.closesAt) / 1_000),
      ),
      payouts: isResolved ? payouts.map((payout) => payout * MILLIONTHS) : undefined,
      resolution_source: isResolved ? 'reported' : undefined,
      resolved_at: isTimed ? new Date(resolvedAt).toISOString().replace(/\.\d+/, '') : undefined,
    },
  ];
}
