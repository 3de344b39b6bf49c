import { describe, expect, it } from '@jest/globals';
import type { PricePoint } from '../../../../lambda/core/domain/change.ts';
import type { HistorySpan } from '../../../../lambda/core/domain/history-plan.ts';
import { dataSource } from '../../../../lambda/io/polymarket/data-history-source.ts';
import {
  clobBatchSource,
  clobSingleSource,
} from '../../../../lambda/io/polymarket/history-sources.ts';
import { outcome } from '../../../support/outcome.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

// A source is a route of Polymarket that has histories of prices: two of CLOB, one of the Data API.
// `history-sources.ts` calls these routes and reads their responses as points with a time `t` in
// Unix seconds and a price `p` from 0 to 1. A caller requests a window or an interval such as a
// week, and the time between two points in minutes (`fidelity`).

/** Unix seconds. */
const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const DAY = 86_400;

const stub = await startStubUpstream();

type SourceName = 'batch' | 'single' | 'data';

/** Reads histories from one source. The stub answers its calls with these bodies, in order. */
async function read(
  source: SourceName,
  tokens: readonly string[],
  span: HistorySpan,
  ...bodies: unknown[]
) {
  stub.reply(...bodies.map((body) => send(body)));
  const { clock, upstream } = upstreamRig(stub.url);
  const sources = {
    batch: clobBatchSource(upstream('clob')),
    single: clobSingleSource(upstream('clob')),
    data: dataSource(upstream('data'), clock.now),
  };
  const limits = { deadline: clock.now() + 60_000 };
  const result = await outcome(sources[source].read(tokens, span, limits));
  return result instanceof Map ? Object.fromEntries(result) : result;
}

describe("CLOB's batch route", () => {
  const SPAN: HistorySpan = { kind: 'interval', interval: '1w', fidelity: 30 };
  const POINT = { t: 1_500, p: 0.4 };
  const readTwo = (history: unknown) => read('batch', ['1', '2'], SPAN, { history });

  it.each<[string, HistorySpan, object]>([
    [
      'a window',
      { kind: 'window', start: 1_000, end: 2_000, fidelity: 15 },
      { start_ts: 1_000, end_ts: 2_000, fidelity: 15 },
    ],
    [
      'an interval',
      { kind: 'interval', interval: '1w', fidelity: 30 },
      { interval: '1w', fidelity: 30 },
    ],
  ])('reads %s of several tokens with one call', async (_, span, range) => {
    const history = { 2: [{ t: 1_500, p: 0.4 }], 1: [{ t: '1600', p: '0.5' }] };
    expect(await read('batch', ['1', '2'], span, { history })).toEqual({
      1: [{ t: 1_600, p: 0.5 }],
      2: [{ t: 1_500, p: 0.4 }],
    });
    const body = { markets: ['1', '2'], ...range };
    expect(stub.requests).toMatchObject([{ method: 'POST', url: '/batch-prices-history', body }]);
  });

  it('has no history for a token that the response omits, and ignores other tokens', async () => {
    expect(await readTwo({ 2: [POINT], 3: [POINT] })).toEqual({ 2: [POINT] });
    expect(await readTwo({ 2: [] })).toEqual({ 2: [] });
    expect(await readTwo({})).toEqual({});
  });

  it.each([
    ['only other tokens', { 3: [POINT] }],
    ['a list', []],
    ['a text as the history of a token', { 1: 'none', 2: [] }],
    ['points that cannot be read', { 1: [{ t: 'x' }] }],
  ])('rejects %s', async (_, history) => {
    const failure = { route: 'batch-prices-history', failure: 'wrong_shape' };
    expect(await readTwo(history)).toMatchObject(failure);
  });
});

describe("CLOB's single route", () => {
  const SPAN: HistorySpan = { kind: 'interval', interval: '1w', fidelity: 30 };

  it.each<[string, HistorySpan, string]>([
    [
      'a window',
      { kind: 'window', start: 1_000, end: 2_000, fidelity: 15 },
      'startTs=1000&endTs=2000&fidelity=15',
    ],
    ['an interval', { kind: 'interval', interval: '1w', fidelity: 30 }, 'interval=1w&fidelity=30'],
  ])('reads %s of one token', async (_, span, query) => {
    const history = [{ t: 1_500, p: 0.4 }];
    expect(await read('single', ['7'], span, { history })).toEqual({ 7: history });
    expect(stub.urls).toEqual([`/prices-history?market=7&${query}`]);
  });

  it.each([
    ['no object', [null, 'x', 42, [1]]],
    ['no price', [{}, { t: 5 }]],
    ['a time that is no number', [{ t: 'x', p: 0.5 }]],
    ['a time before 1970', [{ t: -120, p: 0.5 }]],
    ['a time in milliseconds', [{ t: 1_784_211_751_431, p: 0.4 }]],
    ['a price above 1', [{ t: 5, p: 1.5 }]],
  ])('leaves out points with %s', async (_, unreadable) => {
    const point = { t: 1_500, p: 0.4 };
    const history = [...unreadable, point];
    expect(await read('single', ['7'], SPAN, { history })).toEqual({ 7: [point] });
  });

  it.each([
    ['null', null],
    ['a text as the history', { history: 'x' }],
    ['points that cannot be read', { history: [null, { t: -1, p: 0.5 }] }],
  ])('rejects %s', async (_, body) => {
    const failure = { route: 'prices-history', failure: 'wrong_shape' };
    expect(await read('single', ['7'], SPAN, body)).toMatchObject(failure);
  });
});

describe('the route of the Data API', () => {
  const WEEK: HistorySpan = { kind: 'interval', interval: '1w', fidelity: 30 };
  const LIFE: HistorySpan = { kind: 'interval', interval: 'max', fidelity: 180 };
  const LAST_PAGE = { limit: 10_000, offset: 0, has_more: false, next_cursor: null };

  /** A row with the price of a bucket. */
  const row = (timestamp: number, price: unknown = 0.5) => {
    return { timestamp, price, resolution_seconds: 300 };
  };
  /** A row with an exact time: the newest observation, or a payout. */
  const exact = (timestamp: number, price: number) => {
    return { timestamp, price, resolution_seconds: 0 };
  };
  /** A page with one row, which another page follows. */
  const page = (timestamp: number, next_cursor: unknown, has_more: unknown = true) => {
    return { data: [row(timestamp)], pagination: { ...LAST_PAGE, has_more, next_cursor } };
  };
  const lastPage = (timestamp: number) => page(timestamp, null, false);
  const daysAgo = (days: number) => NOW - days * DAY;

  it.each<[string, HistorySpan, string]>([
    ['an interval', WEEK, 'interval=1w&bucket_seconds=1800'],
    ['the whole life', LIFE, 'interval=max&bucket_seconds=10800'],
  ])('reads %s', async (_, span, query) => {
    const body = { data: [row(5, 0.25)], pagination: LAST_PAGE };
    expect(await read('data', ['7'], span, body)).toEqual({ 7: [{ t: 5, p: 0.25 }] });
    expect(stub.urls).toEqual([`/v2/prices-history?token_id=7&${query}`]);
  });

  // Upstream excludes the end, so the call ends a second later.
  it.each([
    { which: 'of today', from: 1, to: 0, fidelity: 1, addedSeconds: 1, bucket: 60 },
    {
      which: 'of a month ago, stored in coarser buckets',
      from: 30,
      to: 20,
      fidelity: 1,
      addedSeconds: 1,
      bucket: 300,
    },
    {
      which: 'of the greatest length, without its last second',
      from: 30,
      to: 15,
      fidelity: 10,
      addedSeconds: 0,
      bucket: 600,
    },
    { which: 'of 80 days ago', from: 80, to: 70, fidelity: 10, addedSeconds: 1, bucket: 1_800 },
    { which: 'of a year ago', from: 365, to: 360, fidelity: 10, addedSeconds: 1, bucket: 10_800 },
  ])('reads a window $which', async ({ from, to, fidelity, addedSeconds, bucket }) => {
    const [start, end] = [daysAgo(from), daysAgo(to)];
    const body = { data: [row(5, 0.25)], pagination: LAST_PAGE };
    const found = await read('data', ['7'], { kind: 'window', start, end, fidelity }, body);
    expect(found).toEqual({ 7: [{ t: 5, p: 0.25 }] });
    const query = `start=${start}&end=${end + addedSeconds}&bucket_seconds=${bucket}`;
    expect(stub.urls).toEqual([`/v2/prices-history?token_id=7&${query}`]);
  });

  const cursors = () => stub.urls.map((url) => new URL(url, stub.url).searchParams.get('cursor'));

  it('reads page after page by the cursor', async () => {
    const pages = [page(1, 'a'), page(2, 'b'), lastPage(3)];
    const points = [1, 2, 3].map((t) => ({ t, p: 0.5 }));
    expect(await read('data', ['7'], LIFE, ...pages)).toEqual({ 7: points });
    expect(cursors()).toEqual([null, 'a', 'b']);
  });

  it('stops when a cursor repeats', async () => {
    // The stub repeats its last answer.
    await read('data', ['7'], LIFE, page(1, 'a'));
    expect(cursors()).toEqual([null, 'a']);
  });

  it.each<[string, HistorySpan]>([
    ['an interval', WEEK],
    ['a whole life', LIFE],
    ['a window', { kind: 'window', start: daysAgo(6.9), end: NOW, fidelity: 1 }],
  ])('reads up to ten short pages of %s, and fails with more', async (_span, span) => {
    const pages = Array.from({ length: 12 }, (_, n) => page(n, `cursor ${n}`));
    const ten = await read('data', ['7'], span, ...pages.slice(0, 9), lastPage(9));
    expect((ten as { 7: PricePoint[] })[7]).toHaveLength(10);
    expect(await read('data', ['7'], span, ...pages)).toMatchObject({ failure: 'too_large' });
    expect(stub.requests).toHaveLength(10);
  });

  it.each([
    ['upstream has no more', page(1, 'a', false)],
    ['the cursor is empty', page(1, '')],
    ['has_more is no boolean', page(1, 'a', 'true')],
    ['there is no pagination', { data: [row(1)] }],
  ])('reads one page if %s', async (_, body) => {
    expect(await read('data', ['7'], WEEK, body)).toEqual({ 7: [{ t: 1, p: 0.5 }] });
    expect(stub.requests).toHaveLength(1);
  });

  // The last row is a payout if it is exact and one of these is true: its price is 0 or 1, the row
  // before it is exact too, or it is one bucket after that row and an hour old.
  const BUCKET = 30 * 60;
  const MINUTE_AGO = NOW - 60;
  const payoutsOf = async (rows: readonly object[]) => {
    const points = await read('data', ['7'], WEEK, { data: rows, pagination: LAST_PAGE });
    return (points as { 7: PricePoint[] })[7].filter(({ payout }) => payout).map(({ p }) => p);
  };

  it.each([
    ['after the newest observation', [exact(2_000, 0.4), exact(3_800, 0.5)], 0.5],
    ['one bucket after a row', [row(1_800), exact(1_800 + BUCKET, 0.5)], 0.5],
    ['of 1, even a minute ago', [row(MINUTE_AGO - BUCKET), exact(MINUTE_AGO, 1)], 1],
    ['of 1, less than a bucket after a row', [row(1_800), exact(1_900, 1)], 1],
    ['of 0, the only point', [exact(1_900, 0)], 0],
  ])('marks an exact last point as a payout: %s', async (_, rows, payout) => {
    expect(await payoutsOf(rows)).toEqual([payout]);
  });

  it.each([
    ['the newest observation', [row(1_800), exact(2_000, 0.4)]],
    [
      'an exact point one bucket after a row, but only a minute ago',
      [row(MINUTE_AGO - BUCKET), exact(MINUTE_AGO, 0.5)],
    ],
    ['a row with the price 1', [row(1_800, 1)]],
  ])('does not mark as a payout: %s', async (_, rows) => {
    expect(await payoutsOf(rows)).toEqual([]);
  });

  it('leaves out rows that cannot be read', async () => {
    const body = { data: [null, row(-5), row(2, '0.25')], pagination: LAST_PAGE };
    expect(await read('data', ['7'], WEEK, body)).toEqual({ 7: [{ t: 2, p: 0.25 }] });
  });

  it('has an empty history if upstream has no rows', async () => {
    const body = { data: [], pagination: LAST_PAGE };
    expect(await read('data', ['7'], WEEK, body)).toEqual({ 7: [] });
  });

  it('rejects another shape', async () => {
    const failure = { route: 'v2-prices-history', failure: 'wrong_shape' };
    expect(await read('data', ['7'], WEEK, { data: {} })).toMatchObject(failure);
  });
});
