import { json, type SimulatedResponse } from '../http/response.ts';
import type { UpstreamRequest } from '../route.ts';
import type { Instrument } from '../source.ts';
import type { State } from '../state.ts';
import { lastTradeOf, midpointOf, priceOf, SIDES, spreadOf } from './quotes.ts';
import { BATCH_CAP, entriesOf, existing, tokensOf, trading } from './tokens.ts';

type Respond = (request: UpstreamRequest, state: State) => SimulatedResponse;

/** A route that says one thing of `?token_id=`; 404 for a token without a book. */
function ofToken(say: (instrument: Instrument, request: UpstreamRequest) => unknown): Respond {
  return (request, state) => {
    const token = request.query.get('token_id') ?? request.path.token ?? '';
    if (token === '') return json(400, { error: 'Invalid token id' });
    const instrument = trading(token, state);
    if (instrument === undefined) {
      return json(404, { error: 'No orderbook exists for the requested token id' });
    }
    return json(200, say(instrument, request));
  };
}

/** A POST route that says something of each token it knows, by token. */
function ofTokens(say: (instrument: Instrument, nowMs: number) => unknown): Respond {
  return (request, state) => {
    const tokens = tokensOf(request.body, BATCH_CAP);
    if ('status' in tokens) return tokens;
    const found = existing(tokens.list, state);
    return json(200, Object.fromEntries(found.map((one) => [one.token, say(one, request.now)])));
  };
}

export const midpoint = ofToken((one, { now }) => ({ mid: midpointOf(one, now) }));
export const midpoints = ofTokens(midpointOf);
export const spread = ofToken((one, { now }) => ({ spread: spreadOf(one, now) }));
export const spreads = ofTokens(spreadOf);
export const lastTradePrice = ofToken((one, { now }) => lastTradeOf(one, now));
export const tickSize = ofToken((one) => ({ minimum_tick_size: 1 / one.units }));
export const negRisk = ofToken((one) => ({ neg_risk: one.negRisk }));
export const feeRate = ofToken(() => ({ base_fee: 1_000 }));
export const marketByToken = ofToken((one) => ({
  condition_id: one.conditionId,
  primary_token_id: one.outcome === 0 ? one.token : one.opposite,
  secondary_token_id: one.outcome === 0 ? one.opposite : one.token,
}));

/** `GET /price?token_id=&side=`. */
export function price(request: UpstreamRequest, state: State): SimulatedResponse {
  const side = SIDES.find((known) => known === request.query.get('side')?.toUpperCase());
  if (side === undefined) return json(400, { error: 'Invalid side' });
  return ofToken((one, { now }) => ({ price: priceOf(one, side, now) }))(request, state);
}

/** `POST /prices` with `[{token_id, side}]`: `{"<token>":{"BUY","SELL"}}`, the sides that were asked for. */
export function prices(request: UpstreamRequest, state: State): SimulatedResponse {
  const entries = entriesOf(request.body, BATCH_CAP);
  if ('status' in entries) return entries;
  const body: Record<string, Record<string, string>> = {};
  for (const entry of entries.list) {
    const side = SIDES.find((known) => known === entry.side);
    const instrument = typeof entry.token_id === 'string' ? trading(entry.token_id, state) : undefined;
    if (side === undefined) return json(400, { error: 'Invalid side' });
    if (instrument === undefined) continue;
    body[instrument.token] = { ...body[instrument.token], [side]: priceOf(instrument, side, request.now) };
  }
  return json(200, body);
}

/** `POST /last-trades-prices`: `[{token_id, price, side}]`; tokens that never traded are missing. */
export function lastTradesPrices(request: UpstreamRequest, state: State): SimulatedResponse {
  const tokens = tokensOf(request.body, BATCH_CAP);
  if ('status' in tokens) return tokens;
  const rows = existing(tokens.list, state)
    .map((one) => ({ token_id: one.token, ...lastTradeOf(one, request.now) }))
    .filter((row) => row.side !== '');
  return json(200, rows);
}

/** `GET /clob-markets/{condition}`: only the form with 64 digits is known. */
export function clobMarket({ path }: UpstreamRequest, { source }: State): SimulatedResponse {
  const condition = path.condition ?? '';
  const [first, second] = (source.assetIds(condition.toLowerCase()) ?? []).map((id) => source.instrument(id));
  if (first === undefined || second === undefined) return json(404, { error: 'market not found' });
  return json(200, {
    r: { mi: 50, ma: 4.5, moas: 30 },
    t: [first, second].map((one) => ({ t: one.token, o: one.about.outcome })),
    c: first.conditionId,
    mos: 5,
    mts: 1 / first.units,
    mbf: 1_000,
    tbf: 1_000,
    ao: first.trading,
    cbos: true,
    aot: new Date(first.bornAt).toISOString().replace(/\.\d+/, ''),
    itode: true,
    fd: { r: 0.07, e: 1, to: true },
    v: first.version,
  });
}
