import { describe, expect, it } from '@jest/globals';
import type { Upstream } from '../../../../lambda/http-client/client.ts';
import {
  ClobBatchHistories,
  ClobSingleHistories,
} from '../../../../lambda/polymarket/clob-history-routes.ts';
import { outcomeAfter, type ScriptedReply, scriptedUpstream } from '../../../support/scripted-upstream.ts';

/** An upstream whose only response is this body. */
function responding(body: unknown): Pick<Upstream, 'request'> {
  return { request: async (_route, _path, parse) => parse({ body, headers: new Headers() }) };
}

const SPAN = { kind: 'window', start: 1_000, end: 2_000, fidelity: 15 } as const;
const INTERVAL = { kind: 'interval', interval: '1w', fidelity: 30 } as const;
const LIMITS = { deadline: 60_000, retries: 0 };
const POINT = { t: 1_500, p: 0.4 };

describe('the batch route', () => {
  const read = (history: unknown) =>
    new ClobBatchHistories(responding({ history }) as Upstream).read(['1', '2'], SPAN, LIMITS);

  it('leaves out what upstream does not know', async () => {
    expect(await read({ 2: [POINT] })).toEqual(
      new Map([
        ['1', []],
        ['2', [POINT]],
      ]),
    );
    expect((await read({})).get('1')).toEqual([]);
  });

  it('leaves out what nobody asked for beside what was', async () => {
    expect([...(await read({ 1: [POINT], 3: [POINT] })).keys()]).toEqual(['1', '2']);
  });

  it.each([[{ 3: [POINT] }], [[]], ['{}'], [null], [{ 1: 'none', 2: [] }], [{ 1: [{ t: 'x' }] }]])(
    'refuses what is no response to what was asked: %j',
    async (history) => {
      await expect(read(history)).rejects.toMatchObject({ failure: 'wrong_shape' });
    },
  );

  it.each([
    ['a window', SPAN, { start_ts: 1_000, end_ts: 2_000, fidelity: 15 }],
    ['an interval', INTERVAL, { interval: '1w', fidelity: 30 }],
  ])('is asked for %s in one call, in snake case', async (_, span, range) => {
    const { upstream, clock, calls } = scriptedUpstream('clob', { history: {} });
    await new ClobBatchHistories(upstream).read(['1', '2'], span, { ...LIMITS, deadline: clock.now() + 1 });
    const body = { markets: ['1', '2'], ...range };
    expect(calls).toEqual([{ path: '/batch-prices-history', query: new URLSearchParams(), body }]);
  });

  it('takes twenty tokens a call, and is named in its errors', async () => {
    const route = new ClobBatchHistories(responding({}) as Upstream);
    expect([route.name, route.tokensPerCall]).toEqual(['clob-batch', 20]);
    for (const body of [null, {}, { history: { 1: [{}] } }]) {
      await expect(
        new ClobBatchHistories(responding(body) as Upstream).read(['1'], SPAN, LIMITS),
      ).rejects.toMatchObject({ name: 'UpstreamError', route: 'batch-prices-history' });
    }
  });
});

describe('the single route', () => {
  const read = (reply: ScriptedReply, tokens = ['7'], span: typeof SPAN | typeof INTERVAL = SPAN) => {
    const { upstream, clock, calls } = scriptedUpstream('clob', reply);
    const limits = { deadline: clock.now() + 60_000, retries: 0 };
    const found = new ClobSingleHistories(upstream).read(tokens, span, limits);
    return { calls, found: outcomeAfter(0, clock, found) };
  };

  it.each([
    ['a window', SPAN, { startTs: '1000', endTs: '2000', fidelity: '15' }],
    ['an interval', INTERVAL, { interval: '1w', fidelity: '30' }],
  ])('is asked for %s of one token, in camel case', async (_, span, range) => {
    const { calls, found } = read({ history: [POINT] }, ['7'], span);
    expect(await found).toEqual(new Map([['7', [POINT]]]));
    expect(calls.map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual([
      ['/prices-history', { market: '7', ...range }],
    ]);
  });

  it('takes one token a call', () => {
    const { name, tokensPerCall } = new ClobSingleHistories(responding({}) as Upstream);
    expect([name, tokensPerCall]).toEqual(['clob-single', 1]);
  });

  it('has no points of an unknown token, and leaves out those that cannot be read', async () => {
    expect(await read({ history: [] }).found).toEqual(new Map([['7', []]]));
    const history = [
      { t: 1 },
      { p: 0.5 },
      { t: 2, p: 1.5 },
      { t: 1_795_000_000_000, p: 0.5 },
      null,
      [3, 0.5],
      { t: '4', p: '0.5' },
    ];
    expect(await read({ history }).found).toEqual(new Map([['7', [{ t: 4, p: 0.5 }]]]));
  });

  it.each([[{}], [{ history: {} }], [{ history: null }], [[]], [{ history: [{ t: 1 }] }]])(
    'has no history in %j',
    async (reply) => {
      expect(await read(reply).found).toMatchObject({ route: 'prices-history', failure: 'wrong_shape' });
    },
  );

  it.each([
    ['nothing is said', {}, 8_000_000],
    ['a caller says so', { maxBytes: 5 }, 5],
  ])('reads so many bytes at most where %s', async (_, more, expected) => {
    const seen: unknown[] = [];
    const upstream = {
      request: async (...[, , , limits]: Parameters<Upstream['request']>) => {
        seen.push(limits);
        return [];
      },
    } as unknown as Upstream;
    await new ClobSingleHistories(upstream).read(['7'], SPAN, { ...LIMITS, ...more });
    expect(seen).toEqual([{ ...LIMITS, maxBytes: expected }]);
  });
});
