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

// Three routes have histories: CLOB's for many tokens ("batch"), CLOB's for one ("single"), and the
// Data API's ("data"). The price of a point shows which route it came from: 0.1, 0.2 or 0.3.

/** Unix seconds. */
const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const DAY: HistorySpan = { kind: 'interval', interval: '1d', fidelity: 5 };
const WINDOW: HistorySpan = { kind: 'window', start: NOW - 86_400, end: NOW, fidelity: 10 };
/** A token with the layout of a position id of Protocol V2. */
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

/** Replies to each call with the response of its route, in the shape of that route. */
function replyBy(routes: Routes): Reply {
  return (response, request) => {
    const { route, tokens } = callOf(request);
    const responses = routes[route];
    const responseFor = (token: string) =>
      typeof responses === 'function' ? responses(token) : responses;
    // A route that fails for one token fails for the whole call.
    const failure = tokens
      .map((token) => String(responseFor(token)))
      .find((text) => /^(status|HTML) /.test(text));
    if (failure) {
      const [kind, status] = failure.split(' ');
      const body = kind === 'HTML' ? '<html>' : { error: 'no' };
      return send(body, Number(status))(response, request);
    }
    const points = (token: string) => {
      const price = responseFor(token);
      return typeof price === 'number' ? [{ t: NOW - 60, p: price }] : [];
    };
    const [first = ''] = tokens;
    const present = tokens.filter((token) => responseFor(token) !== 'omitted');
    const bodies: Record<RouteName, () => unknown> = {
      batch: () => ({
        history: Object.fromEntries(present.map((token) => [token, points(token)])),
      }),
      single: () => ({ history: points(first) }),
      data: () => ({ data: points(first).map(({ t, p }) => ({ timestamp: t, price: p })) }),
    };
    send(bodies[route]())(response, request);
  };
}

/**
 * The histories over the stub, whose routes respond with 0.1, 0.2 and 0.3 unless a test says
 * otherwise. `read` and `live` return a price for each token, or 'empty'.
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
  it.each<[string, Partial<Routes>, unknown, string[]]>([
    ['comes from the single route', {}, 0.2, ['single']],
    ['comes from the Data API if that fails', { single: 'status 500' }, 0.3, ['single', 'data']],
    ['comes from the Data API if CLOB has no points', { single: 'empty' }, 0.3, ['single', 'data']],
    [
      'is empty if the Data API has no points',
      { single: 'empty', data: 'empty' },
      'empty',
      ['single', 'data'],
    ],
    [
      'is empty even if CLOB fails',
      { single: 'HTML 403', data: 'empty' },
      'empty',
      ['single', 'data'],
    ],
  ])('%s', async (_, routes, expected, calls) => {
    for (const token of ['7', POSITION]) {
      expect(await rig(routes).live([token])).toEqual({ [token]: expected });
      expect(called()).toEqual(calls);
    }
  });

  it('is unread while the Data API fails, because CLOB has nothing of resolved markets', async () => {
    const { live } = rig({ data: 'status 503', single: 'empty' });
    expect(await live(['7'])).toMatchObject({ name: 'UpstreamError', status: 503 });
  });
});

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
    // Now the Data API is the one that failed.
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

describe('the histories of listed tokens', () => {
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

  it.each<[string, Partial<Routes>, unknown, string[]]>([
    ['come from the single route', {}, { 7: 0.2, 8: 0.1 }, ['batch', 'single']],
    [
      'come from the Data API if that fails',
      { single: 'status 404' },
      { 7: 0.3, 8: 0.1 },
      ['batch', 'single', 'data'],
    ],
    [
      'are empty if the others have no points',
      { single: 'empty', data: 'empty' },
      { 7: 'empty', 8: 0.1 },
      ['batch', 'single', 'data'],
    ],
    [
      'are unread if the others fail',
      { single: 'status 404', data: 'status 404' },
      { 8: 0.1 },
      ['batch', 'single', 'data'],
    ],
  ])('that a batch omits %s', async (_, others, expected, calls) => {
    const { read } = rig({ batch: (token) => (token === '7' ? 'omitted' : 0.1), ...others });
    expect(await read('7', '8')).toEqual(expected);
    expect(called()).toEqual(calls);
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
