import { dataError } from './data-history.ts';
import type { SimulatedMarket, WireObject } from './market.ts';
import { hexWords, mix } from './random.ts';
import { json, type SimulatedRequest, type SimulatedResponse, type UpstreamData } from './route.ts';

/** Conditions of one call (docs/upstream.md). */
const MAX_CONDITIONS = 20;
/** Payouts are in millionths of a dollar a share. */
const MILLIONTHS = 1_000_000;
/** One row in this many lacks the time of its resolution. */
const UNTIMED_EVERY = 6;

/** `GET /v2/resolutions?condition=` of the Data API: rows of closed markets; an open or unknown one has none. */
export function resolutionsOf({ query, now }: SimulatedRequest, { conditions }: UpstreamData): SimulatedResponse {
  const ids = (query.get('condition') ?? '').split(',');
  if (ids.length > MAX_CONDITIONS || !ids.every((id) => /^0x[0-9a-f]{64}$/i.test(id))) {
    return dataError(400, `condition must be 1 to ${MAX_CONDITIONS} ids of 64 hex digits`);
  }
  const found = ids.map((id) => conditions.get(id.toLowerCase()));
  return json(200, { data: found.flatMap((market) => (market ? rowOf(market, now) : [])) });
}

function rowOf(market: SimulatedMarket, nowMs: number): WireObject[] {
  const resolution = market.resolution(nowMs);
  if (!resolution) return [];
  const { status, payouts, resolvedAt, wasDisputed } = resolution;
  const isResolved = status === 'resolved';
  const price = BigInt(payouts[0] * MILLIONTHS) * 10n ** 12n;
  const changedAt = isResolved ? resolvedAt : market.closesAt;
  const row = {
    question_id: `0x${hexWords(mix(market.key, 0x9e5), 8)}`,
    condition_id: market.conditionId,
    status,
    extended_review: false,
    was_disputed: wasDisputed,
    new_version_q: true,
    proposed_price: String(price),
    reproposed_price: wasDisputed && isResolved ? String(price) : '',
    // 69 stands for none.
    price: isResolved ? String(price) : '69',
    transaction_hash: `0x${hexWords(mix(market.key, 0x7a), 8)}`,
    log_index: market.key % 400,
    last_update_timestamp: String(Math.floor(changedAt / 1_000)),
    market_type: market.negRisk ? 'neg_risk' : 'binary',
  };
  if (!isResolved) return [row];
  const isUntimed = mix(market.key, 0x71) % UNTIMED_EVERY === 0;
  return [
    {
      ...row,
      payouts: payouts.map((payout) => payout * MILLIONTHS),
      resolution_source: 'reported',
      reporter: 'uma',
      was_arbitrated: false,
      resolved_at: isUntimed ? undefined : new Date(resolvedAt).toISOString().replace(/\.\d+/, ''),
    },
  ];
}
