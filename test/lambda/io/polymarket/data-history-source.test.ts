import { describe, expect, it } from '@jest/globals';
import type { HistorySpan } from '../../../../lambda/core/domain/history-plan.ts';
import type { PricePoint } from '../../../../lambda/core/domain/price-history.ts';
import { dataSource } from '../../../../lambda/io/polymarket/data-history-source.ts';
import { outcome } from '../../../support/outcome.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { upstreamRig } from '../../../support/upstream-rig.ts';

// Polymarket's Data API has the price history of a token, in pages. A row has the price of a period
// ("bucket") or of an exact time. A caller requests a window, an interval such as a week or the
// whole life, and the minutes between two points (`fidelity`). It gets points with a time `t` in
// Unix seconds and a price `p` from 0 to 1.

/** Unix seconds. */
const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const DAY = 86_400;
const WEEK: HistorySpan = { kind: 'interval', interval: '1w', fidelity: 30 };
const LIFE: HistorySpan = { kind: 'interval', interval: 'max', fidelity: 180 };
const LAST_PAGE = { limit: 10_000, offset: 0, has_more: false, next_cursor: null };

const stub = await startStubUpstream();

/** The history of the token 7. The Data API responds to the calls with these bodies, in order. */
async function read(span: HistorySpan, ...bodies: unknown[]) {
  stub.reply(...bodies.map((body) => send(body)));
  const { clock, upstream } = upstreamRig(stub.url);
  const limits = { deadline: clock.now() + 60_000 };
  const result = await outcome(dataSource(upstream('data'), clock.now).read(['7'], span, limits));
  return result instanceof Map ? (result.get('7') as PricePoint[]) : result;
}

/** A row with the price of a bucket. */
const row = (timestamp: number, price: unknown = 0.5) => {
  return { timestamp, price, resolution_seconds: 300 };
};
/** A row with an exact time: the newest observation, or a payout. */
const exact = (timestamp: number, price: number) => {
  return { timestamp, price, resolution_seconds: 0 };
};
/** A page with one row, which another page follows unless `has_more` is false. */
const page = (timestamp: number, next_cursor: unknown, has_more: unknown = true) => {
  return { data: [row(timestamp)], pagination: { ...LAST_PAGE, has_more, next_cursor } };
};
/** The only page of a history. */
const pageOf = (...data: unknown[]) => ({ data, pagination: LAST_PAGE });

describe('a history of the Data API', () => {
  it.each([
    { what: 'an interval', span: WEEK, query: 'interval=1w&bucket_seconds=1800' },
    { what: 'the whole life', span: LIFE, query: 'interval=max&bucket_seconds=10800' },
  ])('can be that of $what', async ({ span, query }) => {
    expect(await read(span, pageOf(row(5, 0.25)))).toEqual([{ t: 5, p: 0.25 }]);
    expect(stub.urls).toEqual([`/v2/prices-history?token_id=7&${query}`]);
  });

  // Upstream excludes the end, so the call ends a second later. It has only coarse buckets of past
  // times, and allows windows of at most 15 days.
  it.each([
    // `from` and `to` are days ago, `fidelity` is in minutes, `bucket` in seconds.
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
  ])('can be that of a window $which', async ({ from, to, fidelity, addedSeconds, bucket }) => {
    const [start, end] = [NOW - from * DAY, NOW - to * DAY];
    const window: HistorySpan = { kind: 'window', start, end, fidelity };
    expect(await read(window, pageOf(row(5, 0.25)))).toEqual([{ t: 5, p: 0.25 }]);
    const query = `start=${start}&end=${end + addedSeconds}&bucket_seconds=${bucket}`;
    expect(stub.urls).toEqual([`/v2/prices-history?token_id=7&${query}`]);
  });

  it('leaves out rows that cannot be read', async () => {
    const rows = pageOf(null, row(-5), row(2, '0.25'));
    expect(await read(WEEK, rows)).toEqual([{ t: 2, p: 0.25 }]);
  });

  it('is empty if upstream has no rows', async () => {
    expect(await read(WEEK, pageOf())).toEqual([]);
  });

  it('is an error in another shape', async () => {
    const failure = { route: 'v2-prices-history', failure: 'wrong_shape' };
    expect(await read(WEEK, { data: {} })).toMatchObject(failure);
  });
});

describe('the pages of a history', () => {
  const cursors = () => stub.urls.map((url) => new URL(url, stub.url).searchParams.get('cursor'));

  it('are read one after another, by the cursor', async () => {
    const points = [1, 2, 3].map((t) => ({ t, p: 0.5 }));
    expect(await read(LIFE, page(1, 'a'), page(2, 'b'), pageOf(row(3)))).toEqual(points);
    expect(cursors()).toEqual([null, 'a', 'b']);
  });

  it('end when a cursor repeats', async () => {
    // The stub repeats its last reply.
    await read(LIFE, page(1, 'a'));
    expect(cursors()).toEqual([null, 'a']);
  });

  it('can be up to ten', async () => {
    const pages = Array.from({ length: 12 }, (_, n) => page(n, `cursor ${n}`));
    expect(await read(WEEK, ...pages.slice(0, 9), pageOf(row(9)))).toHaveLength(10);
    expect(await read(WEEK, ...pages)).toMatchObject({ failure: 'too_large' });
    expect(stub.requests).toHaveLength(10);
  });

  it.each([
    ['upstream has no more', page(1, 'a', false)],
    ['the cursor is empty', page(1, '')],
    ['has_more is no boolean', page(1, 'a', 'true')],
    ['there is no pagination', { data: [row(1)] }],
  ])('are only one if %s', async (_, body) => {
    expect(await read(WEEK, body)).toEqual([{ t: 1, p: 0.5 }]);
    expect(stub.requests).toHaveLength(1);
  });
});

// When a market is resolved, the Data API adds a row with what a share pays. The last row is such a
// payout if it is exact and one of these is true: its price is 0 or 1, the row before it is exact
// too, or it is one bucket after that row and an hour old.
describe('a payout', () => {
  /** The bucket of `WEEK`, in seconds. */
  const BUCKET = 30 * 60;
  const MINUTE_AGO = NOW - 60;
  const payoutsOf = async (rows: readonly object[]) => {
    const points = (await read(WEEK, pageOf(...rows))) as PricePoint[];
    return points.filter(({ payout }) => payout).map(({ p }) => p);
  };

  it.each([
    {
      where: 'after the newest observation',
      rows: [exact(2_000, 0.4), exact(3_800, 0.5)],
      payout: 0.5,
    },
    {
      where: 'one bucket after a row',
      rows: [row(1_800), exact(1_800 + BUCKET, 0.5)],
      payout: 0.5,
    },
    {
      where: 'of 1, even a minute ago',
      rows: [row(MINUTE_AGO - BUCKET), exact(MINUTE_AGO, 1)],
      payout: 1,
    },
    {
      where: 'of 1, less than a bucket after a row',
      rows: [row(1_800), exact(1_900, 1)],
      payout: 1,
    },
    { where: 'of 0, the only point', rows: [exact(1_900, 0)], payout: 0 },
  ])('is an exact last point $where', async ({ rows, payout }) => {
    expect(await payoutsOf(rows)).toEqual([payout]);
  });

  it.each([
    { what: 'the newest observation', rows: [row(1_800), exact(2_000, 0.4)] },
    {
      what: 'an exact point one bucket after a row, but only a minute ago',
      rows: [row(MINUTE_AGO - BUCKET), exact(MINUTE_AGO, 0.5)],
    },
    { what: 'a row with the price 1', rows: [row(1_800, 1)] },
  ])('is not $what', async ({ rows }) => {
    expect(await payoutsOf(rows)).toEqual([]);
  });
});
