import { describe, expect, it } from '@jest/globals';
import type { Upstream } from '../../../../lambda/http-client/client.ts';
import { createUpstream } from '../../../../lambda/http-client/create-upstream.ts';
import { DataHistories } from '../../../../lambda/polymarket/data-histories.ts';
import type { HistorySpan } from '../../../../lambda/polymarket/history-route.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { protocolFixtures } from '../../../support/recordings.ts';

const DAY = 86_400;
const LAST = { limit: 10_000, offset: 0, has_more: false, next_cursor: null };
const row = (timestamp: number, price: unknown = 0.5) => ({ timestamp, price, resolution_seconds: 300 });

function rig(...bodies: unknown[]) {
  const clock = new ManualClock();
  const asked: URL[] = [];
  const fetch = async (url: string | URL | Request) => {
    asked.push(new URL(String(url)));
    const body = bodies[Math.min(asked.length, bodies.length) - 1];
    return body instanceof Response ? body.clone() : new Response(JSON.stringify(body));
  };
  const upstream = createUpstream('data', {
    baseUrl: 'http://data.example',
    fetch,
    clock,
    random: () => 0,
  });
  const now = clock.now() / 1_000;
  const read = async (span: HistorySpan) =>
    (await new DataHistories(upstream).read(['7'], span, { deadline: clock.now() + 60_000, retries: 0 })).get(
      '7',
    );
  return { asked, now, read };
}

const INTERVAL: HistorySpan = { kind: 'interval', interval: '1w', fidelity: 30 };

describe('a history of the Data API', () => {
  it.each([
    ['an interval', () => INTERVAL, 'token_id=7&interval=1w&bucket_seconds=1800'],
    [
      'a window of today: its end is exclusive there',
      (now: number): HistorySpan => ({ kind: 'window', start: now - DAY, end: now, fidelity: 1 }),
      (now: number) => `token_id=7&start=${now - DAY}&end=${now + 1}&bucket_seconds=60`,
    ],
    [
      'a window of a month ago: what is kept of it is coarser',
      (now: number): HistorySpan => ({
        kind: 'window',
        start: now - 30 * DAY,
        end: now - 20 * DAY,
        fidelity: 1,
      }),
      (now: number) => `token_id=7&start=${now - 30 * DAY}&end=${now - 20 * DAY + 1}&bucket_seconds=300`,
    ],
    [
      'the longest window: a second more would be refused',
      (now: number): HistorySpan => ({
        kind: 'window',
        start: now - 30 * DAY,
        end: now - 15 * DAY,
        fidelity: 10,
      }),
      (now: number) => `token_id=7&start=${now - 30 * DAY}&end=${now - 15 * DAY}&bucket_seconds=600`,
    ],
    [
      'a window of 80 days ago',
      (now: number): HistorySpan => ({
        kind: 'window',
        start: now - 80 * DAY,
        end: now - 70 * DAY,
        fidelity: 10,
      }),
      (now: number) => `token_id=7&start=${now - 80 * DAY}&end=${now - 70 * DAY + 1}&bucket_seconds=1800`,
    ],
    [
      'a window of a year ago',
      (now: number): HistorySpan => ({
        kind: 'window',
        start: now - 365 * DAY,
        end: now - 360 * DAY,
        fidelity: 10,
      }),
      (now: number) => `token_id=7&start=${now - 365 * DAY}&end=${now - 360 * DAY + 1}&bucket_seconds=10800`,
    ],
  ])('is asked for by its own names: %s', async (_, spanOf, queryOf) => {
    const { asked, now, read } = rig({ data: [row(5, 0.25)], pagination: LAST });
    expect(await read(spanOf(now))).toEqual([{ t: 5, p: 0.25 }]);
    const query = typeof queryOf === 'string' ? queryOf : queryOf(now);
    expect(asked.map(({ pathname, search }) => `${pathname}${search}`)).toEqual([
      `/v2/prices-history?${query}`,
    ]);
  });

  it('is followed from page to page by its cursor, and no further than it leads', async () => {
    const page = (t: number, cursor: string) => ({
      data: [row(t)],
      pagination: { ...LAST, has_more: true, next_cursor: cursor },
    });
    const { asked, read } = rig(page(1, 'a'), page(2, 'b'), { data: [row(3)], pagination: LAST });
    expect(await read(INTERVAL)).toEqual([1, 2, 3].map((t) => ({ t, p: 0.5 })));
    expect(asked.map(({ searchParams }) => searchParams.get('cursor'))).toEqual([null, 'a', 'b']);
    const looping = rig(page(1, 'a'));
    await looping.read(INTERVAL);
    expect(looping.asked).toHaveLength(2);
  });

  it('with points further apart than a day is thinned', async () => {
    const data = Array.from({ length: 15 }, (_, n) => row(n * DAY));
    const { asked, now, read } = rig({ data, pagination: LAST });
    const points = await read({ kind: 'window', start: now - 15 * DAY, end: now, fidelity: 5 * 1_440 });
    expect(asked[0]?.searchParams.get('bucket_seconds')).toBe('86400');
    expect(points?.map(({ t }) => t / DAY)).toEqual([0, 5, 10, 14]);
  });

  it('is followed for five pages at most', async () => {
    let page = 0;
    const endless = () => ({
      data: [row(++page)],
      pagination: { ...LAST, has_more: true, next_cursor: String(page) },
    });
    const { asked, read } = rig(...Array.from({ length: 8 }, endless));
    expect(await read(INTERVAL)).toHaveLength(5);
    expect(asked).toHaveLength(5);
  });

  it.each([
    ['more is not said to come', { has_more: false, next_cursor: 'a' }],
    ['the cursor is empty', { has_more: true, next_cursor: '' }],
    ['there is no cursor', { has_more: true }],
    ['whether more comes is no boolean', { has_more: 'true', next_cursor: 'a' }],
    ['nothing is said of pages', undefined],
  ])('ends with its first page where %s', async (_, pagination) => {
    const { asked, read } = rig({ data: [row(1)], pagination });
    expect(await read(INTERVAL)).toEqual([{ t: 1, p: 0.5 }]);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['7 days but an hour ago', 7 * DAY - 3_600, 60],
    ['a second more', 7 * DAY - 3_599, 300],
    ['60 days but an hour ago', 60 * DAY - 3_600, 300],
    ['a second more than that', 60 * DAY - 3_599, 1_800],
    ['90 days but an hour ago', 90 * DAY - 3_600, 1_800],
    ['a second more than 90 days but an hour', 90 * DAY - 3_599, 10_800],
  ])('that begins %s has the finest bucket that is kept of it', async (_, age, bucket) => {
    const { asked, now, read } = rig({ data: [], pagination: LAST });
    await read({ kind: 'window', start: now - age, end: now - age + 60, fidelity: 1 });
    expect(asked[0]?.searchParams.get('bucket_seconds')).toBe(String(bucket));
  });

  it.each([
    ['less than a minute', 0.5, 60],
    ['a day', 1_440, 86_400],
    ['more than a day', 1_441, 86_400],
  ])(
    'has buckets within what the route takes where a point is wanted each %s',
    async (_, fidelity, bucket) => {
      const { asked, read } = rig({ data: [], pagination: LAST });
      await read({ ...INTERVAL, fidelity });
      expect(asked[0]?.searchParams.get('bucket_seconds')).toBe(String(bucket));
    },
  );

  it('with points a day apart is as it comes, and of points further apart the last is kept', async () => {
    const data = [0, DAY - 1, 2 * DAY, 4 * DAY - 1, 4 * DAY, 5 * DAY].map((t) => row(t));
    const days = async (fidelity: number) =>
      (await rig({ data, pagination: LAST }).read({ ...INTERVAL, fidelity }))?.map(({ t }) => t / DAY);
    expect(await days(1_440)).toHaveLength(6);
    expect(await days(2 * 1_440)).toEqual([0, 2, 4, 5]);
  });

  it('leaves out rows that cannot be read', async () => {
    const data = [row(1), { price: 0.5 }, { timestamp: 2 }, row(3, 1.01), null, [4, 0.5], row(5, '0.25')];
    expect(await rig({ data, pagination: LAST }).read(INTERVAL)).toEqual([
      { t: 1, p: 0.5 },
      { t: 5, p: 0.25 },
    ]);
  });

  it('is empty where upstream has no row of it', async () => {
    expect(await rig({ data: [], pagination: LAST }).read(INTERVAL)).toEqual([]);
  });

  it('is named data, takes one token a call, and reads 8 MB at most unless a caller says otherwise', async () => {
    const seen: unknown[] = [];
    const upstream = {
      clock: new ManualClock(),
      request: async (...[, , , limits]: Parameters<Upstream['request']>) => {
        seen.push(limits);
        return { points: [] };
      },
    } as unknown as Upstream;
    const route = new DataHistories(upstream);
    expect([route.name, route.tokensPerCall]).toEqual(['data', 1]);
    const limits = { deadline: 5, retries: 2 };
    await route.read(['7'], INTERVAL, limits);
    await route.read(['7'], INTERVAL, { ...limits, maxBytes: 9 });
    expect(seen).toEqual([
      { ...limits, maxBytes: 8_000_000 },
      { ...limits, maxBytes: 9 },
    ]);
  });

  it('may have more points than a call may have arguments', async () => {
    const data = Array.from({ length: 160_000 }, (_, n) => ({ timestamp: n, price: 0.5 }));
    expect(await rig({ data, pagination: LAST }).read(INTERVAL)).toHaveLength(160_000);
  });

  it.each([
    ['nothing', null],
    ['no list', { data: null }],
    ['rows of which none can be read', { data: [{ t: 1, p: 0.5 }] }],
    ['times in microseconds', { data: [row(1_795_000_000_000_000)], pagination: LAST }],
    ['a list at the top', [row(1)]],
  ])('is of a wrong shape with %s', async (_, body) => {
    await expect(rig(body).read(INTERVAL)).rejects.toMatchObject({
      route: 'v2-prices-history',
      failure: 'wrong_shape',
    });
  });

  it('is not asked for again when the Data API says that this is useless', async () => {
    const body = { error: 'no', code: 'internal', retryable: false, trace_id: 'x' };
    const { asked, read } = rig(new Response(JSON.stringify(body), { status: 500 }));
    await expect(read(INTERVAL)).rejects.toMatchObject({ status: 500 });
    expect(asked).toHaveLength(1);
  });

  for (const { name, object } of protocolFixtures().filter((one) =>
    /^data-v2-(prices|empty)/.test(one.name),
  )) {
    it(`is read as it comes: ${name}`, async () => {
      const { read } = rig(object, { data: [], pagination: LAST });
      const rows = object.data as { timestamp: number; price: number }[];
      expect(await read(INTERVAL)).toEqual(rows.map(({ timestamp, price }) => ({ t: timestamp, p: price })));
    });
  }
});
