import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crawl, type Listed, NOW, type TestSimulator, testSimulator } from './support.ts';

type Point = Readonly<Record<'t' | 'p', number>>;
const SECONDS = NOW / 1_000;
const DAY = 86_400;

let now = NOW;
const simulator = await testSimulator({ v2Share: 0, now: () => now });
afterAll(() => simulator.stop());
const markets = await crawl(simulator, 'limit=100');
// The favourite of the longest event: it is old, and its price moves.
const market = markets.find(({ outcomePrices = '' }) => Number(JSON.parse(outcomePrices || '[0]')[0]) > 0.2);
const [token = ''] = JSON.parse(market?.clobTokenIds ?? '[]') as string[];

const history = async (query: string): Promise<Point[]> =>
  (await simulator.get(`/prices-history?market=${token}&${query}`)).body.history as Point[];

describe('GET /prices-history', () => {
  it.each([
    ['interval=1h&fidelity=1', 61],
    ['interval=1m&fidelity=60', 745],
    [`startTs=${SECONDS - 2 * DAY}&endTs=${SECONDS - DAY}&fidelity=60`, 26],
  ])('gives for %s about %i points in ascending order', async (query, count) => {
    const points = await history(query);
    const times = points.map(({ t }) => t);

    expect(Math.abs(points.length - count)).toBeLessThanOrEqual(3);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (const { p } of points) expect(p > 0 && p < 1).toBe(true);
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

  it('accepts a window of 15 days', async () => {
    const { status } = await simulator.get(
      `/prices-history?market=${token}&startTs=${SECONDS - 15 * DAY}&endTs=${SECONDS}`,
    );
    expect(status).toBe(200);
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

describe('ids of Protocol V2', () => {
  let v2: TestSimulator;
  beforeAll(async () => {
    v2 = await testSimulator({ v2Share: 1, markets: 100 });
  });
  afterAll(() => v2.stop());

  it('have a history of their own, but none in a batch', async () => {
    const market = (await crawl(v2, 'limit=100')).find(
      ({ enableOrderBook, positionIds }) => enableOrderBook && positionIds,
    );
    const [id = ''] = market?.positionIds ?? [];
    const window = { interval: '1d', fidelity: 60 };
    const { body } = await v2.post('/batch-prices-history', { markets: [id], ...window });
    const own = await v2.get(`/prices-history?market=${id}&interval=1d&fidelity=60`);

    expect(body).toEqual({ history: { [id]: [] } });
    expect(own.body.history).not.toEqual([]);
  });
});

describe('GET /v2/prices-history', () => {
  const data = async (query: string) => simulator.get(`/v2/prices-history?token_id=${token}&${query}`);
  it.each([
    [60, 8],
    [300, 61],
    [1_800, 91],
  ])('has no observations of %i s that are %i days old', async (bucket, days) => {
    const window = (start: number) => `start=${SECONDS - start * DAY}&end=${SECONDS - (start - 1) * DAY}`;

    expect((await data(`${window(days)}&bucket_seconds=${bucket}`)).body.data).toEqual([]);
    expect((await data(`${window(days - 1)}&bucket_seconds=${bucket}`)).body.data).not.toEqual([]);
  });

  it.each([
    ['interval=2d', 'interval must be one of max, all, 1m, 1w, 1d, 6h, 1h'],
    ['interval=max&bucket_seconds=300', 'bucket_seconds must be at least 600'],
    [`start=${SECONDS - 16 * DAY}`, 'the window must not exceed 15 days'],
  ])('refuses %s', async (query, error) => {
    expect(await data(query)).toMatchObject({ status: 400, body: { code: 'invalid_request', error } });
  });
});

describe('a resolved market', () => {
  const closed = async (status: string) => {
    const { body } = await simulator.get('/markets/keyset?limit=100&closed=true');
    const found = (body.markets as Listed[]).find((market) => market.umaResolutionStatus === status);
    if (!found) throw new Error(`There is no ${status} market`);
    return { ...found, tokens: JSON.parse(found.clobTokenIds ?? '[]') as string[] };
  };
  const resolutions = (condition: string) => simulator.get(`/v2/resolutions?condition=${condition}`);

  it('has no history at the CLOB, and its payout as the last point of the Data API', async () => {
    const { tokens, outcomePrices = '[]' } = await closed('resolved');
    const [payout] = (JSON.parse(outcomePrices) as string[]).map(Number);
    const own = await simulator.get(`/prices-history?market=${tokens[0]}&interval=max&fidelity=720`);
    const { body } = await simulator.get(`/v2/prices-history?token_id=${tokens[0]}&interval=1d`);
    const points = body.data as { timestamp: number; price: number; resolution_seconds: number }[];

    expect(own.body).toEqual({ history: [] });
    expect(points.at(-1)).toMatchObject({ price: payout, resolution_seconds: 0 });
    expect(points.at(-1)?.timestamp).toBe((points.at(-2)?.timestamp ?? 0) + 60);
    const [start, end] = [points[0]?.timestamp, points[3]?.timestamp];
    const before = await simulator.get(`/v2/prices-history?token_id=${tokens[0]}&start=${start}&end=${end}`);
    expect((before.body.data as { price: number }[]).every(({ price }) => price > 0 && price < 1)).toBe(true);
  });

  it('has a row with its payouts, while a proposed one has none and an open one has no row', async () => {
    const [resolved, proposed] = [await closed('resolved'), await closed('proposed')];
    const [open] = (await simulator.get('/markets/keyset?limit=1')).body.markets as Listed[];
    const { body } = await resolutions([resolved, proposed, open].map((market) => market?.conditionId).join(','));
    const payouts = (JSON.parse(resolved.outcomePrices ?? '[]') as string[]).map((price) => Number(price) * 1_000_000);

    expect(body.data).toEqual([
      expect.objectContaining({ condition_id: resolved.conditionId, status: 'resolved', payouts }),
      expect.objectContaining({ condition_id: proposed.conditionId, status: 'proposed' }),
    ]);
    expect((body.data as object[])[1]).not.toHaveProperty('payouts');
  });

  it.each(['0x12', Array.from({ length: 21 }, () => `0x${'a'.repeat(64)}`).join(',')])(
    'refuses the conditions "%s"',
    async (condition) => {
      expect((await resolutions(condition)).status).toBe(400);
    },
  );
});
