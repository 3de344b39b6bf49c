/**
 * The simulated CLOB's routes for price histories: one for a single token, one for several. CLOB
 * calls the minutes between two points the fidelity.
 */
import { priceOf } from './books.ts';
import type { Point, WireObject } from './market.ts';
import { mix, unit } from './random.ts';
import type { OutcomeOf, SimulatedRequest, SimulatedResponse, UpstreamData } from './route.ts';
import { json, wholeNumber } from './route.ts';
import { DAY_SECONDS, HOUR_SECONDS } from './universe/dates.ts';

/** The window of a request: Unix seconds, both ends included. */
interface Window {
  readonly from: number;
  readonly to: number;
  /** The minutes between two points. */
  readonly fidelity: number;
}

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

/** The tokens that CLOB accepts in one call (docs/upstream.md). */
const MAX_BATCH_TOKENS = 20;

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
  const history: Record<string, Point[]> = {};
  for (const token of tokens) {
    history[token] = isListed(token) ? pointsOf(token, window, now, data) : [];
  }
  return json(200, { history });
}

/** The points of a token in a window, oldest first. An unknown token has none. */
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

/** The seconds from a multiple of the fidelity to its point, as in upstream: a random number. */
const MIN_DELAY = 11;
const MAX_DELAY = 59;

/** One point for each step of the fidelity, a random delay after the step begins. */
function gridPoints(outcome: OutcomeOf, { from, to, fidelity }: Window): Point[] {
  const { key, createdAt } = outcome.market;
  const stepSeconds = fidelity * 60;
  const first = Math.max(from, Math.ceil(createdAt / 1_000));
  const points: Point[] = [];
  for (let step = Math.floor(first / stepSeconds); step * stepSeconds <= to; step++) {
    const delay = MIN_DELAY + unit(mix(key ^ fidelity, step)) * (MAX_DELAY - MIN_DELAY);
    const t = step * stepSeconds + Math.round(delay);
    if (t >= first && t <= to) points.push({ t, p: priceOf(outcome, t * 1_000) });
  }
  return points;
}

/** A window that ends now, by its name in a request. */
interface Interval {
  /** Seconds. */
  readonly length: number;
  /** Minutes. */
  readonly minFidelity: number;
}

/** The intervals of upstream (docs/upstream.md). On this route, `max` and `all` cover 31 days. */
const INTERVALS: Readonly<Record<string, Interval>> = {
  '1h': { length: HOUR_SECONDS, minFidelity: 1 },
  '6h': { length: 6 * HOUR_SECONDS, minFidelity: 1 },
  '1d': { length: DAY_SECONDS, minFidelity: 1 },
  '1w': { length: 7 * DAY_SECONDS, minFidelity: 5 },
  '1m': { length: 31 * DAY_SECONDS, minFidelity: 10 },
  max: { length: 31 * DAY_SECONDS, minFidelity: 1 },
  all: { length: 31 * DAY_SECONDS, minFidelity: 1 },
};

/** In seconds. CLOB rejects longer windows (docs/upstream.md). */
const MAX_WINDOW = 15 * DAY_SECONDS;

/** The window of a request, or upstream's rejection. An interval wins over explicit times. */
function readWindow(
  { interval, fidelity = 1, start, end }: WireObject,
  nowMs: number,
): Window | SimulatedResponse {
  const now = Math.floor(nowMs / 1_000);
  const minutes = wholeNumber(fidelity);
  if (minutes === undefined) return refusal("the 'fidelity' value is not valid");
  if (interval !== undefined) {
    const known = INTERVALS[String(interval)];
    if (!known) {
      return refusal("the 'interval' value is unknown. Known values: '1m', '1w', '1d', '6h', '1h'");
    }
    const { length, minFidelity } = known;
    if (minutes < minFidelity)
      return refusal(`minimum 'fidelity' for '${interval}' range is ${minFidelity}`);
    return { from: now - length, to: now, fidelity: minutes };
  }
  const from = wholeNumber(start);
  const to = wholeNumber(end ?? now);
  if (from === undefined || to === undefined || to < from)
    return refusal("'startTs' and 'endTs' are not valid");
  if (to - from > MAX_WINDOW) return refusal("'startTs' and 'endTs' interval is too long");
  if (minutes < 1) return refusal("minimum 'fidelity' for 'startTs' range is 1");
  return { from, to, fidelity: minutes };
}

/** CLOB's rejection of a query. */
function refusal(reason: string): SimulatedResponse {
  return json(400, { error: `invalid filters: ${reason}` });
}
