import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crawl, type Listed, NOW, type TestSimulator, testSimulator } from './support.ts';

const simulator = await testSimulator();
afterAll(() => simulator.stop());

const list = async (query: string): Promise<Listed[]> =>
  (await simulator.get(`/markets/keyset?${query}`)).body.markets as Listed[];

describe('GET /markets/keyset', () => {
  it('lists every market once by id', async () => {
    const ids = (await crawl(simulator, 'limit=70')).map(({ id }) => Number(id));

    expect(ids).toHaveLength(300);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  it('sorts by volume, and equal volumes by id', async () => {
    const page = await list('limit=100&order=volumeNum');
    const falling = await list('limit=100&order=volumeNum&ascending=false');

    expect(page.filter(({ volumeNum }) => volumeNum === undefined).length).toBeGreaterThan(1);
    expect(page).toEqual(
      page.toSorted((a, b) => (a.volumeNum ?? 0) - (b.volumeNum ?? 0) || Number(a.id) - Number(b.id)),
    );
    expect(falling).toEqual(falling.toSorted((a, b) => (b.volumeNum ?? 0) - (a.volumeNum ?? 0)));
  });

  it('gives a cursor with a full last page, and then an empty page', async () => {
    const last = await simulator.get(`/markets/keyset?limit=100&id=500000`);
    const full = await simulator.get(`/markets/keyset?limit=1&id=500000`);
    const empty = await simulator.get(`/markets/keyset?limit=1&id=500000&after_cursor=${full.body.next_cursor}`);

    expect(last.body.next_cursor).toBeUndefined();
    expect(full.body.next_cursor).toEqual(expect.any(String));
    expect(empty.body).toEqual({ $schema: expect.any(String), markets: [] });
  });

  it('filters by volume', async () => {
    const volumes = (await list('limit=100&volume_num_min=10000')).map(({ volumeNum = 0 }) => volumeNum);

    expect(volumes).toHaveLength(100);
    expect(Math.min(...volumes)).toBeGreaterThanOrEqual(10_000);
  });

  it('finds markets by condition id, in upper case and in both forms of Protocol V2', async () => {
    const all = await crawl(simulator, 'limit=100');
    const short = all.find(({ conditionId }) => conditionId.length === 64);
    const other = all.find(({ conditionId }) => conditionId.length === 66);
    const upper = other?.conditionId.toUpperCase().replace('0X', '0x');
    const found = await list(`condition_ids=${short?.conditionId}00&condition_ids=${upper}&condition_ids=0x12`);

    expect(found.map(({ id }) => id).sort()).toEqual([short?.id, other?.id].sort());
  });

  it.each([
    ['offset=0', 'offset is not allowed on keyset endpoints'],
    ['after_cursor=abc', 'after_cursor is not valid'],
  ])('refuses %s', async (query, error) => {
    const { status, body } = await simulator.get(`/markets/keyset?${query}`);

    expect({ status, body }).toEqual({ status: 422, body: { type: 'validation error', error } });
  });
});

describe('lookups', () => {
  let living: TestSimulator;
  let now = NOW;
  beforeAll(async () => {
    living = await testSimulator({ lifecycle: true, now: () => now });
  });
  afterAll(() => living.stop());
  const find = async (query: string): Promise<Listed[]> =>
    (await living.get(`/markets/keyset?${query}`)).body.markets as Listed[];

  it.each([
    ['v1', 'clob_token_ids', ({ clobTokenIds }: Listed) => JSON.parse(clobTokenIds ?? '[]')[1]],
    ['v2', 'position_ids', ({ positionIds }: Listed) => positionIds?.[1]],
    ['v1', 'slug', ({ slug }: Listed) => slug],
    ['v1', 'condition_ids', ({ conditionId }: Listed) => conditionId],
    ['v1', 'id', ({ id }: Listed) => id],
  ] as const)('finds an open market of %s by %s, and only that one', async (version, name, idOf) => {
    const wanted = (await find('limit=100')).find((one) => one.version === version && one.enableOrderBook) as Listed;
    const found = await find(`${name}=${idOf(wanted)}`);

    expect(found.map(({ id }) => id)).toEqual([wanted.id]);
    expect(await find(`${name}=${idOf(wanted)}&closed=true`)).toEqual([]);
    expect(await find(`${name}=nothing`)).toEqual([]);
  });

  it('knows no id of Protocol V2 as a CLOB token', async () => {
    const v2 = (await find('limit=100')).find(({ version }) => version === 'v2') as Listed;

    expect(await find(`clob_token_ids=${v2.positionIds?.[0]}`)).toEqual([]);
  });

  it('finds a market that has closed with closed=true only', async () => {
    const closed = await find('limit=100&closed=true');
    const one = closed.find(({ umaResolutionStatus }) => umaResolutionStatus === 'resolved') as Listed;

    expect(await find(`slug=${one.slug}`)).toEqual([]);
    expect(await find(`slug=${one.slug}&closed=true`)).toEqual([one]);
    expect(one).toMatchObject({
      closed: true,
      acceptingOrders: false,
      closedTime: expect.stringMatching(/^2026-11-21 .+\+00$/),
    });
    expect(one.bestBid).toBeUndefined();
    expect(['["1", "0"]', '["0", "1"]', '["0.5", "0.5"]']).toContain(one.outcomePrices);
  });

  it('are fresh, while lists are up to five minutes old', async () => {
    const prices = async (query: string): Promise<unknown[]> => {
      const seen: unknown[] = [];
      for (let minute = 0; minute < 10; minute++) {
        now = NOW + minute * 60_000;
        const { body, headers } = await living.get(`/markets/keyset?limit=1&order=volumeNum&ascending=false${query}`);
        expect(Number(headers.get('age'))).toBeLessThan(300);
        seen.push((body.markets as Listed[])[0]?.volumeNum);
      }
      now = NOW;
      return [...new Set(seen)];
    };
    const [biggest] = await find('limit=1&order=volumeNum&ascending=false');

    expect((await prices('')).length).toBeLessThanOrEqual(3);
    expect(await prices(`&id=${biggest?.id}`)).toHaveLength(10);
  });

  it('are refused with more than 45 condition ids', async () => {
    const query = (count: number): string => Array.from({ length: count }, (_, n) => `condition_ids=0x${n}`).join('&');

    expect((await living.get(`/markets/keyset?${query(45)}`)).status).toBe(200);
    expect((await living.get(`/markets/keyset?${query(46)}`)).status).toBe(403);
  });
});
