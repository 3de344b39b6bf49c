import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crawl, type Listed, type TestSimulator, testSimulator } from './support.ts';

let simulator: TestSimulator;
beforeAll(async () => {
  simulator = await testSimulator();
});
afterAll(() => simulator.stop());

const list = async (query: string): Promise<Listed[]> =>
  (await simulator.get(`/markets/keyset?${query}`)).body.markets as Listed[];

describe('GET /markets/keyset', () => {
  it.each([
    ['order=volumeNum&ascending=false', -1],
    ['order=volumeNum', 1],
  ])('lists every market once, with %s', async (query, sign) => {
    const markets = await crawl(simulator, `limit=70&${query}`);
    const volumes = markets.map(({ volumeNum = 0 }) => sign * volumeNum);

    expect(new Set(markets.map(({ id }) => id)).size).toBe(300);
    expect(markets).toHaveLength(300);
    expect(volumes).toEqual([...volumes].sort((a, b) => a - b));
  });

  it('gives a cursor with a full last page, and then an empty page', async () => {
    const last = await simulator.get(`/markets/keyset?limit=100&id=500000`);
    const full = await simulator.get(`/markets/keyset?limit=1&id=500000`);
    const empty = await simulator.get(`/markets/keyset?limit=1&id=500000&after_cursor=${full.body.next_cursor}`);

    expect(last.body.next_cursor).toBeUndefined();
    expect(full.body.next_cursor).toEqual(expect.any(String));
    expect(empty.body).toEqual({ $schema: expect.any(String), markets: [] });
  });

  it('filters by volume, both bounds included', async () => {
    const [first, , third] = await list('limit=3&order=volumeNum&ascending=false');
    const count = async (query: string): Promise<number> => (await list(query)).length;

    expect(await count(`volume_num_min=${third?.volumeNum}&volume_num_max=${first?.volumeNum}`)).toBe(3);
    expect(await count(`volume_num_min=${third?.volumeNum}&volume_num_max=${third?.volumeNum}`)).toBe(1);
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

  it('keeps a share of the markets on demand, and all tokens', async () => {
    simulator.keepShare(0.5);
    const half = await crawl(simulator, 'limit=100');
    simulator.keepShare(1);

    expect(half.length).toBeGreaterThan(100);
    expect(half.length).toBeLessThan(200);
  });
});
