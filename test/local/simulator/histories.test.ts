import { afterAll, describe, expect, it } from '@jest/globals';
import { crawl, type Listed, NOW, testSimulator } from './support.ts';

type Point = Readonly<Record<'t' | 'p', number>>;
type DataPoint = Readonly<Record<'timestamp' | 'price', number>>;
const SECONDS = NOW / 1_000;
const DAY = 86_400;

let now = NOW;
const simulator = await testSimulator({ v2Share: 0.1, now: () => now });
afterAll(() => simulator.stop());
const markets = await crawl(simulator, 'limit=100');
// The favourite of the longest event: it is old, and its price moves.
const market = markets.find(
  ({ version, outcomePrices }) => version === 'v1' && Number(JSON.parse(outcomePrices ?? '[0]')[0]) > 0.2,
);
const [token = ''] = JSON.parse(market?.clobTokenIds ?? '[]') as string[];
const history = async (query: string): Promise<Point[]> =>
  (await simulator.get(`/prices-history?market=${token}&${query}`)).body.history as Point[];
const data = (query: string) => simulator.get(`/v2/prices-history?token_id=${token}&${query}`);

describe('GET /prices-history', () => {
  it.each([
    ['interval=1h&fidelity=1', 61],
    ['interval=1m&fidelity=60', 745],
    [`startTs=${SECONDS - 2 * DAY}&endTs=${SECONDS - DAY}&fidelity=60`, 26],
  ])('gives for %s about %i points in ascending order', async (query, count) => {
    const times = (await history(query)).map(({ t }) => t);

    expect(Math.abs(times.length - count)).toBeLessThanOrEqual(3);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('shows for every time the middle of the book that was served then', async () => {
    for (const { t, p } of (await history('interval=1d&fidelity=90')).slice(0, 8)) {
      now = t * 1_000;
      const sides = ['BUY', 'SELL'].map((side) => ({ token_id: token, side }));
      const [book] = Object.values((await simulator.post('/prices', sides)).body) as Record<string, string>[];
      expect((Number(book?.BUY) + Number(book?.SELL)) / 2).toBeCloseTo(p, 9);
    }
    now = NOW;
  });
});

it('POST /batch-prices-history gives the same histories, but none for ids of Protocol V2', async () => {
  const v2 = markets.find(({ version, enableOrderBook }) => version === 'v2' && enableOrderBook);
  const [other = ''] = v2?.positionIds ?? [];
  const sent = { markets: [token, '5', other], interval: '1d', fidelity: 60 };
  const { body } = await simulator.post('/batch-prices-history', sent);
  const own = await simulator.get(`/prices-history?market=${other}&interval=1d&fidelity=60`);

  expect(body.history).toEqual({ [token]: await history('interval=1d&fidelity=60'), 5: [], [other]: [] });
  expect(own.body.history).not.toEqual([]);
});

describe('GET /v2/prices-history', () => {
  it.each([
    [60, 8],
    [300, 61],
    [1_800, 91],
  ])('has no observations of %i s that are %i days old', async (bucket, days) => {
    const window = (start: number) => `start=${SECONDS - start * DAY}&end=${SECONDS - (start - 1) * DAY}`;

    expect((await data(`${window(days)}&bucket_seconds=${bucket}`)).body.data).toEqual([]);
    expect((await data(`${window(days - 1)}&bucket_seconds=${bucket}`)).body.data).not.toEqual([]);
  });
});

it('a resolved market has no history at CLOB; in the Data API its payout is the last point of a window that includes its end', async () => {
  const { body } = await simulator.get('/markets/keyset?limit=100&closed=true');
  const resolved = (body.markets as Listed[]).find(
    ({ version, umaResolutionStatus, clobTokenIds }) =>
      version === 'v1' && umaResolutionStatus === 'resolved' && clobTokenIds,
  );
  const [closed] = JSON.parse(resolved?.clobTokenIds ?? '[]') as string[];
  const own = await simulator.get(`/prices-history?market=${closed}&interval=max&fidelity=720`);
  const read = async (query: string) =>
    (await simulator.get(`/v2/prices-history?token_id=${closed}&${query}`)).body.data as DataPoint[];
  const points = await read('interval=1d');
  const [last, before] = [points.at(-1), points.at(-2)];

  expect(own.body).toEqual({ history: [] });
  expect(last?.price).toBe(Number(JSON.parse(resolved?.outcomePrices ?? '[]')[0]));
  expect(last?.timestamp).toBe((before?.timestamp ?? 0) + 60);
  const earlier = await read(`start=${points[0]?.timestamp}&end=${points[3]?.timestamp}`);
  expect(earlier.every(({ price }) => price > 0 && price < 1)).toBe(true);
});
