import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HISTORY_KEPT_MS, LIVE_DEADLINE_MS } from '../../../../lambda/contract/constants.ts';
import type { PricePoint } from '../../../../lambda/domain/change.ts';
import type { HistoryInterval } from '../../../../lambda/domain/history-requests.ts';
import { getPricesHistory, historyCache } from '../../../../lambda/endpoints/get-prices-history.ts';
import type { RememberedPrices } from '../../../../lambda/endpoints/ports.ts';
import type { EndpointRequest } from '../../../../lambda/http/pipeline.ts';
import type { HttpResponse } from '../../../../lambda/http/response.ts';
import { createLiveHistories } from '../../../../lambda/polymarket/create-live-histories.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import {
  BAD_REPLIES,
  hang,
  hangInBody,
  LIMITED_REPLIES,
  liveStub,
  type Reply,
  reset,
  type StubUpstream,
  send,
  startStubUpstream,
} from '../../../support/stub-upstream.ts';

const POINTS = [
  { t: 1_795_000_000, p: 0.5 },
  { t: 1_795_000_301, p: 0.6325 },
];
const DAY = 86_400;

let stub: StubUpstream;
beforeAll(async () => {
  stub = await startStubUpstream();
});
afterAll(() => stub.close());

const NOTHING_REMEMBERED: RememberedPrices = { points: async () => [] };

function rig(edgeCache = false, remembered = NOTHING_REMEMBERED) {
  const clock = new ManualClock();
  const { upstreams, live, logged, counted } = liveStub(stub.url, clock);
  const endpoint = getPricesHistory({
    histories: createLiveHistories(upstreams, clock),
    remembered,
    live,
    cache: historyCache(clock),
    clock,
    edgeCache,
  });
  const get = (
    interval: HistoryInterval = '1d',
    fidelity?: number,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse> =>
    endpoint({
      parameters: { token_id: '7', interval, fidelity },
      headers,
    } as EndpointRequest<'get-prices-history'>);
  return { clock, get, logged, counted };
}

const history = ({ body }: HttpResponse): PricePoint[] => JSON.parse(body).history;
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'a response',
    (error: unknown) => error,
  );

/** Responds with a window as upstream does, with a point every `step` seconds and "now" appended, whatever the window. */
function windowed(step: number, now: number): Reply {
  return (response, request) => {
    const query = new URL(request.url ?? '', stub.url).searchParams;
    const [start, end] = [Number(query.get('startTs')), Number(query.get('endTs'))];
    const points: PricePoint[] = [];
    for (let t = Math.ceil(start / step) * step; t <= end; t += step) points.push({ t, p: 0.5 });
    send({ history: [...points, { t: now, p: 0.6 }, { t: now, p: 0.7 }] })(response, request);
  };
}

describe('a price history', () => {
  it.each([
    ['1d', undefined, 'interval=1d&fidelity=5'],
    ['1w', undefined, 'interval=1w&fidelity=30'],
    ['1m', undefined, 'interval=1m&fidelity=150'],
    ['1d', 1, 'interval=1d&fidelity=1'],
    ['1w', 1, 'interval=1w&fidelity=5'],
    ['1m', 1, 'interval=1m&fidelity=10'],
  ] as const)('of %s at %p is one call: %s', async (interval, fidelity, query) => {
    stub.reply(send({ history: POINTS }));
    const response = await rig().get(interval, fidelity);
    expect(response.body).toBe(JSON.stringify({ history: POINTS }));
    expect(stub.requests).toEqual([`/prices-history?market=7&${query}`]);
  });

  it('of an unknown token is empty', async () => {
    stub.reply(send({ history: [] }));
    expect((await rig().get('3m')).body).toBe('{"history":[]}');
  });

  it('is what upstream sent without what cannot be read, what repeats, and what is not t and p', async () => {
    const unreadable = [
      null,
      'x',
      42,
      [1],
      {},
      { t: 'x', p: 0.5 },
      { t: 5.5, p: 0.5 },
      { t: 5, p: 1.5 },
      { t: 5 },
    ];
    stub.reply(
      send({
        history: [...unreadable, { t: 9, p: 0.9, x: 1 }, { t: 7, p: '0.5' }, { t: 9, p: 0.1 }],
        extra: 1,
      }),
    );
    expect((await rig().get()).body).toBe('{"history":[{"t":7,"p":0.5},{"t":9,"p":0.1}]}');
  });

  it('of three months is stitched from windows, with neither a hole nor a repetition at the seams', async () => {
    const { clock, get } = rig();
    const now = clock.now() / 1_000;
    stub.reply(windowed(432 * 60, now + 1));
    const points = history(await get('3m'));
    expect(stub.requests).toHaveLength(6);
    const times = points.map(({ t }) => t);
    expect(times.at(-1)).toBe(now + 1);
    expect(points.at(-1)?.p).toBe(0.7);
    const gaps = times.slice(1, -1).map((t, n) => t - (times[n] ?? 0));
    expect(new Set(gaps)).toEqual(new Set([432 * 60]));
    expect((times[0] ?? 0) - (now - 90 * DAY)).toBeLessThan(432 * 60);
    expect(points.length).toBeGreaterThanOrEqual(299);
  });

  it('of three months asks for all windows at once, each once, and counts them in one report', async () => {
    const held: (() => void)[] = [];
    stub.reply((response, request) => held.push(() => send({ history: [] })(response, request)));
    const { get, counted } = rig();
    const both = Promise.all([get('3m'), get('3m')]);
    await stub.received(6);
    for (const release of held) release();
    await both;
    expect(stub.requests).toHaveLength(6);
    expect(counted).toEqual([{ UpstreamCalls: 6, UpstreamFailures: 0 }]);
  });

  it('is kept for a minute by token, interval and fidelity, and by callers for what is left of it', async () => {
    stub.reply(send({ history: POINTS }));
    const { clock, get } = rig();
    expect((await get('1d')).headers['Cache-Control']).toBe(
      'public, max-age=60, s-maxage=0, stale-if-error=0',
    );
    await clock.advance(1);
    expect((await get('1d', 5)).headers['Cache-Control']).toBe(
      'public, max-age=59, s-maxage=0, stale-if-error=0',
    );
    expect(stub.requests).toHaveLength(1);
    await get('1d', 6);
    await get('1w');
    expect(stub.requests).toHaveLength(3);
    await clock.advance(HISTORY_KEPT_MS - 1);
    expect((await get('1d')).headers['Cache-Control']).toBe(
      'public, max-age=0, s-maxage=0, stale-if-error=0',
    );
    await clock.advance(1);
    await get('1d');
    expect(stub.requests).toHaveLength(4);
  });

  it('may be kept by CloudFront where the stage says so', async () => {
    stub.reply(send({ history: POINTS }));
    expect((await rig(true).get()).headers['Cache-Control']).toBe('public, max-age=60, stale-if-error=0');
  });

  it('is told by its content from another: 304 for the one that the caller has', async () => {
    stub.reply(send({ history: POINTS }));
    const { get } = rig();
    const { ETag = '' } = (await get()).headers;
    expect(await get('1d', undefined, { 'if-none-match': ETag })).toMatchObject({ status: 304, body: '' });
    // The same points in another interval are the same response; other points are not.
    stub.reply(send({ history: [] }));
    expect((await get('1w', undefined, { 'if-none-match': ETag })).status).toBe(200);
  });
});

const WRONG_SHAPES: typeof BAD_REPLIES = [
  ['status 404', send({ error: 'not found' }, 404)],
  ['a history that is null', send({ history: null })],
  ['a history that is a text', send({ history: 'x' })],
  ['points of which none can be read', send({ history: [null, 'x', { t: ['1'], p: ['0.5'] }] })],
];

describe('a bad upstream', () => {
  it.each([...BAD_REPLIES, ...WRONG_SHAPES])(
    'that responds with %s is a 502 in our words',
    async (name, reply) => {
      stub.reply(reply);
      const { get, counted } = rig();
      expect(await failure(get())).toMatchObject({
        name: 'ServiceError',
        code: 'upstream_unavailable',
        ...(LIMITED_REPLIES.has(name)
          ? { retryAfterSeconds: name.endsWith('asks to wait') ? 60 : 10 }
          : { message: 'The upstream gave no usable price history; try again in a few seconds.' }),
        cause: { name: 'UpstreamError', route: 'prices-history' },
      });
      // Every route was asked: CLOB's single one, its batch, the Data API.
      expect(new Set(stub.requests.map((url) => url.split('?')[0])).size).toBe(3);
      const failures = counted.reduce((sum, { UpstreamFailures = 0 }) => sum + UpstreamFailures, 0);
      expect(failures).toBe(stub.requests.length);
    },
  );

  it.each([
    ['before it responds', hang],
    ['in the middle of its response', hangInBody],
  ])('that hangs %s in one window of six is a 502 within 5 s', async (_, reply) => {
    stub.reply(...Array<Reply>(5).fill(send({ history: POINTS })), reply);
    const { clock, get } = rig();
    const result = failure(get('3m'));
    await stub.received(6);
    await clock.advance(LIVE_DEADLINE_MS);
    expect(await result).toMatchObject({
      code: 'upstream_unavailable',
      message: 'The upstream did not respond with the price history in time; try again in a few seconds.',
    });
  });

  it('that fails in one window of six has failed in all, and nothing is kept', async () => {
    const { clock, get } = rig();
    const good = windowed(432 * 60, clock.now() / 1_000);
    stub.reply(good, good, send('', 500), good);
    expect(await failure(get('3m'))).toMatchObject({ code: 'upstream_unavailable' });
    stub.reply(good);
    expect((await get('3m')).status).toBe(200);
  });

  it('whose sockets had all gone stale is asked once more', async () => {
    stub.reply(...Array<Reply>(6).fill(reset), send({ history: POINTS }));
    const { get, counted } = rig();
    expect((await get('3m')).status).toBe(200);
    expect(counted).toEqual([{ UpstreamCalls: 12, UpstreamFailures: 6, UpstreamRetries: 6 }]);
  });
});

describe('what the service itself remembers', () => {
  const REMEMBERED = [
    { t: 1_794_990_000, p: 0.4 },
    { t: 1_794_993_600, p: 0.45 },
  ];

  function memory(points: readonly PricePoint[]) {
    const asked: unknown[][] = [];
    const remembered: RememberedPrices = {
      points: async (...args) => {
        asked.push(args);
        return points;
      },
    };
    return { asked, remembered };
  }

  it.each([...BAD_REPLIES, ...WRONG_SHAPES])(
    'is the history when upstream responds with %s',
    async (_, reply) => {
      stub.reply(reply);
      const { remembered } = memory(REMEMBERED);
      const { status, headers, body } = await rig(false, remembered).get();
      expect([status, body]).toEqual([200, JSON.stringify({ history: REMEMBERED })]);
      expect(headers['X-Data-Source']).toBe('memory');
      expect(headers['Cache-Control']).toBe('public, max-age=60, s-maxage=0, stale-if-error=0');
    },
  );

  it('is asked for the interval and the fidelity, and has half a second when upstream has taken all the time', async () => {
    stub.reply(hang);
    const { asked, remembered } = memory(REMEMBERED);
    const { clock, get } = rig(false, remembered);
    const deadline = clock.now() + LIVE_DEADLINE_MS + 500;
    const result = get('1w', 60);
    await stub.received(1);
    await clock.advance(LIVE_DEADLINE_MS);
    expect((await result).headers['X-Data-Source']).toBe('memory');
    expect(asked).toEqual([['7', 7 * DAY, 60, deadline]]);
  });

  it('is not asked while upstream responds, be it with nothing, and nobody is told of it', async () => {
    stub.reply(send({ history: [] }));
    const { asked, remembered } = memory(REMEMBERED);
    const { headers, body } = await rig(false, remembered).get();
    expect(body).toBe('{"history":[]}');
    expect(headers).not.toHaveProperty('X-Data-Source');
    expect(asked).toEqual([]);
  });

  it('is kept for a minute, says so in a 304, too, and makes way for upstream', async () => {
    stub.reply(send('', 500));
    const { asked, remembered } = memory(REMEMBERED);
    const { clock, get } = rig(false, remembered);
    const { ETag = '' } = (await get()).headers;
    const again = await get('1d', undefined, { 'if-none-match': ETag });
    expect([again.status, again.headers['X-Data-Source']]).toEqual([304, 'memory']);
    expect(asked).toHaveLength(1);
    stub.reply(send({ history: POINTS }));
    await clock.advance(HISTORY_KEPT_MS + 1);
    const { headers, body } = await get();
    expect(body).toBe(JSON.stringify({ history: POINTS }));
    expect(headers).not.toHaveProperty('X-Data-Source');
  });

  it('is no history when it is one price: the error stands', async () => {
    stub.reply(send('', 404));
    const { remembered } = memory(REMEMBERED.slice(1));
    expect(await failure(rig(false, remembered).get())).toMatchObject({ code: 'upstream_unavailable' });
  });
});
