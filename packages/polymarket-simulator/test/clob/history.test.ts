import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tokenOf } from '../../src/dataset/tokens.ts';
import {
  crawl,
  historyOf,
  type Json,
  NOW,
  type Point,
  type Rig,
  startRig,
  token,
  twoSided,
} from '../helpers.ts';

const NOW_S = Math.floor(NOW / 1_000);
const DAY = 86_400;

let rig: Rig;
let markets: Json[];
let old: string;
beforeAll(async () => {
  rig = await startRig({ markets: 400 });
  markets = [
    ...(await crawl(rig, '/markets/keyset?limit=100')),
    ...(await crawl(rig, '/markets/keyset?limit=100&closed=true')),
  ];
  old = token(twoSided(markets).find((m) => Date.parse(String(m.createdAt)) < NOW - 60 * DAY * 1_000));
});
afterAll(() => rig.close());

const get = (query: string) => rig.get(`/prices-history?${query}`);
const history = async (query: string) => historyOf(await get(query));
const times = (points: readonly Point[]) => points.map((point) => point.t);

const UNKNOWN_INTERVAL =
  "invalid filters: the 'interval' value is unknown. Known values: '1m', '1w', '1d', '6h', '1h'";
const TOO_LONG = "invalid filters: 'startTs' and 'endTs' interval is too long";
const tooFine = (range: string, floor: number) =>
  `invalid filters: minimum 'fidelity' for '${range}' range is ${floor}`;

describe('GET /prices-history', () => {
  it.each([
    ['1h', 1, 3_600],
    ['6h', 1, 6 * 3_600],
    ['1d', 60, DAY],
    ['1w', 5, 7 * DAY],
    ['1m', 10, 31 * DAY],
    ['max', 720, 31 * DAY],
    ['all', 720, 31 * DAY],
  ])('%s spans its interval at fidelity %d, with 1m a month', async (interval, fidelity, seconds) => {
    const points = await history(`market=${old}&interval=${interval}&fidelity=${fidelity}`);
    expect(points.length).toBeGreaterThan(seconds / (fidelity * 60) - 3);
    expect(points.length).toBeLessThan(seconds / (fidelity * 60) + 4);
    expect(points[0]?.t).toBeGreaterThanOrEqual(NOW_S - seconds);
    expect(points[0]?.t).toBeLessThan(NOW_S - seconds + 2 * fidelity * 60);
  });

  it('takes fidelity as 1 minute when it is not given', async () => {
    expect((await history(`market=${old}&interval=1h`)).length).toBeGreaterThan(55);
  });

  it.each([
    ['interval=3m', UNKNOWN_INTERVAL],
    ['interval=1y&fidelity=60', UNKNOWN_INTERVAL],
    ['interval=toString', UNKNOWN_INTERVAL],
    ['interval=1m', tooFine('1m', 10)],
    ['interval=1m&fidelity=9', tooFine('1m', 10)],
    ['interval=1w', tooFine('1w', 5)],
    ['interval=1w&fidelity=4', tooFine('1w', 5)],
    ['interval=1d&fidelity=0', tooFine('1d', 1)],
    [`startTs=${NOW_S - 1_296_001}&endTs=${NOW_S}`, TOO_LONG],
    [`startTs=${NOW - DAY * 1_000}&endTs=${NOW}`, TOO_LONG],
  ])('refuses %s with upstream’s words', async (query, error) => {
    expect(await get(`market=${old}&${query}`)).toMatchObject({ status: 400, body: { error } });
  });

  it.each([
    '',
    `endTs=${NOW_S}`,
    'startTs=abc',
    'startTs=9&endTs=3',
    'interval=1d&fidelity=1.5',
    'interval=1d&fidelity=-1',
  ])('refuses "%s" with 400', async (query) => {
    expect((await get(`market=${old}&${query}`)).status).toBe(400);
  });

  it('wants a token, and has no points for an unknown one', async () => {
    const error = "invalid filters: the 'market' (asset id) is mandatory";
    expect(await get('interval=1d')).toMatchObject({ status: 400, body: { error } });
    expect(await history(`market=${tokenOf(99, 1, 0)}&interval=1d`)).toEqual([]);
    expect(await history('market=abc&interval=1d')).toEqual([]);
  });

  it('takes a window of exactly 15 days, and one that starts at startTs alone', async () => {
    const points = await history(`market=${old}&startTs=${NOW_S - 1_296_000}&endTs=${NOW_S}&fidelity=60`);
    expect(points.length).toBeGreaterThan(355);
    expect((await history(`market=${old}&startTs=${NOW_S - DAY}&fidelity=60`)).length).toBeGreaterThan(20);
  });

  it('appends a point stamped now even when endTs lies in the past', async () => {
    const end = NOW_S - 5 * DAY;
    const points = await history(`market=${old}&startTs=${end - DAY}&endTs=${end}&fidelity=60`);
    expect(points.at(-1)?.t).toBe(NOW_S);
    expect(points.at(-2)?.t).toBeLessThanOrEqual(end);
    expect(points.at(-2)?.t).toBeGreaterThan(end - 7_200);
  });

  it('is uneven and ascending, and now and then one t repeats', async () => {
    let repeats = 0;
    for (const market of twoSided(markets).slice(0, 20)) {
      const list = times(await history(`market=${token(market)}&interval=1d&fidelity=60`));
      expect(list).toEqual([...list].sort((a, b) => a - b));
      const gaps = new Set(list.slice(1, -2).map((t, i) => t - (list[i] ?? 0)));
      if (list.length > 10) expect(gaps.size).toBeGreaterThan(5);
      if (new Set(list).size < list.length) repeats += 1;
    }
    expect(repeats).toBeGreaterThan(2);
    expect(repeats).toBeLessThan(15);
  });

  it('ends at the midpoint of now, for both outcomes', async () => {
    const chosen = twoSided(markets).slice(0, 20);
    const tokens = chosen.flatMap((market) => [token(market), token(market, 1)]);
    const mids = (
      await rig.post(
        '/midpoints',
        tokens.map((token_id) => ({ token_id })),
      )
    ).body as Record<string, string>;
    for (const id of tokens) {
      expect((await history(`market=${id}&interval=1h`)).at(-1)).toEqual({ t: NOW_S, p: Number(mids[id]) });
    }
  });

  it('says the same about a moment whenever and however it is asked', async () => {
    const before = await history(`market=${old}&interval=1d&fidelity=60`);
    rig.clock.ms = NOW + 3_600_000;
    try {
      const after = await history(`market=${old}&startTs=${NOW_S - DAY}&endTs=${NOW_S}&fidelity=60`);
      const known = new Map(after.map(({ t, p }) => [t, p]));
      for (const { t, p } of before.filter((point) => point.t < NOW_S)) expect(known.get(t)).toBe(p);
    } finally {
      rig.clock.ms = NOW;
    }
  });

  it('moves: prices of most markets change within a week', async () => {
    let moved = 0;
    for (const market of twoSided(markets).slice(0, 20)) {
      const points = await history(`market=${token(market)}&interval=1w&fidelity=60`);
      if (new Set(points.map((point) => point.p)).size > 1) moved += 1;
      expect(points.every(({ p }) => p > 0 && p < 1)).toBe(true);
    }
    expect(moved).toBeGreaterThan(14);
  });

  it('begins when the market was created', async () => {
    const young = twoSided(markets).find((m) => NOW - Date.parse(String(m.createdAt)) < 6 * DAY * 1_000);
    const [first] = await history(`market=${token(young)}&interval=1w&fidelity=5`);
    const created = Date.parse(String(young?.createdAt)) / 1_000;
    expect(first?.t).toBeGreaterThanOrEqual(Math.floor(created));
    expect(first?.t).toBeLessThan(created + 900);
  });

  it('is empty for resolved markets at short fidelities', async () => {
    const closed = token(markets.find((market) => market.closed === true && token(market) !== ''));
    expect(await history(`market=${closed}&interval=max&fidelity=60`)).toEqual([]);
    const coarse = await history(`market=${closed}&interval=max&fidelity=720`);
    expect(coarse.length).toBeGreaterThan(0);
    expect(coarse.at(-1)?.t).toBeLessThan(NOW_S);
  });
});

describe('POST /batch-prices-history', () => {
  const batch = (body: unknown) => rig.post('/batch-prices-history', body);
  const tokens = (count: number) => Array.from({ length: count }, (_, index) => tokenOf(1, index, 0));

  it('responds with a map of what the single route says', async () => {
    const unknown = tokenOf(99, 1, 0);
    const reply = await batch({ markets: [old, unknown], interval: '1d', fidelity: 60 });
    expect(reply.body).toEqual({
      history: { [old]: await history(`market=${old}&interval=1d&fidelity=60`), [unknown]: [] },
    });
  });

  it('spells its window start_ts and end_ts, and no other way', async () => {
    const window = { start_ts: NOW_S - DAY, end_ts: NOW_S, fidelity: 60 };
    const reply = await batch({ markets: [old], ...window });
    const points = await history(`market=${old}&startTs=${NOW_S - DAY}&endTs=${NOW_S}&fidelity=60`);
    expect(reply.body).toEqual({ history: { [old]: points } });
    expect((await batch({ markets: [old], startTs: NOW_S - DAY, endTs: NOW_S, fidelity: 60 })).status).toBe(
      400,
    );
  });

  it('takes 20 tokens and no more', async () => {
    expect((await batch({ markets: tokens(20), interval: '1d', fidelity: 60 })).status).toBe(200);
    expect((await batch({ markets: tokens(21), interval: '1d', fidelity: 60 })).status).toBe(400);
  });

  it.each([
    [{ interval: '1m' }, tooFine('1m', 10)],
    [{ interval: '3m', fidelity: 60 }, UNKNOWN_INTERVAL],
    [{ start_ts: NOW_S - 1_296_001, end_ts: NOW_S, fidelity: 60 }, TOO_LONG],
  ])('has the floors and the window of the single route: %j', async (window, error) => {
    expect(await batch({ markets: [old], ...window })).toMatchObject({ status: 400, body: { error } });
  });

  it.each(['{', '[]', 'null', '{}', '{"markets":[]}', '{"markets":[1]}', '{"markets":"x"}'])(
    'refuses %s',
    async (body) => {
      expect((await batch(body)).status).toBe(400);
    },
  );
});
