import { mix, unit } from '../dataset/hash.ts';
import { middle } from '../dataset/prices.ts';
import { json, type SimulatedResponse } from '../http/response.ts';
import type { UpstreamRequest } from '../route.ts';
import type { Instrument, Point } from '../source.ts';
import type { State } from '../state.ts';
import { readWindow, type Window } from './window.ts';

/** Most tokens of one batch call (upstream.md). */
const BATCH_CAP = 20;
/** Resolved markets have no points finer than this, in minutes (Polymarket/py-clob-client issue 216: 12 hours). */
const RESOLVED_FIDELITY = 720;
/** Points lie up to this share of a step off the grid; in the recordings most lie within it. */
const UNEVENNESS = 0.12;
/** Upstream's cache keeps a history this long (upstream.md). */
const HEADERS = { 'cache-control': 'public, max-age=90' };

/** `GET /prices-history`: `{"history":[{t,p}]}`, empty for an unknown token. */
export function oneHistory({ query, now }: UpstreamRequest, state: State): SimulatedResponse {
  const token = query.get('market') ?? '';
  if (token === '') return json(400, { error: "invalid filters: the 'market' (asset id) is mandatory" });
  const asked = {
    interval: query.get('interval'),
    fidelity: query.get('fidelity'),
    start: query.get('startTs'),
    end: query.get('endTs'),
  };
  const window = readWindow(asked, Math.floor(now / 1_000));
  if ('error' in window) return json(400, window);
  return json(200, { history: points(token, window, now, state) }, HEADERS);
}

/** `POST /batch-prices-history`: `{"history":{"<token>":[{t,p}]}}`, with snake-case window names. */
export function manyHistories({ body, now }: UpstreamRequest, state: State): SimulatedResponse {
  if (typeof body !== 'object' || body === null) return json(400, { error: 'Invalid payload' });
  const asked = body as Readonly<Record<string, unknown>>;
  const markets: unknown = asked.markets;
  if (
    !Array.isArray(markets) ||
    markets.length === 0 ||
    !markets.every((token) => typeof token === 'string')
  ) {
    return json(400, { error: "invalid filters: the 'markets' (asset ids) are mandatory" });
  }
  if (markets.length > BATCH_CAP) {
    return json(400, { error: `invalid filters: at most ${BATCH_CAP} 'markets' are allowed` });
  }
  const request = {
    interval: asked.interval,
    fidelity: asked.fidelity,
    start: asked.start_ts,
    end: asked.end_ts,
  };
  const window = readWindow(request, Math.floor(now / 1_000));
  if ('error' in window) return json(400, window);
  const history: Record<string, readonly Point[]> = {};
  for (const token of markets as readonly string[]) history[token] = points(token, window, now, state);
  return json(200, { history });
}

function points(token: string, window: Window, nowMs: number, state: State): readonly Point[] {
  const instrument = state.source.instrument(token);
  if (instrument === undefined) return [];
  const now = Math.floor(nowMs / 1_000);
  if (instrument.history !== undefined) return recordedPoints(instrument.history, window, now);
  if (instrument.endedAt !== undefined) {
    return window.fidelity < RESOLVED_FIDELITY ? [] : gridPoints(instrument, window);
  }
  const quote = instrument.quote(nowMs);
  if (quote.bid === null && quote.ask === null) return [];
  const list = gridPoints(instrument, { ...window, to: Math.min(window.to, now) });
  const last = { t: now, p: middle(quote, instrument.units) };
  // Appended even when the window ends in the past; now and then the point before it has the same time.
  if (window.to >= now && mix(instrument.key, window.fidelity) % 3 === 0) list.push(last);
  list.push(last);
  return list;
}

/** Points near the multiples of the fidelity, unevenly, from the market's birth on. */
function gridPoints(instrument: Instrument, window: Window): Point[] {
  const step = window.fidelity * 60;
  const born = Math.ceil(instrument.bornAt / 1_000);
  const ended = instrument.endedAt === undefined ? Number.POSITIVE_INFINITY : instrument.endedAt / 1_000;
  const from = Math.max(window.from, born);
  const to = Math.min(window.to, ended);
  const list: Point[] = [];
  for (let k = Math.floor(from / step); k <= Math.ceil(to / step); k++) {
    const t =
      k * step + Math.round((unit(mix(instrument.key ^ window.fidelity, k)) * 2 - 1) * UNEVENNESS * step);
    if (t >= from && t <= to) list.push({ t, p: middle(instrument.quote(t * 1_000), instrument.units) });
  }
  return list;
}

/** A recorded history cut to the window and thinned to the fidelity, with the appended point. */
function recordedPoints(
  history: NonNullable<Instrument['history']>,
  window: Window,
  now: number,
): readonly Point[] {
  const recorded = history(window.from, now);
  const step = window.fidelity > recorded.fidelity ? window.fidelity * 60 : 0;
  const list: Point[] = [];
  let due = Number.NEGATIVE_INFINITY;
  for (const point of recorded.points) {
    if (point.t < window.from || point.t > window.to || point.t < due) continue;
    list.push(point);
    // A grid, not a distance from the last point kept: otherwise unevenness would add up.
    due = step === 0 ? due : (Math.floor(point.t / step) + 1) * step;
  }
  const last = recorded.points.at(-1);
  if (last !== undefined && list.at(-1)?.t !== last.t) list.push(last);
  return list;
}
