// The two endpoints of price histories, for one token and for several. They call upstream while the
// caller waits. The Data API (paths `/v2/…`) also has resolved markets, and whole lives in steps of
// 3 hours. CLOB has neither.

import { describe, expect, it } from '@jest/globals';
import type { HistoryQuery } from '../../../../lambda/core/domain/history-plan.ts';
import type { PricePoint } from '../../../../lambda/core/domain/price-history.ts';
import {
  getPricesHistories,
  getPricesHistory,
} from '../../../../lambda/endpoints/histories/prices-history.ts';
import type { HttpResponse } from '../../../../lambda/http/response.ts';
import { LIVE_DEADLINE_MS } from '../../../../lambda/io/polymarket/live-read.ts';
import { outcome } from '../../../support/outcome.ts';
import {
  hang,
  type ReceivedRequest,
  type Reply,
  send,
  startStubUpstream,
} from '../../../support/stub-upstream.ts';
import { liveRig } from '../../../support/upstream-rig.ts';

const DAY_SECONDS = 86_400;
/** A history, with times in Unix seconds and prices from 0 to 1, and how the service writes it. */
const POINTS = [
  { t: 1_795_000_020, p: 0.5 },
  { t: 1_795_000_320, p: 0.6325 },
];
const POINTS_JSON = JSON.stringify({ history: POINTS });
const NO_CONTEXT = { headers: {}, sent: {}, path: '' };

/** `reply` sets the replies to the next requests, in turn, and forgets earlier requests. */
const stub = await startStubUpstream();

/** Whether a request is for the Data API. All others are for CLOB. */
const isForDataApi = ({ url }: ReceivedRequest) => url.startsWith('/v2/');

/** A reply with points, in the form of the API that was called. */
function sendPoints(points: readonly PricePoint[]): Reply {
  return (response, request) => {
    const data = points.map(({ t, p }) => ({ timestamp: t, price: p, resolution_seconds: 300 }));
    send(isForDataApi(request) ? { data } : { history: points })(response, request);
  };
}

/** The endpoint for one token, over the stub. */
function endpointOfOne() {
  const deps = liveRig(stub.url);
  const endpoint = getPricesHistory(deps);
  const get = async (query: HistoryQuery = {}, token = '7') =>
    await endpoint({ parameters: { token_id: token, ...query }, ...NO_CONTEXT });
  /** Unix seconds. */
  const now = () => Math.floor(deps.clock.now() / 1_000);
  return { clock: deps.clock, now, get };
}

/** How many seconds a browser may keep a response. */
const maxAge = ({ headers }: HttpResponse) =>
  Number(/^public, max-age=(\d+), s-maxage=0/.exec(headers['Cache-Control'] ?? '')?.[1]);

describe('a price history', () => {
  it('ends with the payout of a resolved market, which is no price', async () => {
    const lastPrice = { timestamp: 1_795_000_045, price: 0.98, resolution_seconds: 0 };
    const payout = { timestamp: 1_795_000_080, price: 1, resolution_seconds: 0 };
    // CLOB lacks resolved markets, so that the service calls the Data API.
    stub.reply(send({ history: [] }), send({ data: [lastPrice, payout] }));
    const { body } = await endpointOfOne().get();
    expect(body).toBe(
      '{"history":[{"t":1795000045,"p":0.98},{"t":1795000080,"p":1,"payout":true}]}',
    );
  });

  it('is cached for a minute', async () => {
    stub.reply(sendPoints(POINTS));
    const { clock, get } = endpointOfOne();
    expect(maxAge(await get())).toBe(60);
    await clock.advance(60_000);
    expect(maxAge(await get())).toBe(0);
    expect(stub.requests).toHaveLength(1);
    await clock.advance(1);
    expect(maxAge(await get())).toBe(60);
    expect(stub.requests).toHaveLength(2);
  });

  it('is cached for all spellings of a token', async () => {
    stub.reply(sendPoints(POINTS));
    const { get } = endpointOfOne();
    await get({}, '7');
    await get({}, '007');
    expect(stub.requests).toHaveLength(1);
  });

  it('is cached apart for each token, interval, fidelity, start and end', async () => {
    stub.reply(sendPoints(POINTS));
    const { now, get } = endpointOfOne();
    const interval = { interval: '1d', fidelity: 6 } as const;
    const window = { startTs: now() - 3_600, endTs: now(), fidelity: 6 };
    const requests: readonly [query: HistoryQuery, token: string][] = [
      [interval, '7'],
      [interval, '8'],
      [{ ...interval, interval: '6h' }, '7'],
      [{ ...interval, fidelity: 7 }, '7'],
      [window, '7'],
      [{ ...window, startTs: now() - 1_800 }, '7'],
      [{ ...window, endTs: now() - 60 }, '7'],
    ];
    for (const [query, token] of requests) await get(query, token);
    expect(stub.requests).toHaveLength(requests.length);
  });
});

describe('price histories of several tokens', () => {
  /** The endpoint for several tokens, over the stub. */
  function endpointOfSeveral() {
    const deps = liveRig(stub.url);
    const endpoint = getPricesHistories(deps);
    const get = async (tokens: readonly string[], interval: '1d' | '1w' = '1d') =>
      await endpoint({ parameters: { token_id: tokens, interval, fidelity: 5 }, ...NO_CONTEXT });
    return { clock: deps.clock, get };
  }

  it('are one call, in the order of the request and under its names', async () => {
    stub.reply(send({ history: { 7: POINTS, 20: POINTS } }));
    const { body, headers } = await endpointOfSeveral().get(['20', '007', '20']);
    expect(body).toBe(`{"20":${POINTS_JSON},"007":${POINTS_JSON}}`);
    expect(headers['X-Fidelity-Minutes']).toBe('5');
    expect(stub.requests).toMatchObject([
      { url: '/batch-prices-history', body: { markets: ['20', '7'], fidelity: 5 } },
    ]);
  });

  it('are cached for each token and interval', async () => {
    stub.reply(sendPoints(POINTS));
    const { clock, get } = endpointOfSeveral();
    // One token has a path of its own at upstream, with the reply for one.
    await get(['7']);
    await clock.advance(10_000);
    stub.reply(send({ history: { 7: POINTS, 20: POINTS, 30: POINTS } }));
    expect(maxAge(await get(['20', '7', '30']))).toBe(50);
    expect(stub.requests).toMatchObject([{ body: { markets: ['20', '30'] } }]);
    await get(['20', '30'], '1w');
    expect(stub.requests).toHaveLength(2);
  });

  it('have null for a token that could not be read, and read it again next time', async () => {
    const { clock, live } = liveRig(stub.url);
    const requested: (readonly string[])[] = [];
    /** Only the first call lacks token 8. */
    const readLive = async (tokens: readonly string[]) => {
      requested.push([...tokens]);
      const readable = requested.length === 1 ? ['7'] : tokens;
      return new Map(readable.map((token) => [token, POINTS]));
    };
    const endpoint = getPricesHistories({ clock, live, histories: { readLive } });
    const parameters = { token_id: ['7', '8'], interval: '1d', fidelity: 5 } as const;
    const first = await endpoint({ parameters, ...NO_CONTEXT });
    expect(first.body).toBe(`{"7":${POINTS_JSON},"8":null}`);
    expect(maxAge(first)).toBe(0);
    const second = await endpoint({ parameters, ...NO_CONTEXT });
    expect(second.body).toBe(`{"7":${POINTS_JSON},"8":${POINTS_JSON}}`);
    expect(requested).toEqual([['7', '8'], ['8']]);
  });
});

it('a history of six calls is a 502 if one fails, and is read again [sentence 36]', async () => {
  const { now, get } = endpointOfOne();
  // The history begins 90 days ago, and a call reads at most 15 days of it.
  const endOfOldest = now() - 80 * DAY_SECONDS;
  /** The start of the window that a call reads, whichever API it is for. */
  const startOf = ({ url }: ReceivedRequest) => {
    const query = new URL(url, stub.url).searchParams;
    return Number(query.get('start') ?? query.get('startTs'));
  };
  stub.reply((response, request) => {
    const reply = startOf(request) < endOfOldest ? send('', 500) : sendPoints([]);
    reply(response, request);
  });
  const query = { interval: '3m', fidelity: 30 } as const;
  expect(await outcome(get(query))).toMatchObject({ code: 'upstream_unavailable' });
  stub.reply(sendPoints([]));
  expect((await get(query)).status).toBe(200);
});

describe('a history with wide steps, while the Data API fails', () => {
  /** Sets how the Data API fails, and the reply of CLOB. */
  function replyWith(failure: Reply, clob: Reply): void {
    stub.reply((response, request) => {
      const reply = isForDataApi(request) ? failure : clob;
      reply(response, request);
    });
  }

  it('comes from the windows of CLOB', async () => {
    const { now, get } = endpointOfOne();
    const startTs = now() - 20 * DAY_SECONDS;
    const oldest = { t: startTs, p: 0.5 };
    const newest = { t: now(), p: 0.9 };
    const sendOnePoint: Reply = (response, request) => {
      const isFirstWindow = request.url.includes(`startTs=${startTs}&`);
      sendPoints([isFirstWindow ? oldest : newest])(response, request);
    };
    replyWith(send('', 500), sendOnePoint);
    const { body, headers } = await get({ startTs, fidelity: 360 });
    expect(JSON.parse(body).history).toEqual([oldest, newest]);
    expect(headers['X-Fidelity-Minutes']).toBe('360');
    // A window has at most 15 days, so that 20 days take two.
    expect(stub.urls.filter((url) => url.startsWith('/prices-history'))).toHaveLength(2);
  });

  it('is a 502 if it begins more than 90 days ago, because CLOB has nothing older', async () => {
    const { now, get } = endpointOfOne();
    replyWith(send('', 500), sendPoints([]));
    const query = { startTs: now() - 91 * DAY_SECONDS };
    expect(await outcome(get(query))).toMatchObject({ code: 'upstream_unavailable' });
  });

  it('comes from CLOB after half of the time if the Data API hangs', async () => {
    const { clock, now, get } = endpointOfOne();
    const point = { t: now(), p: 0.5 };
    replyWith(hang, sendPoints([point]));
    const pending = get({ interval: '3m' });
    await stub.received(1);
    await clock.advance(LIVE_DEADLINE_MS / 2);
    expect(JSON.parse((await pending).body).history).toEqual([point]);
  });
});
