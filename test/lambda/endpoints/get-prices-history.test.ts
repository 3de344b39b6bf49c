import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PricePoint } from '../../../lambda/domain/change.ts';
import type { HistoryInterval } from '../../../lambda/domain/history-spans.ts';
import { getPricesHistory } from '../../../lambda/endpoints/get-prices-history.ts';
import type { HttpResponse } from '../../../lambda/http/response.ts';
import { liveRig } from '../../support/live-rig.ts';
import { outcome } from '../../support/outcome.ts';
import { type Reply, type StubUpstream, send, startStubUpstream } from '../../support/stub-upstream.ts';

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

function rig() {
  const deps = liveRig(stub.url);
  const endpoint = getPricesHistory(deps);
  const get = async (
    interval: HistoryInterval = '1d',
    fidelity?: number,
    headers: Record<string, string> = {},
    token = '7',
  ): Promise<HttpResponse> => {
    const parameters = { token_id: token, interval, fidelity };
    return await endpoint({ parameters, headers, sent: {}, path: '' });
  };
  return { clock: deps.clock, get };
}

const history = ({ body }: HttpResponse): PricePoint[] => JSON.parse(body).history;

/** A window as upstream returns it: a point every `step` seconds, and "now" appended to any window. */
function windowed(step: number, now: number): Reply {
  return (response, request) => {
    const query = new URL(request.url, stub.url).searchParams;
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
    ['1w', 1, 'interval=1w&fidelity=5'],
    ['1d', 60, 'interval=1d&fidelity=60'],
  ] as const)('of %s at %p is one call: %s', async (interval, fidelity, query) => {
    stub.reply(send({ history: POINTS }));
    expect((await rig().get(interval, fidelity)).body).toBe(JSON.stringify({ history: POINTS }));
    expect(stub.urls).toEqual([`/prices-history?market=7&${query}`]);
  });

  it('of an unknown token is empty', async () => {
    stub.reply(send({ history: [] }));
    expect((await rig().get('3m')).body).toBe('{"history":[]}');
  });

  it('of three months is made of windows, without a gap or a repetition between them', async () => {
    const { clock, get } = rig();
    const now = clock.now() / 1_000;
    const step = 432 * 60;
    stub.reply(windowed(step, now + 1));
    const points = history(await get('3m'));
    expect(stub.requests).toHaveLength(6);
    const times = points.map(({ t }) => t);
    expect(points.at(-1)).toEqual({ t: now + 1, p: 0.7 });
    const gaps = times.slice(1, -1).map((t, n) => t - (times[n] ?? 0));
    expect(new Set(gaps)).toEqual(new Set([step]));
    expect((times[0] ?? 0) - (now - 90 * DAY)).toBeLessThan(step);
    expect(points.length).toBeGreaterThanOrEqual(299);
  });

  it('is read once a minute for each token, interval and fidelity', async () => {
    stub.reply(send({ history: POINTS }));
    const { clock, get } = rig();
    const maxAge = async (...request: Parameters<typeof get>) =>
      (await get(...request)).headers['Cache-Control']?.match(/^public, max-age=(\d+), s-maxage=0/)?.[1];
    expect(await maxAge('1d')).toBe('60');
    await clock.advance(1);
    expect(await maxAge('1d', 5, {}, '007')).toBe('59');
    expect(stub.requests).toHaveLength(1);
    for (const request of [['1d', 6], ['1w'], ['1d', 5, {}, '8']] as Parameters<typeof get>[]) await get(...request);
    expect(stub.requests).toHaveLength(4);
    await clock.advance(59_999);
    expect(await maxAge('1d')).toBe('0');
    expect(stub.requests).toHaveLength(4);
    await clock.advance(1);
    expect(await maxAge('1d')).toBe('60');
    expect(stub.requests).toHaveLength(5);
  });

  it('has a tag by its content, and is a 304 for a caller who has it', async () => {
    stub.reply(send({ history: POINTS }), send({ history: [] }));
    const { get } = rig();
    const { ETag = '' } = (await get()).headers;
    expect(await get('1d', undefined, { 'if-none-match': ETag })).toMatchObject({ status: 304, body: '' });
    expect((await get('1w', undefined, { 'if-none-match': ETag })).status).toBe(200);
  });
});

describe('a bad upstream', () => {
  it('that fails on every route is a 502', async () => {
    stub.reply(send({ history: null }));
    expect(await outcome(rig().get())).toMatchObject({
      name: 'ServiceError',
      code: 'upstream_unavailable',
      cause: { name: 'UpstreamError', route: 'prices-history', failure: 'wrong_shape' },
    });
    expect(new Set(stub.urls.map((url) => url.split('?')[0])).size).toBe(3);
  });

  it('that fails in one window of six fails in all, and the next request is served', async () => {
    const { clock, get } = rig();
    const good = windowed(432 * 60, clock.now() / 1_000);
    let broken = true;
    let calls = 0;
    stub.reply((response, request) => {
      calls += 1;
      const fails = broken && (calls === 3 || !request.url.startsWith('/prices-history'));
      (fails ? send('', 500) : good)(response, request);
    });
    expect(await outcome(get('3m'))).toMatchObject({ code: 'upstream_unavailable' });
    broken = false;
    await clock.advance(15_000);
    expect((await get('3m')).status).toBe(200);
  });
});
