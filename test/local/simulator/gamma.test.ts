import { afterAll, describe, expect, it } from '@jest/globals';
import { crawl, type Listed, NOW, testSimulator } from './support.ts';

// The test of the doctor shows order, filter and lookups.
let now = NOW;
const simulator = await testSimulator({ lifecycle: true, now: () => now });
afterAll(() => simulator.stop());
const get = (query: string) => simulator.get(`/markets/keyset?${query}`);
const find = async (query: string): Promise<Listed[]> => (await get(query)).body.markets as Listed[];

describe('GET /markets/keyset', () => {
  it('finds markets by condition id, in upper case and in both forms of Protocol V2', async () => {
    const all = await crawl(simulator, 'limit=100');
    const short = all.find(({ conditionId }) => conditionId.length === 64);
    const other = all.find(({ conditionId }) => conditionId.length === 66);
    const upper = other?.conditionId.toUpperCase().replace('0X', '0x');
    const found = await find(`condition_ids=${short?.conditionId}00&condition_ids=${upper}&condition_ids=0x12`);
    expect(found.map(({ id }) => id).sort()).toEqual([short?.id, other?.id].sort());
  });

  it('is up to five minutes old, but a lookup is fresh', async () => {
    const volumes = async (query: string): Promise<Set<unknown>> => {
      const seen = new Set<unknown>();
      for (let minute = 0; minute < 10; minute++) {
        now = NOW + minute * 60_000;
        const { body, headers } = await get(`limit=1&order=volumeNum&ascending=false${query}`);
        expect(Number(headers.get('age'))).toBeLessThan(300);
        seen.add((body.markets as Listed[])[0]?.volumeNum);
      }
      now = NOW;
      return seen;
    };
    const [biggest] = await find('limit=1&order=volumeNum&ascending=false');
    expect((await volumes('')).size).toBeLessThanOrEqual(3);
    expect((await volumes(`&slug=${biggest?.slug}`)).size).toBe(10);
  });

  it.each([
    ['after_cursor=abc', 422],
    [Array.from({ length: 46 }, (_, n) => `condition_ids=0x${n}`).join('&'), 403],
  ])('refuses %s with %i', async (query, status) => {
    expect((await get(query)).status).toBe(status);
  });
});
