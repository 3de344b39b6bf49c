import { afterAll, describe, expect, it } from '@jest/globals';
import type { HistorySpan } from '../../../../lambda/core/domain/history-plan.ts';
import { PriceHistories } from '../../../../lambda/io/polymarket/price-histories.ts';
import { outcome } from '../../../support/outcome.ts';
import { type Reply, send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const SPAN: HistorySpan = { kind: 'interval', interval: '1d', fidelity: 5 };
/** A token with the layout of a position id of Protocol V2. */
const POSITION = String((BigInt(`0x01${'ab'.repeat(16)}${'00'.repeat(14)}`) << 8n) + 1n);

/** A price, no points, a status, an HTML page with a status, or silence. */
type StubResponse = number | 'empty' | `${number}` | `<${number}` | 'hang';
type StubResponses = StubResponse | ((token: string) => StubResponse);

interface Routes {
  batch: StubResponses;
  single: StubResponses;
  data: StubResponses;
}

const stub = await startStubUpstream();
afterAll(() => stub.close());

type PointsOf = (token: string) => { t: number; p: number }[];

function respond(tokens: readonly string[], responses: StubResponses, bodyOf: (points: PointsOf) => unknown): Reply {
  const of = (token: string) => (typeof responses === 'function' ? responses(token) : responses);
  const [bad] = tokens.map(of).filter((one) => typeof one === 'string' && one !== 'empty');
  if (bad === 'hang') return () => undefined;
  if (typeof bad === 'string' && bad.startsWith('<')) return send('<html>', Number(bad.slice(1)));
  if (bad !== undefined) return send({ error: 'no' }, Number(bad));
  return send(bodyOf((token) => [of(token)].flatMap((p) => (typeof p === 'number' ? { t: NOW - 60, p } : []))));
}

function replyOf({ batch, single, data }: Routes): Reply {
  return (response, request) => {
    const { pathname, searchParams } = new URL(request.url, stub.url);
    const { markets = [] } = (request.body ?? {}) as { markets?: string[] };
    const token = searchParams.get('market') ?? searchParams.get('token_id') ?? '';
    const replies: Record<string, () => Reply> = {
      '/batch-prices-history': () =>
        respond(markets, batch, (points) => ({
          history: Object.fromEntries(markets.map((one) => [one, points(one)])),
        })),
      '/prices-history': () => respond([token], single, (points) => ({ history: points(token) })),
      '/v2/prices-history': () =>
        respond([token], data, (points) => ({ data: points(token).map(({ t, p }) => ({ timestamp: t, price: p })) })),
    };
    replies[pathname]?.()(response, request);
  };
}

function rig(routes: Partial<Routes>) {
  const current: Routes = { batch: 0.1, single: 0.2, data: 0.3, ...routes };
  stub.reply((response, request) => replyOf(current)(response, request));
  const { clock, upstream } = upstreamRig(stub.url);
  const histories = new PriceHistories({ clob: upstream('clob'), data: upstream('data'), clock });
  const read = async (tokens: readonly string[], span = SPAN, withinMs = 4_000) => {
    const result = await outcome(histories.read(tokens, span, clock.now() + withinMs));
    if (!(result instanceof Map)) return result;
    return new Map([...result].map(([token, points]) => [token, points.at(-1)?.p ?? 'empty']));
  };
  return { clock, current, read };
}

const tokens = (count: number) => Array.from({ length: count }, (_, n) => String(n + 1));
const NAMES: Record<string, string> = {
  '/batch-prices-history': 'batch',
  '/prices-history': 'single',
  '/v2/prices-history': 'data',
};
/** The routes of the calls so far. */
const called = () => stub.urls.map((url) => NAMES[new URL(url, stub.url).pathname]);
const all = (names: readonly string[], value: unknown) => new Map(names.map((name) => [name, value]));

describe('the history of one token', () => {
  it.each<[string, Partial<Routes>, unknown, string[]]>([
    ['comes from the single route', {}, 0.2, ['single']],
    ['comes from the batch route if that fails', { single: '500' }, 0.1, ['single', 'batch']],
    ['comes from the Data API if both fail', { single: '<403', batch: '404' }, 0.3, ['single', 'batch', 'data']],
    ['comes from the next route if one has no points', { single: 'empty' }, 0.1, ['single', 'batch']],
    [
      'is empty if the Data API has no points',
      { single: 'empty', batch: 'empty', data: 'empty' },
      'empty',
      ['single', 'batch', 'data'],
    ],
    [
      'is empty if the Data API has no points and another route fails',
      { single: 'empty', batch: '500', data: 'empty' },
      'empty',
      ['single', 'batch', 'data'],
    ],
  ])('%s', async (_, routes, expected, calls) => {
    expect(await rig(routes).read(['7'])).toEqual(new Map([['7', expected]]));
    expect(called()).toEqual(calls);
  });

  it('is no empty one while the Data API fails: CLOB has nothing of resolved markets', async () => {
    const { read } = rig({ data: '503', single: 'empty', batch: 'empty' });
    expect(await outcome(read(['7']))).toMatchObject({ name: 'UpstreamError', status: 503 });
  });

  it.each([
    ['comes from the next route if one hangs, each of which gets half of the time left', [2_000, 1_000], 0.3],
    ['is a time-out at the deadline if every route hangs', [2_000, 1_000, 1_000], 'hang'],
  ] as const)('%s', async (_, shares, data) => {
    const { clock, read } = rig({ single: 'hang', batch: 'hang', data });
    const result = read(['7']);
    for (const [n, ms] of shares.entries()) {
      await stub.received(n + 1);
      await clock.advance(ms - 1);
      expect(stub.requests).toHaveLength(n + 1);
      await clock.advance(1);
    }
    const expected = data === 'hang' ? expect.objectContaining({ failure: 'timeout' }) : new Map([['7', data]]);
    expect(await result).toEqual(expected);
  });

  it('of a position is empty only if the Data API says so', async () => {
    const empty = { single: 'empty', batch: 'empty' } as const;
    expect(await rig(empty).read([POSITION])).toEqual(new Map([[POSITION, 0.3]]));
    expect(await rig({ ...empty, data: 'empty' }).read([POSITION])).toEqual(new Map([[POSITION, 'empty']]));
    expect(await rig({ ...empty, data: '500' }).read([POSITION])).toMatchObject({ route: 'v2-prices-history' });
  });
});

describe('a route that failed', () => {
  it.each<StubResponse>(['500', '<404'])('with %s is last for 15 s', async (bad) => {
    const { clock, read, current } = rig({ single: bad });
    await read(['7']);
    current.single = 0.2;
    await clock.advance(14_999);
    expect(await read(['7'])).toEqual(new Map([['7', 0.1]]));
    await clock.advance(1);
    expect(await read(['7'])).toEqual(new Map([['7', 0.2]]));
  });

  it('is still used when the others fail, and counts as sound again after a success', async () => {
    const { read, current } = rig({ single: '500' });
    await read(['7']);
    Object.assign(current, { single: 0.2, batch: '500', data: '500' });
    await read(['7']);
    current.batch = 0.1;
    // The batch route is the first one for several tokens, but now it is the one that failed.
    expect(await read(['7', '8'])).toEqual(all(['7', '8'], 0.2));
  });

  it('for one token keeps its place for the others', async () => {
    const { read } = rig({ single: (token) => (token === '7' ? '404' : 0.2) });
    expect(await read(['7'])).toEqual(new Map([['7', 0.1]]));
    stub.requests.length = 0;
    expect(await read(['8'])).toEqual(new Map([['8', 0.2]]));
    expect(called()).toEqual(['single']);
  });
});

describe('the histories of many tokens', () => {
  it('come from the batch route with one call', async () => {
    expect(await rig({}).read(tokens(20))).toEqual(all(tokens(20), 0.1));
    expect(stub.requests).toMatchObject([{ body: { markets: tokens(20) } }]);
  });

  it('come from the single route after a failed call to the batch route and its retry', async () => {
    const { clock, read } = rig({ batch: '<403' });
    const result = read(tokens(20), SPAN, 60_000);
    await clock.passTimer(187.5);
    expect(await result).toEqual(all(tokens(20), 0.2));
    expect(called()).toEqual(['batch', 'batch', ...Array(20).fill('single')]);
  });

  it('of positions without prices come from the Data API', async () => {
    const empty = (token: string) => (token === POSITION ? 'empty' : 0.1);
    const found = await rig({ batch: empty, single: empty }).read(['7', POSITION]);
    expect(Object.fromEntries(found as Map<string, unknown>)).toEqual({ 7: 0.1, [POSITION]: 0.3 });
    expect(called()).toEqual(['batch', 'single', 'data']);
  });

  it('lack the tokens that no route could read', async () => {
    const bad = (token: string) => (token === '1' ? '404' : 0.1);
    const { read } = rig({ batch: bad, single: bad, data: bad });
    expect(await read(tokens(3))).toEqual(all(['2', '3'], 0.1));
  });

  it.each<[string, StubResponse, (token: string) => boolean]>([
    ['fails now and then', '401', (token) => Number(token) % 3 === 0],
    ['rejects the first five tokens', '404', (token) => Number(token) <= 5],
  ])('come from a route that %s, except the failed ones', async (_, bad, isBad) => {
    const { read } = rig({ batch: '404', single: (token) => (isBad(token) ? bad : 0.2) });
    const found = await read(tokens(20));
    expect(found).toEqual(new Map(tokens(20).map((token) => [token, isBad(token) ? 0.3 : 0.2])));
  });

  it('come from the next route after one failed call', async () => {
    expect(await rig({ batch: '404', single: '401' }).read(tokens(20))).toEqual(all(tokens(20), 0.3));
    expect(called().filter((name) => name === 'single')).toHaveLength(1);
  });
});

describe('a window', () => {
  const WINDOW: HistorySpan = { kind: 'window', start: NOW - 86_400, end: NOW, fidelity: 10 };

  it('comes from the Data API first, from CLOB if that fails', async () => {
    expect(await rig({}).read(['7'], WINDOW)).toEqual(new Map([['7', 0.3]]));
    expect(await rig({ data: '503' }).read(['7'], WINDOW)).toEqual(new Map([['7', 0.2]]));
  });

  it('is no empty one while the Data API fails', async () => {
    const { read } = rig({ data: '503', single: 'empty', batch: 'empty' });
    expect(await outcome(read(['7'], WINDOW))).toMatchObject({ name: 'UpstreamError', status: 503 });
  });

  it('without points in the Data API, which has all prices, makes no other call', async () => {
    await rig({ data: 'empty' }).read(['7'], WINDOW);
    expect(called()).toEqual(['data']);
  });
});

describe('the whole life', () => {
  const span: HistorySpan = { kind: 'interval', interval: 'max', fidelity: 720 };

  it('comes from the Data API only: CLOB has the last month', async () => {
    expect(await rig({}).read(['7'], span)).toEqual(new Map([['7', 0.3]]));
    expect(await outcome(rig({ data: '503' }).read(['7'], span))).toMatchObject({ name: 'UpstreamError', status: 503 });
    expect(called()).toEqual(['data']);
  });
});
