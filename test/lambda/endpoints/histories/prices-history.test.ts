import { describe, expect, it } from '@jest/globals';
import type { PricePoint } from '../../../../lambda/core/domain/change.ts';
import type { HistoryQuery } from '../../../../lambda/core/domain/history-plan.ts';
import {
  getPricesHistories,
  getPricesHistory,
} from '../../../../lambda/endpoints/histories/prices-history.ts';
import type { HttpResponse } from '../../../../lambda/http/response.ts';
import { outcome } from '../../../support/outcome.ts';
import {
  type ReceivedRequest,
  type Reply,
  send,
  startStubUpstream,
} from '../../../support/stub-upstream.ts';
import { liveRig } from '../../../support/upstream-rig.ts';

const POINTS = [
  { t: 1_795_000_020, p: 0.5 },
  { t: 1_795_000_320, p: 0.6325 },
];
const DAY = 86_400;

const stub = await startStubUpstream();

const queryOf = ({ url }: Pick<ReceivedRequest, 'url'>) => new URL(url, stub.url).searchParams;
const isData = ({ url }: ReceivedRequest) => url.startsWith('/v2/');

/** Sends points in the shape of the route that was called. */
function sendPoints(points: readonly PricePoint[]): Reply {
  return (response, request) => {
    const data = points.map(({ t, p }) => ({ timestamp: t, price: p, resolution_seconds: 300 }));
    send(isData(request) ? { data } : { history: points })(response, request);
  };
}

const CONTEXT = { headers: {}, sent: {}, path: '' };

/** The endpoints for one token and for several, over the stub. */
function rig() {
  const deps = liveRig(stub.url);
  const [one, several] = [getPricesHistory(deps), getPricesHistories(deps)];
  const get = async (request: HistoryQuery = {}, token = '7'): Promise<HttpResponse> =>
    await one({ parameters: { token_id: token, ...request }, ...CONTEXT });
  const getAll = async (
    token_id: readonly string[],
    interval: '1d' | '1w' = '1d',
  ): Promise<HttpResponse> =>
    await several({ parameters: { token_id, interval, fidelity: 5 }, ...CONTEXT });
  return { clock: deps.clock, get, getAll };
}

const history = ({ body }: HttpResponse): PricePoint[] => JSON.parse(body).history;
const maxAge = ({ headers }: HttpResponse) =>
  headers['Cache-Control']?.match(/^public, max-age=(\d+), s-maxage=0/)?.[1];

describe('a price history', () => {
  it('ends with the payout of a resolved market, which is no price', async () => {
    const rows = [
      { timestamp: 1_795_000_020, price: 0.97, resolution_seconds: 60 },
      { timestamp: 1_795_000_045, price: 0.98, resolution_seconds: 0 },
      { timestamp: 1_795_000_080, price: 1, resolution_seconds: 0 },
    ];
    stub.reply(send({ history: [] }), send({ data: rows }));
    const response = await rig().get();
    expect(response.body).toBe(
      '{"history":[{"t":1795000045,"p":0.98},{"t":1795000080,"p":1,"payout":true}]}',
    );
  });

  it('is read once a minute for each token, interval, window and fidelity', async () => {
    stub.reply(sendPoints(POINTS));
    const { clock, get } = rig();
    const now = Math.floor(clock.now() / 1_000);
    expect(maxAge(await get())).toBe('60');
    await clock.advance(1);
    expect(maxAge(await get({}, '007'))).toBe('59');
    expect(stub.requests).toHaveLength(1);
    const others: Parameters<typeof get>[] = [
      [{ fidelity: 6 }],
      [{ interval: '6h', fidelity: 6 }],
      [{ fidelity: 6 }, '8'],
      [{ startTs: now - 3_600, fidelity: 6 }],
      [{ startTs: now - 1_800, fidelity: 6 }],
      [{ startTs: now - 1_800, endTs: now - 60, fidelity: 6 }],
    ];
    for (const request of others) await get(...request);
    expect(stub.requests).toHaveLength(7);
    await clock.advance(59_999);
    expect(maxAge(await get())).toBe('0');
    expect(stub.requests).toHaveLength(7);
    await clock.advance(1);
    expect(maxAge(await get())).toBe('60');
    expect(stub.requests).toHaveLength(8);
  });
});

describe('price histories of several tokens', () => {
  const batch = (found: Readonly<Record<string, readonly PricePoint[]>>) =>
    send({ history: found });

  it('are one call, in the order of the request and under its names', async () => {
    stub.reply(batch({ 7: POINTS, 20: POINTS }));
    const response = await rig().getAll(['20', '007', '20']);
    const one = JSON.stringify({ history: POINTS });
    expect(response.body).toBe(`{"20":${one},"007":${one}}`);
    expect(response.headers['X-Fidelity-Minutes']).toBe('5');
    expect(stub.requests).toMatchObject([
      { url: '/batch-prices-history', body: { markets: ['20', '7'], fidelity: 5 } },
    ]);
  });

  it('are cached for each token and interval', async () => {
    stub.reply(sendPoints(POINTS));
    const { clock, getAll } = rig();
    await getAll(['7']);
    await clock.advance(10_000);
    stub.reply(batch({ 7: POINTS, 20: POINTS, 30: POINTS }));
    expect(maxAge(await getAll(['20', '7', '30']))).toBe('50');
    expect(stub.requests).toMatchObject([{ body: { markets: ['20', '30'] } }]);
    await getAll(['20', '30'], '1w');
    expect(stub.requests).toHaveLength(2);
  });

  it('have null for a token that could not be read, which is read again', async () => {
    const { clock, live } = liveRig(stub.url);
    const requested: (readonly string[])[] = [];
    const read = async (tokens: readonly string[]) => {
      requested.push([...tokens]);
      return new Map(
        requested.length === 1 ? [['7', POINTS]] : tokens.map((token) => [token, POINTS]),
      );
    };
    const endpoint = getPricesHistories({ clock, live, histories: { readLive: read } });
    const parameters = { token_id: ['7', '8'], interval: '1d', fidelity: 5 } as const;
    const get = async () => await endpoint({ parameters, ...CONTEXT });
    const one = JSON.stringify({ history: POINTS });
    const response = await get();
    expect(response.body).toBe(`{"7":${one},"8":null}`);
    expect(maxAge(response)).toBe('0');
    expect((await get()).body).toBe(`{"7":${one},"8":${one}}`);
    expect(requested).toEqual([['7', '8'], ['8']]);
  });
});

describe('a bad upstream', () => {
  it('that fails in one window of six fails in all, and the next request is served [sentence 36]', async () => {
    const { clock, get } = rig();
    const oldest = Math.floor(clock.now() / 1_000) - 80 * DAY;
    let broken = true;
    stub.reply((response, request) => {
      const start = Number(
        queryOf(request).get('start') ?? queryOf(request).get('startTs') ?? oldest,
      );
      (broken && start < oldest ? send('', 500) : sendPoints([]))(response, request);
    });
    const query = { interval: '3m', fidelity: 30 } as const;
    expect(await outcome(get(query))).toMatchObject({ code: 'upstream_unavailable' });
    broken = false;
    await clock.advance(15_000);
    expect((await get(query)).status).toBe(200);
  });

  it('whose Data API fails has wide steps of 90 days from the windows of CLOB, and nothing older', async () => {
    const { clock, get } = rig();
    const now = Math.floor(clock.now() / 1_000);
    stub.reply((reply, request) => {
      const points = [
        { t: Number(queryOf(request).get('startTs')), p: 0.5 },
        { t: now, p: 0.9 },
      ];
      (isData(request) ? send('', 500) : sendPoints(points))(reply, request);
    });
    const startTs = now - 20 * DAY;
    const response = await get({ startTs, fidelity: 360 });
    const [first, second, last] = history(response);
    expect(first?.t).toEqual(startTs);
    expect(last).toEqual({ t: now, p: 0.9 });
    expect((second?.t ?? 0) % (360 * 60)).toBe(0);
    expect(response.headers['X-Fidelity-Minutes']).toBe('360');
    expect(stub.urls.filter((url) => url.startsWith('/prices-history'))).toHaveLength(2);
    expect(await outcome(get({ startTs: now - 91 * DAY }))).toMatchObject({
      code: 'upstream_unavailable',
    });
  });

  it('whose Data API hangs leaves half of the time to the windows of CLOB', async () => {
    const { clock, get } = rig();
    stub.reply((reply, request) => {
      const point = { t: Math.floor(clock.now() / 1_000), p: 0.5 };
      if (!isData(request)) sendPoints([point])(reply, request);
    });
    const response = get({ interval: '3m' });
    await stub.received(1);
    await clock.advance(2_000);
    expect(history(await response)).toMatchObject([{ p: 0.5 }]);
  });
});
