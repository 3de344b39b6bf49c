import { mix } from '../dataset/hash.ts';
import { json, type SimulatedResponse } from '../http/response.ts';
import type { UpstreamRequest } from '../route.ts';
import type { Instrument } from '../source.ts';
import type { State } from '../state.ts';
import { wireBook } from './book.ts';
import { BATCH_CAP, existing, tokensOf, trading } from './tokens.ts';

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
