import { mix } from '../dataset/hash.ts';
import { json, type SimulatedResponse } from '../http/response.ts';
import type { UpstreamRequest } from '../routes.ts';
import type { Instrument } from '../source.ts';
import type { State } from '../state.ts';
import { wireBook } from './book.ts';
import { tokensOf } from './tokens.ts';

/** Most tokens of one call of `/books` and `/midpoints` (upstream.md). */
const BATCH_CAP = 500;

/** `GET /book?token_id=`. */
export function oneBook(request: UpstreamRequest, state: State): SimulatedResponse {
  const token = request.query.get('token_id') ?? '';
  if (token === '') return json(400, { error: 'Invalid token id' });
  const instrument = trading(token, state);
  if (instrument === undefined) return json(404, { error: 'No orderbook exists for the requested token id' });
  return json(200, wireBook(instrument, request.now));
}

/** `POST /books`: the books that exist, in no promised order. */
export function manyBooks(request: UpstreamRequest, state: State): SimulatedResponse {
  const tokens = tokensOf(request.body, BATCH_CAP);
  if ('status' in tokens) return tokens;
  const instruments = existing(tokens.list, state);
  const order = (instrument: Instrument) => mix(instrument.key, instrument.outcome);
  instruments.sort((a, b) => order(a) - order(b));
  return json(
    200,
    instruments.map((instrument) => wireBook(instrument, request.now)),
  );
}

/** `POST /midpoints`: decimal strings by token; tokens without two sides are missing. */
export function midpoints(request: UpstreamRequest, state: State): SimulatedResponse {
  const tokens = tokensOf(request.body, BATCH_CAP);
  if ('status' in tokens) return tokens;
  const body: Record<string, string> = {};
  for (const instrument of existing(tokens.list, state)) {
    const midpoint = midpointOf(instrument, request.now);
    if (midpoint !== undefined) body[instrument.token] = midpoint;
  }
  return json(200, body);
}

function midpointOf(instrument: Instrument, nowMs: number): string | undefined {
  const { bid, ask } = instrument.quote(nowMs);
  if (bid === null || ask === null) return undefined;
  return String((bid + ask) / (2 * instrument.units));
}

function existing(tokens: readonly string[], state: State): Instrument[] {
  return [...new Set(tokens)].flatMap((token) => trading(token, state) ?? []);
}

function trading(token: string, state: State): Instrument | undefined {
  const instrument = state.source.instrument(token);
  return instrument?.trading === true ? instrument : undefined;
}
