import { describe, expect, it } from '@jest/globals';
import type { PricePoint } from '../../../../lambda/core/domain/change.ts';
import type { HistorySpan } from '../../../../lambda/core/domain/history-plan.ts';
import {
  clobBatchSource,
  clobSingleSource,
  dataSource,
} from '../../../../lambda/io/polymarket/history-sources.ts';
import { outcome } from '../../../support/outcome.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

const DAY = 86_400;
const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const WINDOW: HistorySpan = { kind: 'window', start: 1_000, end: 2_000, fidelity: 15 };
const INTERVAL: HistorySpan = { kind: 'interval', interval: '1w', fidelity: 30 };
const POINT = { t: 1_500, p: 0.4 };

const stub = await startStubUpstream();

type RouteName = 'batch' | 'single' | 'data';

async function read(
  route: RouteName,
  tokens: readonly string[],
  span: HistorySpan,
  ...bodies: unknown[]
) {
  stub.reply(...bodies.map((body) => send(body)));
  const { clock, upstream } = upstreamRig(stub.url);
  const routes = {
    batch: clobBatchSource(upstream('clob')),
    single: clobSingleSource(upstream('clob')),
    data: dataSource(upstream('data'), clock.now),
  };
  const result = await outcome(
    routes[route].read(tokens, span, { deadline: clock.now() + 60_000 }),
  );
  return result instanceof Map ? Object.fromEntries(result) : result;
}

describe("CLOB's batch route", () => {
  const batch = (history: unknown) => read('batch', ['1', '2'], WINDOW, { history });

  it.each([
    ['a window', WINDOW, { start_ts: 1_000, end_ts: 2_000, fidelity: 15 }],
    ['an interval', INTERVAL, { interval: '1w', fidelity: 30 }],
  ])('reads %s of several tokens with one call', async (_, span, range) => {
    const history = { 2: [POINT], 1: [POINT, { t: '1600', p: '0.5' }] };
    const expected = { 1: [POINT, { t: 1_600, p: 0.5 }], 2: [POINT] };
    expect(await read('batch', ['1', '2'], span, { history })).toEqual(expected);
    const body = { markets: ['1', '2'], ...range };
    expect(stub.requests).toMatchObject([{ method: 'POST', url: '/batch-prices-history', body }]);
  });

  it('has no history for a token that the response omits, and ignores other tokens', async () => {
    expect(await batch({ 2: [POINT], 3: [POINT] })).toEqual({ 2: [POINT] });
    expect(await batch({ 2: [] })).toEqual({ 2: [] });
    expect(await batch({})).toEqual({});
  });

  it.each([[{ 3: [POINT] }], [[]], [{ 1: 'none', 2: [] }], [{ 1: [{ t: 'x' }] }]])(
    'rejects %j',
    async (history) => {
      expect(await batch(history)).toMatchObject({
        route: 'batch-prices-history',
        failure: 'wrong_shape',
      });
    },
  );
});

describe("CLOB's single route", () => {
  it.each([
    ['a window', WINDOW, 'startTs=1000&endTs=2000&fidelity=15'],
    ['an interval', INTERVAL, 'interval=1w&fidelity=30'],
  ])('reads %s of one token', async (_, span, query) => {
    expect(await read('single', ['7'], span, { history: [POINT] })).toEqual({ 7: [POINT] });
    expect(stub.urls).toEqual([`/prices-history?market=7&${query}`]);
  });

  it('leaves out points that cannot be read', async () => {
    const values = [
      null,
      'x',
      42,
      [1],
      {},
      { t: 'x', p: 0.5 },
      { t: -120, p: 0.5 },
      { t: 5, p: 1.5 },
      { t: 5 },
    ];
    const history = [...values, POINT, { ...POINT, t: 1_784_211_751_431 }];
    expect(await read('single', ['7'], WINDOW, { history })).toEqual({ 7: [POINT] });
  });

  it.each([[null], [{ history: 'x' }], [{ history: [null, { t: -1, p: 0.5 }] }]])(
    'rejects %j',
    async (body) => {
      const failure = { route: 'prices-history', failure: 'wrong_shape' };
      expect(await read('single', ['7'], WINDOW, body)).toMatchObject(failure);
    },
  );
});

describe('the route of the Data API', () => {
  const LAST = { limit: 10_000, offset: 0, has_more: false, next_cursor: null };
  const row = (timestamp: number, price: unknown = 0.5) => ({
    timestamp,
    price,
    resolution_seconds: 300,
  });
  const exact = (timestamp: number, price: number) => ({
    ...row(timestamp, price),
    resolution_seconds: 0,
  });
  const page = (t: number, next_cursor: unknown, has_more: unknown = true) => ({
    data: [row(t)],
    pagination: { ...LAST, has_more, next_cursor },
  });
  const data = (...bodies: unknown[]) => read('data', ['7'], INTERVAL, ...bodies);
  const cursors = () => stub.urls.map((url) => new URL(url, stub.url).searchParams.get('cursor'));
  const window = (from: number, to: number, fidelity: number): HistorySpan => ({
    kind: 'window',
    start: NOW - from * DAY,
    end: NOW - to * DAY,
    fidelity,
  });
  const range = (from: number, to: number, extra: number) =>
    `start=${NOW - from * DAY}&end=${NOW - to * DAY + extra}`;

  it.each<[string, HistorySpan, string]>([
    ['an interval', INTERVAL, 'interval=1w&bucket_seconds=1800'],
    [
      'the whole life',
      { ...INTERVAL, interval: 'max', fidelity: 180 },
      'interval=max&bucket_seconds=10800',
    ],
    [
      'a window of today, whose end is exclusive there',
      window(1, 0, 1),
      `${range(1, 0, 1)}&bucket_seconds=60`,
    ],
    [
      'a month ago, stored in coarser buckets',
      window(30, 20, 1),
      `${range(30, 20, 1)}&bucket_seconds=300`,
    ],
    [
      'the longest window, without its last second',
      window(30, 15, 10),
      `${range(30, 15, 0)}&bucket_seconds=600`,
    ],
    ['a window of 80 days ago', window(80, 70, 10), `${range(80, 70, 1)}&bucket_seconds=1800`],
    ['a window of a year ago', window(365, 360, 10), `${range(365, 360, 1)}&bucket_seconds=10800`],
  ])('reads %s', async (_, span, query) => {
    const body = { data: [row(5, 0.25)], pagination: LAST };
    expect(await read('data', ['7'], span, body)).toEqual({ 7: [{ t: 5, p: 0.25 }] });
    expect(stub.urls).toEqual([`/v2/prices-history?token_id=7&${query}`]);
  });

  const life: HistorySpan = { ...INTERVAL, interval: 'max', fidelity: 180 };

  it('reads page after page by the cursor, until a cursor repeats', async () => {
    const points = [1, 2, 3].map((t) => ({ t, p: 0.5 }));
    expect(
      await read('data', ['7'], life, page(1, 'a'), page(2, 'b'), page(3, null, false)),
    ).toEqual({ 7: points });
    expect(cursors()).toEqual([null, 'a', 'b']);
    await read('data', ['7'], life, page(1, 'a'));
    expect(cursors()).toEqual([null, 'a']);
  });

  it.each([
    ['an interval', INTERVAL],
    ['a whole life', life],
    ['a window', window(6.9, 0, 1)],
  ])('reads up to ten short pages of %s, and fails with more', async (_, span) => {
    const short = Array.from({ length: 9 }, (_, n) => page(n, `cursor ${n}`));
    const read10 = await read('data', ['7'], span, ...short, page(9, null, false));
    expect((read10 as { 7: PricePoint[] })[7]).toHaveLength(10);
    const endless = Array.from({ length: 12 }, (_, n) => page(n, `cursor ${n}`));
    expect(await read('data', ['7'], span, ...endless)).toMatchObject({ failure: 'too_large' });
    expect(stub.requests).toHaveLength(10);
  });

  it.each([
    ['upstream has no more', page(1, 'a', false)],
    ['the cursor is empty', page(1, '')],
    ['has_more is no boolean', page(1, 'a', 'true')],
    ['there is no pagination', { data: [row(1)] }],
  ])('reads one page if %s', async (_, body) => {
    expect(await data(body)).toEqual({ 7: [{ t: 1, p: 0.5 }] });
    expect(stub.requests).toHaveLength(1);
  });

  it.each([
    ['the newest observation is no payout', [row(1_800), exact(2_000, 0.4)], undefined],
    [
      'an exact point after the newest observation is one',
      [exact(2_000, 0.4), exact(3_800, 0.5)],
      0.5,
    ],
    ['an exact point one bucket after a row is one', [row(1_800), exact(3_600, 0.5)], 0.5],
    ['the same of a minute ago is none', [row(NOW - 1_860), exact(NOW - 60, 0.5)], undefined],
    ['an exact 1 of a minute ago is one', [row(NOW - 1_860), exact(NOW - 60, 1)], 1],
    ['an exact 1 at the end of the window is one', [row(1_800), exact(1_900, 1)], 1],
    ['a lonely exact 0 is one', [exact(1_900, 0)], 0],
    ['a row of 1 is none', [row(1_800, 1)], undefined],
  ])('marks the payout: %s', async (_, rows, payout) => {
    const points = await data({ data: rows, pagination: LAST });
    expect(
      (points as { 7: PricePoint[] })[7].filter(({ payout }) => payout).map(({ p }) => p),
    ).toEqual(payout === undefined ? [] : [payout]);
  });

  it('leaves out rows that cannot be read, can be empty, and rejects another shape', async () => {
    expect(await data({ data: [null, row(-5), row(2, '0.25')], pagination: LAST })).toEqual({
      7: [{ t: 2, p: 0.25 }],
    });
    expect(await data({ data: [], pagination: LAST })).toEqual({ 7: [] });
    expect(await data({ data: {} })).toMatchObject({
      route: 'v2-prices-history',
      failure: 'wrong_shape',
    });
  });
});
