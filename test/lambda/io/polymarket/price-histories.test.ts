import { describe, expect, it } from '@jest/globals';
import type { HistorySpan } from '../../../../lambda/core/domain/history-plan.ts';
import type { Histories } from '../../../../lambda/io/polymarket/history-sources.ts';
import { PriceHistories } from '../../../../lambda/io/polymarket/price-histories.ts';
import { outcome } from '../../../support/outcome.ts';
import {
  type ReceivedRequest,
  type Reply,
  send,
  startStubUpstream,
} from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

// `PriceHistories` reads the past prices of tokens from the first of Polymarket's routes that has
// them. Three routes do: CLOB's for many tokens ("batch"), CLOB's for one ("single"), and the Data
// API's for one ("data"). In these tests, the price of a point shows its route.
const USUAL = { batch: 0.1, single: 0.2, data: 0.3 };

type RouteName = keyof typeof USUAL;
/**
 * What a route has for a token: a point with this price, a history without points, nothing (a batch
 * then omits the token), or a failure of the whole call.
 */
type Response = number | 'empty' | 'omitted' | Reply;
/** One response for all tokens, or responses by token. The other tokens have the usual price. */
type Responses = Response | Readonly<Record<string, Response>>;
type Routes = Partial<Record<RouteName, Responses>>;

const DOWN = send({ error: 'no' }, 500);
const NOT_FOUND = send({ error: 'no' }, 404);
/** Unix seconds. */
const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const DAY: HistorySpan = { kind: 'interval', interval: '1d', fidelity: 5 };
const WINDOW: HistorySpan = { kind: 'window', start: NOW - 86_400, end: NOW, fidelity: 10 };
/** A token with the layout of a position id of Protocol V2, whose prices CLOB may lack. */
const POSITION = String((BigInt(`0x01${'ab'.repeat(16)}${'00'.repeat(14)}`) << 8n) + 1n);

const stub = await startStubUpstream();

/**
 * The histories of a run (`read`) and those for a waiting caller (`live`). Both return a price for
 * each token, or 'empty' for a history without points. For example, the single route lacks prices:
 *
 *     expect(await rig({ single: 'empty' }).live(['7'])).toEqual({ 7: 0.3 });
 */
function rig(routes: Routes) {
  stub.reply(replyBy(routes));
  const { clock, upstream } = upstreamRig(stub.url);
  const histories = new PriceHistories({ clob: upstream('clob'), data: upstream('data'), clock });
  const pricesOf = async (reading: Promise<Histories>) => {
    const result = await outcome(reading);
    if (!(result instanceof Map)) return result;
    return Object.fromEntries(
      [...result].map(([token, points]) => [token, points.at(-1)?.p ?? 'empty']),
    );
  };
  // A caller waits for four seconds.
  const deadline = () => clock.now() + 4_000;
  const read = (...tokens: string[]) => pricesOf(histories.read(tokens, DAY, deadline()));
  const live = (tokens: readonly string[], span = DAY) =>
    pricesOf(histories.readLive(tokens, span, { deadline: deadline(), mayRetry: () => false }));
  return { clock, routes, read, live };
}

/** Replies to each call as its route does. */
function replyBy(routes: Routes): Reply {
  return (response, request) => {
    const { route, tokens } = callOf(request);
    const found = tokens.map((token) => responseOf(routes[route], token) ?? USUAL[route]);
    const failure = found.find((one) => typeof one === 'function');
    const reply = failure ?? send(bodyOf(route, tokens, found.map(pointsOf)));
    reply(response, request);
  };
}

/** The route that a call reaches, and the tokens whose histories it requests. */
function callOf({ url, body }: Pick<ReceivedRequest, 'url' | 'body'>) {
  const { pathname, searchParams } = new URL(url, stub.url);
  if (pathname === '/batch-prices-history')
    return { route: 'batch' as const, tokens: (body as { markets: string[] }).markets };
  if (pathname === '/prices-history')
    return { route: 'single' as const, tokens: searchParams.getAll('market') };
  return { route: 'data' as const, tokens: searchParams.getAll('token_id') };
}

function responseOf(responses: Responses | undefined, token: string): Response | undefined {
  return typeof responses === 'object' ? responses[token] : responses;
}

/** The points of a history, undefined if a batch omits it. */
function pointsOf(response: Response) {
  if (response === 'omitted') return undefined;
  return typeof response === 'number' ? [{ t: NOW - 60, p: response }] : [];
}

/** The JSON of a response in the shape of its route. Only that of a batch has several histories. */
function bodyOf(
  route: RouteName,
  tokens: readonly string[],
  histories: readonly ReturnType<typeof pointsOf>[],
) {
  if (route === 'batch')
    return { history: Object.fromEntries(tokens.map((token, n) => [token, histories[n]])) };
  const [points = []] = histories;
  if (route === 'single') return { history: points };
  return { data: points.map(({ t, p }) => ({ timestamp: t, price: p })) };
}

const TWENTY = Array.from({ length: 20 }, (_, n) => String(n + 1));
/** The routes of the calls so far. */
const called = () => stub.requests.map((request) => callOf(request).route);

describe('the history of one token for a caller', () => {
  it('comes from the single route', async () => {
    for (const token of ['7', POSITION]) {
      expect(await rig({}).live([token])).toEqual({ [token]: 0.2 });
      expect(called()).toEqual(['single']);
    }
  });

  it.each<{ when: string; routes: Routes; price: number | 'empty' }>([
    { when: 'fails', routes: { single: DOWN }, price: 0.3 },
    { when: 'has no points', routes: { single: 'empty' }, price: 0.3 },
    {
      when: 'has no points, like the Data API',
      routes: { single: 'empty', data: 'empty' },
      price: 'empty',
    },
    {
      when: 'fails and the Data API has no points',
      routes: { single: send('<html>', 403), data: 'empty' },
      price: 'empty',
    },
  ])('comes from the Data API if the single route $when', async ({ routes, price }) => {
    for (const token of ['7', POSITION]) {
      expect(await rig(routes).live([token])).toEqual({ [token]: price });
      expect(called()).toEqual(['single', 'data']);
    }
  });

  it('is unread, not empty, if CLOB has none and the Data API fails: the market may be resolved', async () => {
    const { live } = rig({ data: DOWN, single: 'empty' });
    expect(await live(['7'])).toMatchObject({ name: 'UpstreamError', status: 500 });
  });
});

// For one token and a day, the single route usually comes first.
describe('a route that failed', () => {
  it.each([
    { how: 'with status 500', failure: DOWN },
    { how: 'with a page of another server', failure: send('<html>', 404) },
  ])('$how comes last for 15 s', async ({ failure }) => {
    const { clock, live, routes } = rig({ single: failure });
    await live(['7']);
    routes.single = USUAL.single;
    await clock.advance(14_999);
    expect(await live(['7'])).toEqual({ 7: 0.3 });
    await clock.advance(1);
    expect(await live(['7'])).toEqual({ 7: 0.2 });
  });

  it('is still used when the others fail, and counts as sound again after a success', async () => {
    const { live, routes } = rig({ single: DOWN });
    await live(['7']);
    Object.assign(routes, { single: USUAL.single, data: DOWN });
    expect(await live(['7'])).toEqual({ 7: 0.2 });
    routes.data = USUAL.data;
    // Now the Data API is the one that failed. Otherwise it would be the first for a window.
    expect(await live(['7'], WINDOW)).toEqual({ 7: 0.2 });
  });

  it('for one token keeps its place for the others', async () => {
    const { live } = rig({ single: { 7: NOT_FOUND } });
    expect(await live(['7'])).toEqual({ 7: 0.3 });
    stub.requests.length = 0;
    expect(await live(['8'])).toEqual({ 8: 0.2 });
    expect(called()).toEqual(['single']);
  });
});

describe('the histories of many tokens for a caller', () => {
  it('come from one batch, and those that it lacks from a call of the Data API for each token', async () => {
    const batch: Responses = { 2: 'empty', 3: 'empty', [POSITION]: 'empty' };
    const data: Responses = { 3: 'empty' };
    const found = await rig({ batch, data }).live(['1', '2', '3', POSITION]);
    expect(found).toEqual({ 1: 0.1, 2: 0.3, 3: 'empty', [POSITION]: 0.3 });
    expect(called()).toEqual(['batch', 'data', 'data', 'data']);
  });

  it('come from the Data API if the batch route fails, except the tokens that it rejects', async () => {
    const { live } = rig({ batch: NOT_FOUND, data: { 1: NOT_FOUND } });
    const [, ...others] = TWENTY;
    expect(await live(TWENTY)).toEqual(Object.fromEntries(others.map((token) => [token, 0.3])));
    expect(called()).toHaveLength(21);
  });

  it('lack the tokens without points if the Data API fails, which gets one call', async () => {
    const batch = Object.fromEntries(TWENTY.map((token) => [token, 'empty' as const]));
    const { live } = rig({ batch: { ...batch, 1: 0.1 }, data: DOWN });
    expect(await live(TWENTY)).toEqual({ 1: 0.1 });
    expect(called()).toEqual(['batch', 'data']);
  });
});

// A run reads the histories of listed tokens, whose markets are open.
describe('the histories of listed tokens', () => {
  it('of positions without prices come from the Data API', async () => {
    const { read } = rig({ batch: { [POSITION]: 'empty' }, single: { [POSITION]: 'empty' } });
    expect(await read('7', POSITION)).toEqual({ 7: 0.1, [POSITION]: 0.3 });
    expect(called()).toEqual(['batch', 'single', 'data']);
  });

  it('are empty if CLOB has none of an open market', async () => {
    const { read } = rig({ batch: { 7: 'empty' } });
    expect(await read('7', '8')).toEqual({ 7: 'empty', 8: 0.1 });
    expect(called()).toEqual(['batch']);
  });

  it('that a batch omits come from the single route', async () => {
    const { read } = rig({ batch: { 7: 'omitted' } });
    expect(await read('7', '8')).toEqual({ 7: 0.2, 8: 0.1 });
    expect(called()).toEqual(['batch', 'single']);
  });

  it.each<{ what: string; others: Routes; prices: object }>([
    {
      what: 'come from the Data API if the single route fails',
      others: { single: NOT_FOUND },
      prices: { 7: 0.3, 8: 0.1 },
    },
    {
      what: 'are empty if the others have no points',
      others: { single: 'empty', data: 'empty' },
      prices: { 7: 'empty', 8: 0.1 },
    },
    {
      what: 'are unread if the others fail',
      others: { single: NOT_FOUND, data: NOT_FOUND },
      prices: { 8: 0.1 },
    },
  ])('that a batch omits $what', async ({ others, prices }) => {
    const { read } = rig({ batch: { 7: 'omitted' }, ...others });
    expect(await read('7', '8')).toEqual(prices);
    expect(called()).toEqual(['batch', 'single', 'data']);
  });

  it('are empty if no route of CLOB has a point and the Data API fails, except those of positions', async () => {
    const { read } = rig({ batch: 'empty', single: 'empty', data: NOT_FOUND });
    expect(await read('7', POSITION)).toEqual({ 7: 'empty' });
  });

  it('lack the tokens that no route could read', async () => {
    const failing: Responses = { 1: NOT_FOUND };
    const { read } = rig({ batch: failing, single: failing, data: failing });
    expect(await read('1', '2', '3')).toEqual({ 2: 0.2, 3: 0.2 });
  });
});

it('a window comes from the Data API first, from CLOB if that fails', async () => {
  expect(await rig({}).live(['7'], WINDOW)).toEqual({ 7: 0.3 });
  expect(await rig({ data: DOWN }).live(['7'], WINDOW)).toEqual({ 7: 0.2 });
});

it('the whole life comes from the Data API only: CLOB has the last month', async () => {
  const span: HistorySpan = { kind: 'interval', interval: 'max', fidelity: 720 };
  expect(await rig({}).live(['7'], span)).toEqual({ 7: 0.3 });
  expect(await outcome(rig({ data: DOWN }).live(['7'], span))).toMatchObject({
    name: 'UpstreamError',
    status: 500,
  });
  expect(called()).toEqual(['data']);
});
