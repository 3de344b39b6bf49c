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

  it('shows for every time the midpoint that was served then', async () => {
    for (const { t, p } of (await history('interval=1d&fidelity=90')).slice(0, 8)) {
      now = t * 1_000;
      const { body } = await simulator.post('/midpoints', [{ token_id: token }]);
      expect(body).toEqual({ [token]: String(p) });
    }
    now = NOW;
  });

  it('is empty for an unknown token and for the wrong name of the parameter', async () => {
    expect((await simulator.get('/prices-history?market=5&interval=1d')).body).toEqual({ history: [] });
    expect((await simulator.get(`/prices-history?token_id=${token}&interval=1d`)).body).toEqual({ history: [] });
  });

  it.each([
    ['', "the 'market' (asset id) is mandatory"],
    ['market=1&interval=1m&fidelity=9', "minimum 'fidelity' for '1m' range is 10"],
    ['market=1&startTs=1000&endTs=1297001', "'startTs' and 'endTs' interval is too long"],
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
    [`start=${SECONDS - 3 * DAY}&end=${SECONDS - 2 * DAY}&bucket_seconds=600`, 600, 144],
  ])('gives for %s buckets of %i s with gaps, and the newest observation', async (query, bucket, most) => {
    const points = (await data(query)).body.data as Observed[];
    const grid = points.filter(({ resolution_seconds }) => resolution_seconds === bucket);

    expect(grid.length).toBeLessThanOrEqual(most + 1);
    expect(grid.length).toBeGreaterThan(most * 0.8);
    expect(grid.every(({ timestamp }) => timestamp % bucket === 0)).toBe(true);
    expect(points.at(-1)?.timestamp).toBeLessThan(SECONDS);
  });
});
