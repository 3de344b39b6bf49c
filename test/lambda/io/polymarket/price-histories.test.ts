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
// API's for one ("data"). The price of a point shows which route it came from: 0.1, 0.2 or 0.3.

/** Unix seconds. */
const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const DAY: HistorySpan = { kind: 'interval', interval: '1d', fidelity: 5 };
const WINDOW: HistorySpan = { kind: 'window', start: NOW - 86_400, end: NOW, fidelity: 10 };
/** A token with the layout of a position id of Protocol V2, whose prices CLOB may lack. */
const POSITION = String((BigInt(`0x01${'ab'.repeat(16)}${'00'.repeat(14)}`) << 8n) + 1n);

/**
 * What a route returns for a token: a point with this price, a history without points ("empty"), a
 * batch without the token ("omitted"), an error of Polymarket, or a page of another server.
 */
type StubResponse = number | 'empty' | 'omitted' | `status ${number}` | `HTML ${number}`;
type StubResponses = StubResponse | ((token: string) => StubResponse);

type RouteName = 'batch' | 'single' | 'data';
type Routes = Record<RouteName, StubResponses>;

const ROUTE_NAMES: Record<string, RouteName> = {
  '/batch-prices-history': 'batch',
  '/prices-history': 'single',
  '/v2/prices-history': 'data',
};

const stub = await startStubUpstream();

/** The route that a call reaches, and the tokens whose histories it requests. */
function callOf({ url, body }: Pick<ReceivedRequest, 'url' | 'body'>) {
  const { pathname, searchParams } = new URL(url, stub.url);
  const route = ROUTE_NAMES[pathname];
  if (!route) throw new Error(`There is no route ${pathname}`);
  if (route === 'batch') return { route, tokens: (body as { markets: string[] }).markets };
  return { route, tokens: [searchParams.get('market') ?? searchParams.get('token_id') ?? ''] };
}

/** Replies to each call with the responses of its route for its tokens. */
function replyBy(routes: Routes): Reply {
  return (response, request) => {
    const { route, tokens } = callOf(request);
    const responses = routes[route];
    const responseFor = (token: string) =>
      typeof responses === 'function' ? responses(token) : responses;
    const byToken = new Map(tokens.map((token) => [token, responseFor(token)]));
    // A route that fails for one token fails for the whole call.
    const failure = [...byToken.values()].find((one) => /^(status|HTML) /.test(String(one)));
    const reply = failure ? failureReply(String(failure)) : send(bodyOf(route, byToken));
    reply(response, request);
  };
}

function failureReply(failure: string): Reply {
  const [kind, status] = failure.split(' ');
  return send(kind === 'HTML' ? '<html>' : { error: 'no' }, Number(status));
}

/** The JSON of a response, in the shape of its route. */
function bodyOf(route: RouteName, byToken: ReadonlyMap<string, StubResponse>) {
  if (route === 'batch') {
    const present = [...byToken].filter(([, response]) => response !== 'omitted');
    return { history: Object.fromEntries(present.map(([token, one]) => [token, pointsOf(one)])) };
  }
  const [points = []] = [...byToken.values()].map(pointsOf);
  if (route === 'single') return { history: points };
  return { data: points.map(({ t, p }) => ({ timestamp: t, price: p })) };
}

function pointsOf(response: StubResponse) {
  return typeof response === 'number' ? [{ t: NOW - 60, p: response }] : [];
}

/**
 * The histories of a run (`read`) and those for a waiting caller (`live`). Both return a price for
 * each token, or 'empty' for a history without points.
 *
 * @param routes the routes that do not return 0.1, 0.2 and 0.3
 */
function rig(routes: Partial<Routes>) {
  const current: Routes = { batch: 0.1, single: 0.2, data: 0.3, ...routes };
  stub.reply(replyBy(current));
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
  return { clock, current, read, live };
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

  it.each<{ what: string; routes: Partial<Routes>; price: number | 'empty' }>([
    { what: 'is 0.3 if that fails', routes: { single: 'status 500' }, price: 0.3 },
    { what: 'is 0.3 if that has no points', routes: { single: 'empty' }, price: 0.3 },
    {
      what: 'is empty if neither has points',
      routes: { single: 'empty', data: 'empty' },
      price: 'empty',
    },
    {
      what: 'is empty even if that fails',
      routes: { single: 'HTML 403', data: 'empty' },
      price: 'empty',
    },
  ])('then comes from the Data API: $what', async ({ routes, price }) => {
    for (const token of ['7', POSITION]) {
      expect(await rig(routes).live([token])).toEqual({ [token]: price });
      expect(called()).toEqual(['single', 'data']);
    }
  });

  it('is unread while the Data API fails, because CLOB has nothing of resolved markets', async () => {
    const { live } = rig({ data: 'status 503', single: 'empty' });
    expect(await live(['7'])).toMatchObject({ name: 'UpstreamError', status: 503 });
  });
});

// A route that failed comes last for a while. The single route is otherwise the first.
describe('a route that failed', () => {
  it.each<StubResponse>(['status 500', 'HTML 404'])('with %s is last for 15 s', async (bad) => {
    const { clock, live, current } = rig({ single: bad });
    await live(['7']);
    current.single = 0.2;
    await clock.advance(14_999);
    expect(await live(['7'])).toEqual({ 7: 0.3 });
    await clock.advance(1);
    expect(await live(['7'])).toEqual({ 7: 0.2 });
  });

  it('is still used when the others fail, and counts as sound again after a success', async () => {
    const { live, current } = rig({ single: 'status 500' });
    await live(['7']);
    Object.assign(current, { single: 0.2, data: 'status 500' });
    expect(await live(['7'])).toEqual({ 7: 0.2 });
    current.data = 0.3;
    // Now the Data API is the one that failed. Otherwise it would be the first for a window.
    expect(await live(['7'], WINDOW)).toEqual({ 7: 0.2 });
  });

  it('for one token keeps its place for the others', async () => {
    const { live } = rig({ single: (token) => (token === '7' ? 'status 404' : 0.2) });
    expect(await live(['7'])).toEqual({ 7: 0.3 });
    stub.requests.length = 0;
    expect(await live(['8'])).toEqual({ 8: 0.2 });
    expect(called()).toEqual(['single']);
  });
});

describe('the histories of many tokens for a caller', () => {
  it('come from one batch, and what it lacks from one call of the Data API for each token', async () => {
    const batch = (token: string) => (['2', '3', POSITION].includes(token) ? 'empty' : 0.1);
    const data = (token: string) => (token === '3' ? 'empty' : 0.3);
    const found = await rig({ batch, data }).live(['1', '2', '3', POSITION]);
    expect(found).toEqual({ 1: 0.1, 2: 0.3, 3: 'empty', [POSITION]: 0.3 });
    expect(called()).toEqual(['batch', 'data', 'data', 'data']);
  });

  it('come from the Data API if the batch route fails, except the tokens that it rejects', async () => {
    const data = (token: string) => (token === '1' ? 'status 404' : 0.3);
    const { live } = rig({ batch: 'status 404', data });
    const [, ...others] = TWENTY;
    expect(await live(TWENTY)).toEqual(Object.fromEntries(others.map((token) => [token, 0.3])));
    expect(called()).toHaveLength(21);
  });

  it('lack the tokens without points if the Data API fails, which gets one call', async () => {
    const { live } = rig({ batch: (token) => (token === '1' ? 0.1 : 'empty'), data: 'status 500' });
    expect(await live(TWENTY)).toEqual({ 1: 0.1 });
    expect(called()).toEqual(['batch', 'data']);
  });
});

// A run reads the histories of listed tokens, whose markets are open.
describe('the histories of listed tokens', () => {
  const omitsSeven = (token: string) => (token === '7' ? 'omitted' : 0.1);

  it('of positions without prices come from the Data API', async () => {
    const emptyForPosition = (token: string) => (token === POSITION ? 'empty' : 0.1);
    const { read } = rig({ batch: emptyForPosition, single: emptyForPosition });
    expect(await read('7', POSITION)).toEqual({ 7: 0.1, [POSITION]: 0.3 });
    expect(called()).toEqual(['batch', 'single', 'data']);
  });

  it('are empty if CLOB has none of an open market', async () => {
    const { read } = rig({ batch: (token) => (token === '7' ? 'empty' : 0.1) });
    expect(await read('7', '8')).toEqual({ 7: 'empty', 8: 0.1 });
    expect(called()).toEqual(['batch']);
  });

  it('that a batch omits come from the single route', async () => {
    const { read } = rig({ batch: omitsSeven });
    expect(await read('7', '8')).toEqual({ 7: 0.2, 8: 0.1 });
    expect(called()).toEqual(['batch', 'single']);
  });

  it.each<{ what: string; others: Partial<Routes>; prices: object }>([
    {
      what: 'come from the Data API if that fails',
      others: { single: 'status 404' },
      prices: { 7: 0.3, 8: 0.1 },
    },
    {
      what: 'are empty if the others have no points',
      others: { single: 'empty', data: 'empty' },
      prices: { 7: 'empty', 8: 0.1 },
    },
    {
      what: 'are unread if the others fail',
      others: { single: 'status 404', data: 'status 404' },
      prices: { 8: 0.1 },
    },
  ])('that a batch omits $what', async ({ others, prices }) => {
    const { read } = rig({ batch: omitsSeven, ...others });
    expect(await read('7', '8')).toEqual(prices);
    expect(called()).toEqual(['batch', 'single', 'data']);
  });

  it('are empty if no route of CLOB has a point and the Data API fails, except those of positions', async () => {
    const { read } = rig({ batch: 'empty', single: 'empty', data: 'status 404' });
    expect(await read('7', POSITION)).toEqual({ 7: 'empty' });
  });

  it('lack the tokens that no route could read', async () => {
    const failsForFirst = (token: string) => (token === '1' ? 'status 404' : 0.1);
    const { read } = rig({ batch: failsForFirst, single: failsForFirst, data: failsForFirst });
    expect(await read('1', '2', '3')).toEqual({ 2: 0.1, 3: 0.1 });
  });
});

it('a window comes from the Data API first, from CLOB if that fails', async () => {
  expect(await rig({}).live(['7'], WINDOW)).toEqual({ 7: 0.3 });
  expect(await rig({ data: 'status 503' }).live(['7'], WINDOW)).toEqual({ 7: 0.2 });
});

it('the whole life comes from the Data API only: CLOB has the last month', async () => {
  const span: HistorySpan = { kind: 'interval', interval: 'max', fidelity: 720 };
  expect(await rig({}).live(['7'], span)).toEqual({ 7: 0.3 });
  expect(await outcome(rig({ data: 'status 503' }).live(['7'], span))).toMatchObject({
    name: 'UpstreamError',
    status: 503,
  });
  expect(called()).toEqual(['data']);
});
