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
