import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SnapshotEntry } from '../../lambda/domain/snapshot.ts';
import { CATEGORIES } from '../../lambda/search/categories.ts';
import { snapshotEntry } from '../support/snapshot-entry.ts';
import { TestService } from './support/test-service.ts';

const QUESTIONS: readonly [question: string, tags?: readonly string[], eventTitle?: string][] = [
  ['Will Ana Müller win the primary in Ohio?', ['us-election']],
  ['Will Bitcoin reach $150,000 in December?'],
  ['Will the merger of two banks close in May?', ['ethereum']],
  ['Will the Lakers win the NBA title?', ['nba']],
  ['Will inflation exceed 3% in March?'],
  ['Will OpenAI release a new model in June?'],
  ['Will a technical recessive sportsbook selection close in May?'],
  ['Will it snow in Oslo in May?', ['weather'], 'Nordic winter'],
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ environment: { REQUESTS_PER_MINUTE: 'off' } });
  const entries: SnapshotEntry[] = QUESTIONS.map(([question, tags = [], eventTitle], n) => ({
    ...snapshotEntry(n, { question }),
    facets: { ...snapshotEntry(n).facets, tags, ...(eventTitle === undefined ? {} : { eventTitle }) },
  }));
  await service.publish(entries);
}, 60_000);
afterAll(() => service?.close());

async function search(q: string, limit = 20): Promise<string[]> {
  const { status, json } = await service.call(
    `/api/markets/search?${new URLSearchParams({ q, limit: String(limit) })}`,
  );
  expect(status).toBe(200);
  return json.map(({ question }: { question: string }) => question);
}

const at = (...positions: number[]) => positions.map((position) => QUESTIONS[position]?.[0]);

describe('a category keyword', () => {
  it.each([
    ['election', [0]],
    ['Elections', [0]],
    ['crypto', [1, 2]],
    ['SPORT', [3]],
    ['economy', [4]],
    ['technology', [5]],
  ])('%s selects by tag and by question word', async (q, positions) => {
    expect(await search(q)).toEqual(at(...positions));
  });

  it('has its plain inflections, every one of the data file', async () => {
    for (const { keywords } of CATEGORIES) {
      const [first = ''] = keywords;
      for (const keyword of keywords) expect(await search(keyword)).toEqual(await search(first));
    }
  });

  it.each(['technical', 'sportsbook', 'selection'])('is not hidden in %s', async (q) => {
    expect(await search(q)).toEqual(at(6));
  });

  it('with another word ranks inside the category and does not empty it', async () => {
    expect((await search('crypto merger'))[0]).toBe(QUESTIONS[2]?.[0]);
    expect((await search('crypto zebra')).sort()).toEqual(at(1, 2).sort());
  });
});

describe('a text search', () => {
  it.each([
    ['muller', [0]],
    ['MÜLLER', [0]],
    ['bitc', [1]],
    ['lakres', [3]],
    ['nordic winter', [7]],
    ['close may', [2, 6]],
    ['oslo zebra', [7]],
  ])('for %s finds what a person expects', async (q, positions) => {
    expect(await search(q)).toEqual(at(...positions));
  });

  it('finds nothing where nothing matches', async () => {
    expect(await search('qqqqqq')).toEqual([]);
  });

  it('ignores the characters & = ? # %', async () => {
    expect(await search('?osl&o%')).toEqual(at(7));
  });

  it('returns as many as asked for, fifty at most', async () => {
    expect(await search('will', 3)).toHaveLength(3);
    expect((await service.call('/api/markets/search?q=will&limit=500')).status).toBe(200);
  });
});

describe('a query that cannot be searched for', () => {
  it.each([
    ['', 'missing_parameter'],
    ['?q=', 'invalid_parameter'],
    ['?q=a', 'invalid_parameter'],
    [`?q=${'a'.repeat(201)}`, 'invalid_parameter'],
    ['?q=%26%3D%3F', 'invalid_parameter'],
    ['?q=%20%20%20', 'invalid_parameter'],
    ['?q=bitcoin&limit=0', 'invalid_parameter'],
    ['?q=bitcoin&q=trump', 'invalid_parameter'],
  ])('is refused: %s', async (query, code) => {
    expect(await service.call(`/api/markets/search${query}`)).toMatchObject({ status: 400, json: { code } });
  });
});
