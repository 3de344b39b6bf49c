import { json, type SimulatedResponse } from '../http/response.ts';
import type { UpstreamRequest } from '../route.ts';
import type { State } from '../state.ts';
import { decodeDataCursor, encodeDataCursor } from './cursor.ts';
import { dataError, unknownParameter } from './errors.ts';
import { dataPoints } from './points.ts';
import { camelCase, named, readDataWindow, wholeNumber } from './window.ts';

const LIMIT = 10_000;
const WINDOW_NAMES = ['token_id', 'interval', 'start', 'end', 'as_of', 'bucket_seconds'];
const NAMES = [...WINDOW_NAMES, 'limit', 'cursor'].flatMap((name) => [name, camelCase(name)]);

/** `GET /v2/prices-history`: one token a call, no batch; an unknown or untraded token is an empty page. */
export function dataHistory({ query, now }: UpstreamRequest, state: State): SimulatedResponse {
  const stranger = unknownParameter(query, NAMES);
  if (stranger !== undefined) return stranger;
  const token = named(query, 'token_id') ?? '';
  if (!/^\d{1,78}$/.test(token)) {
    return dataError('invalid_request', "'token_id' must be a decimal token id", 'token_id');
  }
  const nowSeconds = Math.floor(now / 1_000);
  const window = readDataWindow(query, nowSeconds);
  if ('status' in window) return window;
  const asked = WINDOW_NAMES.map((name) => named(query, name) ?? '').join('&');
  const cursorText = query.get('cursor');
  const cursor = cursorText === null ? undefined : decodeDataCursor(cursorText, asked);
  if (cursorText !== null && cursor === undefined) {
    return dataError('invalid_request', 'invalid cursor', 'cursor');
  }
  // The limit is the first page's: later ones have it in their cursor.
  const limit = cursor?.l ?? wholeNumber(query.get('limit') ?? String(LIMIT));
  if (limit === undefined || limit < 1 || limit > LIMIT) {
    return dataError('invalid_request', `limit must be between 1 and ${LIMIT}`, 'limit');
  }
  const instrument = state.source.instrument(token);
  const points = instrument === undefined ? [] : dataPoints(instrument, window, nowSeconds);
  const left = cursor === undefined ? points : points.filter((point) => point.timestamp > cursor.ts);
  const page = left.slice(0, limit);
  const offset = cursor?.d ?? 0;
  const last = page.at(-1);
  const more = left.length > page.length && last !== undefined;
  const next = more
    ? encodeDataCursor(
        { l: limit, ts: last.timestamp, sq: String(last.resolution_seconds), d: offset + page.length },
        asked,
      )
    : null;
  return json(200, { data: page, pagination: { limit, offset, has_more: more, next_cursor: next } });
}
