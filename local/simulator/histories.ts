import { priceOf } from './books.ts';
import type { Point, WireObject } from './market.ts';
import { mix, unit } from './random.ts';
import type { OutcomeOf, SimulatedRequest, SimulatedResponse, UpstreamData } from './route.ts';
import { json, wholeNumber } from './route.ts';
import { DAY_SECONDS, HOUR_SECONDS } from './universe/dates.ts';

/** The window of a request: Unix seconds, both ends included, and `fidelity` in minutes. */
interface Window {
  readonly from: number;
  readonly to: number;
  readonly fidelity: number;
}

/**
 * The length of each interval in seconds, and its finest fidelity (`floor`) in minutes. `max` and
 * `all` cover 31 days only.
 */
const INTERVALS: Readonly<Record<string, readonly [seconds: number, floor: number]>> = {
  '1h': [HOUR_SECONDS, 1],
  '6h': [6 * HOUR_SECONDS, 1],
  '1d': [DAY_SECONDS, 1],
  '1w': [7 * DAY_SECONDS, 5],
  '1m': [31 * DAY_SECONDS, 10],
  max: [31 * DAY_SECONDS, 1],
  all: [31 * DAY_SECONDS, 1],
};
/** In seconds. CLOB rejects longer windows (docs/upstream.md). */
const MAX_WINDOW = 15 * DAY_SECONDS;
/** The tokens that CLOB accepts in one call (docs/upstream.md). */
const MAX_BATCH_TOKENS = 20;
/** A point lies this many seconds after a multiple of the fidelity, as in upstream. */
const MIN_DELAY = 11;
const MAX_DELAY = 59;

/** `GET /prices-history`: the history of one token, empty for an unknown or resolved one. */
export function oneHistory(
  { query, now }: SimulatedRequest,
  data: UpstreamData,
): SimulatedResponse {
  const sent = Object.fromEntries(query);
  if (!sent.market) return refusal("the 'market' (asset id) is mandatory");
  const window = readWindow({ ...sent, start: sent.startTs, end: sent.endTs }, now);
  if ('status' in window) return window;
  const history = pointsOf(sent.market, window, now, data);
  return json(200, { history }, { 'cache-control': 'public, max-age=90' });
}

/** `POST /batch-prices-history`: histories by token. Its parameters are in snake case. */
export function batchHistories(
  { body, now }: SimulatedRequest,
  data: UpstreamData,
): SimulatedResponse {
  const sent: WireObject = { ...(body as object) };
  const tokens = Array.isArray(sent.markets) ? sent.markets.map(String) : [];
  if (tokens.length === 0) return refusal("the 'markets' (asset ids) are mandatory");
  if (tokens.length > MAX_BATCH_TOKENS)
    return refusal(`at most ${MAX_BATCH_TOKENS} 'markets' are allowed`);
  const window = readWindow({ ...sent, start: sent.start_ts, end: sent.end_ts }, now);
  if ('status' in window) return window;
  // Nobody has observed Protocol V2 ids on this route, so the simulator assumes the worst.
  const isListed = (token: string): boolean => data.outcomes.get(token)?.market.version === 'v1';
  const histories = tokens.map((token) => [
    token,
    isListed(token) ? pointsOf(token, window, now, data) : [],
  ]);
  return json(200, { history: Object.fromEntries(histories) });
}

/** The points of a window, oldest first. */
function pointsOf(
  token: string,
  window: Window,
  nowMs: number,
  { outcomes }: UpstreamData,
): Point[] {
  const outcome = outcomes.get(token);
  // Resolved markets have no history here.
  if (!outcome?.market.hasPrices || outcome.market.resolution(nowMs)?.status === 'resolved')
    return [];
  const now = Math.floor(nowMs / 1_000);
  const points = gridPoints(outcome, { ...window, to: Math.min(window.to, now) });
  // Upstream appends a point at the current time, even to a past window.
  return [...points, { t: now, p: priceOf(outcome, now * 1_000) }];
}

/** One point for each step of the fidelity. */
function gridPoints(outcome: OutcomeOf, { from, to, fidelity }: Window): Point[] {
  const step = fidelity * 60;
  const first = Math.max(from, Math.ceil(outcome.market.createdAt / 1_000));
  const points: Point[] = [];
  for (let k = Math.floor(first / step); k * step <= to + step; k++) {
    const delay = MIN_DELAY + unit(mix(outcome.market.key ^ fidelity, k)) * (MAX_DELAY - MIN_DELAY);
    const t = k * step + Math.round(delay);
    if (t >= first && t <= to) points.push({ t, p: priceOf(outcome, t * 1_000) });
  }
  return points;
}

/** The window, or upstream's own error text. An interval wins over explicit times. */
function readWindow(
  { interval, fidelity = 1, start, end }: WireObject,
  nowMs: number,
): Window | SimulatedResponse {
  const now = Math.floor(nowMs / 1_000);
  const minutes = wholeNumber(fidelity);
  if (minutes === undefined) return refusal("the 'fidelity' value is not valid");
  if (interval !== undefined) {
    const [seconds, floor] = INTERVALS[String(interval)] ?? [0, 0];
    if (seconds === 0) {
      return refusal("the 'interval' value is unknown. Known values: '1m', '1w', '1d', '6h', '1h'");
    }
    if (minutes < floor) return refusal(`minimum 'fidelity' for '${interval}' range is ${floor}`);
    return { from: now - seconds, to: now, fidelity: minutes };
  }
  const from = wholeNumber(start);
  const to = wholeNumber(end ?? now);
  if (from === undefined || to === undefined || to < from)
    return refusal("'startTs' and 'endTs' are not valid");
  if (to - from > MAX_WINDOW) return refusal("'startTs' and 'endTs' interval is too long");
  if (minutes < 1) return refusal("minimum 'fidelity' for 'startTs' range is 1");
  return { from, to, fidelity: minutes };
}

function refusal(reason: string): SimulatedResponse {
  return json(400, { error: `invalid filters: ${reason}` });
}
