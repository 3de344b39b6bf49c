import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crawl, type Json, NOW, type Rig, startRig, token, twoSided } from '../helpers.ts';

interface Row {
  readonly timestamp: number;
  readonly price: number;
  readonly resolution_seconds: number;
}
interface Body {
  readonly data: readonly Row[];
  readonly pagination: {
    readonly limit: number;
    readonly offset: number;
    readonly has_more: boolean;
    readonly next_cursor: string | null;
  };
}

const NOW_S = Math.floor(NOW / 1_000);
const DAY = 86_400;

let rig: Rig;
let markets: Json[];
let old: string;
beforeAll(async () => {
  rig = await startRig({ markets: 600, rateLimits: false });
  markets = [
    ...(await crawl(rig, '/markets/keyset?limit=100')),
    ...(await crawl(rig, '/markets/keyset?limit=100&closed=true')),
  ];
  old = token(
    twoSided(markets).find(
      (m) => m.lastTradePrice !== undefined && Date.parse(String(m.createdAt)) < NOW - 120 * DAY * 1_000,
    ),
  );
});
afterAll(() => rig.close());

const get = (query: string) => rig.get(`/v2/prices-history?${query}`);
const body = async (query: string, id = old) => (await get(`token_id=${id}&${query}`)).body as Body;
const rows = async (query: string, id = old) => (await body(query, id)).data;
const refusal = async (query: string) => {
  const reply = await get(query);
  expect(reply.status).toBe(400);
  expect(reply.headers.get('x-trace-id')).toBe((reply.body as Json).trace_id);
  expect(reply.body).toMatchObject({
    code: 'invalid_request',
    retryable: false,
    trace_id: expect.any(String),
  });
  return (reply.body as { error: string }).error;
};

describe('GET /v2/prices-history', () => {
  it.each([
    ['1h', 60, 3_600],
    ['6h', 60, 6 * 3_600],
    ['1d', 60, DAY],
    ['1w', 300, 7 * DAY],
    ['1m', 1_800, 31 * DAY],
    ['max', 43_200, 120 * DAY],
    ['all', 43_200, 120 * DAY],
  ])('%s comes in buckets of %d s', async (interval, bucket, seconds) => {
    const list = await rows(`interval=${interval}`);
    const buckets = list.slice(0, -1);
    expect(buckets.every((row) => row.resolution_seconds === bucket && row.timestamp % bucket === 0)).toBe(
      true,
    );
    expect(buckets.length).toBeGreaterThan((seconds / bucket) * 0.85);
    expect(list.every((row) => typeof row.price === 'number' && row.price > 0 && row.price < 1)).toBe(true);
    const times = list.map((row) => row.timestamp);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('ends with a terminal point off the grid: the newest real observation, not stamped now', async () => {
    const last = (await rows('interval=1d')).at(-1);
    expect(last?.resolution_seconds).toBe(0);
    expect(last?.timestamp).toBeLessThan(NOW_S);
    expect(last?.timestamp).toBeGreaterThan(NOW_S - 60);
    const end = NOW_S - 3 * DAY;
    const closed = await rows(`start=${end - DAY}&end=${end}`);
    expect(closed.at(-1)?.timestamp).toBeLessThan(end);
    expect(closed.at(-1)?.timestamp).toBeGreaterThan(end - 60);
    expect(closed[0]?.timestamp).toBeGreaterThanOrEqual(end - DAY);
  });

  it('is not uniform in its spacing', async () => {
    const times = (await rows('interval=1d')).map((row) => row.timestamp);
    expect(new Set(times.slice(1).map((t, n) => t - (times[n] ?? 0))).size).toBeGreaterThan(1);
  });

  it('says what the CLOB says about a moment', async () => {
    const [row] = await rows(`as_of=${NOW_S - DAY}`);
    const clob = await rig.get(
      `/prices-history?market=${old}&startTs=${NOW_S - DAY - 300}&endTs=${NOW_S - DAY}`,
    );
    const { history } = clob.body as { history: { t: number; p: number }[] };
    const near = history.filter((point) => Math.abs(point.t - (row?.timestamp ?? 0)) < 120);
    expect(near.some((point) => Math.abs(point.p - (row?.price ?? 0)) < 0.02)).toBe(true);
  });

  it('takes both spellings of every name', async () => {
    expect((await get(`tokenId=${old}&interval=1h&bucketSeconds=300`)).body).toEqual(
      (await get(`token_id=${old}&interval=1h&bucket_seconds=300`)).body,
    );
    expect((await get(`tokenId=${old}&asOf=${NOW_S}`)).body).toEqual(
      (await get(`token_id=${old}&as_of=${NOW_S}`)).body,
    );
  });

  it('as_of is one point at or before the moment', async () => {
    for (const at of [NOW_S, NOW_S - 3 * DAY, NOW_S - 40 * DAY]) {
      const list = await rows(`as_of=${at}`);
      expect(list).toHaveLength(1);
      expect(list[0]?.timestamp).toBeLessThanOrEqual(at);
    }
    expect(await rows(`as_of=${NOW_S - 1_000 * DAY}`)).toEqual([]);
  });

  it('an unknown, an untraded and a bookless token are an empty page, byte for byte', async () => {
    const untraded = markets.find((m) => m.lastTradePrice === undefined && token(m) !== '');
    const empty = '{"data":[],"pagination":{"limit":3,"offset":0,"has_more":false,"next_cursor":null}}';
    for (const id of ['123', token(untraded)]) {
      expect(await get(`token_id=${id}&interval=1d&limit=3`)).toMatchObject({ status: 200, text: empty });
    }
  });

  it('a resolved market ends with its payout', async () => {
    const closed = token(
      markets.find((m) => m.closed === true && token(m) !== '' && m.lastTradePrice !== undefined),
    );
    const list = await rows('interval=1m', closed);
    expect(list.at(-1)).toMatchObject({ resolution_seconds: 0 });
    expect([0, 1]).toContain(list.at(-1)?.price);
  });
});

describe('its buckets', () => {
  it('have floors for explicit sizes', async () => {
    expect(await refusal(`token_id=${old}&interval=1w&bucket_seconds=60`)).toContain('at least 300');
    expect(await refusal(`token_id=${old}&interval=max&bucket_seconds=300`)).toContain('at least 600');
    expect(await refusal(`token_id=${old}&interval=1d&bucket_seconds=59`)).toContain('between 60 and 86400');
    expect(await refusal(`token_id=${old}&interval=1d&bucket_seconds=90000`)).toContain(
      'between 60 and 86400',
    );
  });

  it('are an empty page where they are finer than what is kept, and coarser when left out', async () => {
    const start = NOW_S - 20 * DAY;
    const window = `start=${start}&end=${start + 3_600}`;
    expect(await rows(`${window}&bucket_seconds=60`)).toEqual([]);
    expect((await rows(`${window}&bucket_seconds=300`)).length).toBeGreaterThan(5);
    expect((await rows(window))[0]?.resolution_seconds).toBe(300);
    const older = NOW_S - 100 * DAY;
    expect((await rows(`start=${older}&end=${older + DAY}`))[0]?.resolution_seconds).toBe(10_800);
  });

  it.each([
    [12 * 3_600, 60],
    [13 * 3_600, 300],
    [6 * DAY, 300],
    [15 * DAY, 1_800],
  ])('of a left-out size stay under about 2,500 points: %d s in buckets of %d s', async (seconds, bucket) => {
    expect((await rows(`start=${NOW_S - seconds}&end=${NOW_S}`))[0]?.resolution_seconds).toBe(bucket);
  });
});

describe('its pages', () => {
  it('follow the cursor to the end without loss; the limit is the first page’s', async () => {
    const query = 'interval=6h&bucket_seconds=300';
    const whole = await rows(query);
    const list: Row[] = [];
    let page = await body(`${query}&limit=10`);
    for (;;) {
      expect(page.pagination).toMatchObject({ limit: 10, offset: list.length });
      list.push(...page.data);
      if (!page.pagination.has_more) break;
      page = await body(`${query}&cursor=${page.pagination.next_cursor}`);
    }
    expect(page.pagination.next_cursor).toBeNull();
    expect(list).toEqual(whole);
  });

  it('refuse a cursor of another query', async () => {
    const { pagination } = await body('interval=6h&limit=5');
    expect(await refusal(`token_id=${old}&interval=1d&cursor=${pagination.next_cursor}`)).toBe(
      'invalid cursor',
    );
    expect(await refusal(`token_id=${old}&interval=1d&cursor=abc`)).toBe('invalid cursor');
  });
});

describe('its refusals', () => {
  it.each([
    ['market=1&interval=1d', "'market' is not a query param on this API"],
    ['token_id=1&interval=1d&offset=3', "'offset' is not a query param on this API"],
    ['interval=1d', "'token_id' must be a decimal token id"],
    ['token_id=1&interval=3m', 'interval must be one of max, all, 1m, 1w, 1d, 6h, 1h'],
    ['token_id=1&interval=1D', 'interval must be one of max, all, 1m, 1w, 1d, 6h, 1h'],
    ['token_id=1', 'exactly one of interval, start (with optional end) or as_of is required'],
    [
      'token_id=1&interval=1d&as_of=5',
      'exactly one of interval, start (with optional end) or as_of is required',
    ],
    ['token_id=1&end=5', 'exactly one of interval, start (with optional end) or as_of is required'],
    ['token_id=1&start=0', 'start must be a positive epoch in seconds'],
    ['token_id=1&start=5&end=0', 'end must be a positive epoch in seconds'],
    [`token_id=1&start=${NOW_S - 15 * DAY - 1}&end=${NOW_S}`, 'the window must not exceed 15 days'],
    [`token_id=1&start=${NOW_S - 16 * DAY}`, 'the window must not exceed 15 days'],
    ['token_id=1&interval=1d&limit=10001', 'limit must be between 1 and 10000'],
  ])('%s', async (query, error) => {
    expect(await refusal(query)).toBe(error);
  });

  it('404 and 405 have the same form', async () => {
    expect(await rig.get('/v2/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await rig.post('/v2/prices-history', {})).toMatchObject({
      status: 405,
      body: { code: 'method_not_allowed', retryable: false },
    });
  });

  it('200 calls in 10 s, then delayed, then 429 with a code', async () => {
    const own = await startRig({ markets: 5 });
    try {
      const ask = () => own.get('/v2/prices-history?token_id=1&interval=1h');
      const statuses: number[] = [];
      for (let sent = 0; sent < 200; sent += 50) {
        statuses.push(...(await Promise.all(Array.from({ length: 50 }, ask))).map((reply) => reply.status));
      }
      expect(new Set(statuses)).toEqual(new Set([200]));
      const over = await Promise.all(Array.from({ length: 40 }, ask));
      const refused = over.filter((reply) => reply.status === 429);
      expect(refused).toHaveLength(20);
      expect(refused[0]?.body).toMatchObject({ code: 'rate_limited', retryable: true });
      expect(refused[0]?.headers.has('retry-after')).toBe(false);
      own.clock.ms += 10_000;
      expect((await ask()).status).toBe(200);
    } finally {
      await own.close();
    }
  });
});

describe('GET /v2/tokens', () => {
  it('tells what tokens are, by token or by padded condition', async () => {
    const v2 = twoSided(markets).find((m) => m.version === 'v2');
    const byToken = (await rig.get(`/v2/tokens?token_id=${old},${token(v2)},123`)).body as { data: Json[] };
    expect(byToken.data).toHaveLength(2);
    expect(byToken.data[0]).toMatchObject({
      token_id: old,
      module: 'v1_ctf',
      resolved: false,
      outcome_index: 0,
    });
    expect(byToken.data[1]?.module).toMatch(/^(binary|neg_risk)$/);
    const condition = String(byToken.data[1]?.condition_id);
    expect(condition).toMatch(/^0x[0-9a-f]{62}00$/);
    const byCondition = (await rig.get(`/v2/tokens?condition=${condition}`)).body as { data: Json[] };
    expect(byCondition.data.map((row) => row.outcome_index)).toEqual([0, 1]);
    expect((await rig.get(`/v2/tokens?condition=${condition.slice(0, -2)}`)).status).toBe(400);
  });
});
