import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crawl, NOW, type TestSimulator, testSimulator } from './support.ts';

type Point = Readonly<Record<'t' | 'p', number>>;
const SECONDS = NOW / 1_000;
const DAY = 86_400;

let now = NOW;
let simulator: TestSimulator;
let token: string;
beforeAll(async () => {
  simulator = await testSimulator({ v2Share: 0, now: () => now });
  const markets = await crawl(simulator, 'limit=100');
  // The favourite of the longest event: it is old, and its price moves.
  const market = markets.find(({ outcomePrices = '' }) => Number(JSON.parse(outcomePrices || '[0]')[0]) > 0.2);
  token = (JSON.parse(market?.clobTokenIds ?? '[]') as string[])[0] ?? '';
});
afterAll(() => simulator.stop());

const history = async (query: string): Promise<Point[]> =>
  (await simulator.get(`/prices-history?market=${token}&${query}`)).body.history as Point[];

describe('GET /prices-history', () => {
  it.each([
    ['interval=1d&fidelity=1', 1_441],
    ['interval=1w&fidelity=5', 2_017],
    ['interval=1m&fidelity=60', 745],
    ['interval=max&fidelity=720', 63],
    [`startTs=${SECONDS - 2 * DAY}&endTs=${SECONDS - DAY}&fidelity=60`, 26],
  ])('gives for %s about %i points in ascending order', async (query, count) => {
    const points = await history(query);
    const times = points.map(({ t }) => t);

    expect(Math.abs(points.length - count)).toBeLessThanOrEqual(3);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (const { p } of points) expect(p > 0 && p < 1).toBe(true);
  });

  it('ends with a point that is stamped now, even for a window of the past', async () => {
    const points = await history(`startTs=${SECONDS - 2 * DAY}&endTs=${SECONDS - DAY}&fidelity=60`);

    expect(points.at(-1)?.t).toBe(SECONDS);
    expect(points.at(-2)?.t).toBeLessThanOrEqual(SECONDS - DAY);
  });

  it('shows for every time the midpoint that was served then', async () => {
    for (const { t, p } of (await history('interval=1d&fidelity=90')).slice(0, 8)) {
      now = t * 1_000;
      const { body } = await simulator.post('/midpoints', [{ token_id: token }]);
      expect(body).toEqual({ [token]: String(p) });
    }
    now = NOW;
  });

  it('has no point from before the creation of the market', async () => {
    const markets = await crawl(simulator, 'limit=100&order=createdAt&ascending=false');
    const { clobTokenIds, createdAt } = markets[0] as unknown as Record<'clobTokenIds' | 'createdAt', string>;
    const young = (JSON.parse(clobTokenIds) as string[])[0];
    const { body } = await simulator.get(`/prices-history?market=${young}&interval=1m&fidelity=10`);
    const [first] = body.history as Point[];

    expect(first?.t).toBeGreaterThanOrEqual(Date.parse(createdAt) / 1_000);
    expect(first?.t).toBeLessThan(Date.parse(createdAt) / 1_000 + 1_200);
  });

  it('is empty for an unknown token and for the wrong name of the parameter', async () => {
    expect((await simulator.get('/prices-history?market=5&interval=1d')).body).toEqual({ history: [] });
    expect((await simulator.get(`/prices-history?token_id=${token}&interval=1d`)).body).toEqual({ history: [] });
  });

  it.each([
    ['', "the 'market' (asset id) is mandatory"],
    ['market=1&interval=3m', "the 'interval' value is unknown. Known values: '1m', '1w', '1d', '6h', '1h'"],
    ['market=1&interval=1m&fidelity=9', "minimum 'fidelity' for '1m' range is 10"],
    ['market=1&interval=1w', "minimum 'fidelity' for '1w' range is 5"],
    ['market=1&interval=1d&fidelity=x', "the 'fidelity' value is not valid"],
    ['market=1&startTs=1000&endTs=1297001', "'startTs' and 'endTs' interval is too long"],
    [`market=1&startTs=${NOW}`, "'startTs' and 'endTs' are not valid"],
    ['market=1&endTs=1000', "'startTs' and 'endTs' are not valid"],
  ])('refuses "%s"', async (query, reason) => {
    expect(await simulator.get(`/prices-history?${query}`)).toMatchObject({
      status: 400,
      body: { error: `invalid filters: ${reason}` },
    });
  });
});

describe('POST /batch-prices-history', () => {
  it('gives the same histories by token', async () => {
    const { body } = await simulator.post('/batch-prices-history', {
      markets: [token, '5'],
      interval: '1d',
      fidelity: 60,
    });

    expect(body).toEqual({ history: { [token]: await history('interval=1d&fidelity=60'), 5: [] } });
  });

  it('reads its window in snake case', async () => {
    const window = { start_ts: SECONDS - DAY, end_ts: SECONDS, fidelity: 60 };
    const { body } = await simulator.post('/batch-prices-history', { markets: [token], ...window });

    expect((body.history as Record<string, Point[]>)[token]?.length).toBeGreaterThan(20);
  });

  it('refuses more than 20 tokens and none', async () => {
    const markets = Array.from({ length: 21 }, String);

    for (const body of [{ markets, interval: '1d' }, { interval: '1d' }, null]) {
      expect((await simulator.post('/batch-prices-history', body)).status).toBe(400);
    }
  });
});

describe('GET /v2/prices-history', () => {
  const data = async (query: string) => simulator.get(`/v2/prices-history?token_id=${token}&${query}`);
  interface Observed {
    readonly timestamp: number;
    readonly price: number;
    readonly resolution_seconds: number;
  }

  it.each([
    ['interval=1d', 60, 1_440],
    ['interval=1w', 300, 2_016],
    ['interval=1m', 1_800, 1_488],
    ['interval=1d&bucket_seconds=3600', 3_600, 24],
    [`start=${SECONDS - 3 * DAY}&end=${SECONDS - 2 * DAY}&bucket_seconds=600`, 600, 144],
  ])('gives for %s buckets of %i s with gaps, and the newest observation', async (query, bucket, most) => {
    const points = (await data(query)).body.data as Observed[];
    const grid = points.filter(({ resolution_seconds }) => resolution_seconds === bucket);

    expect(grid.length).toBeLessThanOrEqual(most + 1);
    expect(grid.length).toBeGreaterThan(most * 0.8);
    expect(grid.every(({ timestamp }) => timestamp % bucket === 0)).toBe(true);
    expect(points.at(-1)?.timestamp).toBeLessThan(SECONDS);
  });

  it('has nothing finer than it keeps', async () => {
    const start = SECONDS - 20 * DAY;

    expect((await data(`start=${start}&end=${start + DAY}&bucket_seconds=60`)).body.data).toEqual([]);
    expect((await data(`start=${start}&end=${start + DAY}&bucket_seconds=300`)).body.data).not.toEqual([]);
  });

  it('is empty for an unknown token', async () => {
    const { status, body } = await simulator.get('/v2/prices-history?token_id=5&interval=1d');

    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [], pagination: { has_more: false, next_cursor: null } });
  });

  it.each([
    'interval=1y',
    'interval=1m&bucket_seconds=300',
    'interval=1d&start=5',
    'start=0',
    `start=${SECONDS - 16 * DAY}`,
    `start=${SECONDS}&end=${SECONDS - 1}`,
  ])('refuses %s', async (query) => {
    expect(await data(query)).toMatchObject({ status: 400, body: { code: 'invalid_request', retryable: false } });
  });
});
