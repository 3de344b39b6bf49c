import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import MiniSearch from 'minisearch';
import { createSearchIndex, type SearchableMarket } from '../../../../lambda/search/search-index.ts';
import { fold } from '../../../../lambda/search/terms.ts';
import { HELD_OUT_QUERIES } from './held-out-queries.ts';
import { JUDGED_QUERIES, type JudgedQuery } from './judged-queries.ts';

const RECORDINGS = process.env.RECORDINGS ?? join(import.meta.dirname, '../../../../shared/recordings');
const MARKETS_FILE = join(RECORDINGS, 'gamma-markets.json');
const RECORDED = existsSync(MARKETS_FILE);
if (!RECORDED)
  console.warn(`SKIPPED: search relevance is not measured, ${MARKETS_FILE} is not there (set RECORDINGS)`);

const RESULTS = 20;

interface RecordedMarket {
  readonly question: string;
  readonly slug: string;
  readonly volumeNum?: number;
  readonly events?: readonly { readonly title?: string }[];
}
type Search = (query: string) => readonly number[];

/** Mean of 1 / (rank of the first expected market), and a line for each query whose first answer is another. */
function reciprocalRanks(
  queries: readonly JudgedQuery[],
  search: Search,
  markets: readonly SearchableMarket[],
) {
  const misses: string[] = [];
  let sum = 0;
  for (const [query, expectedFirst] of queries) {
    const slugs = search(query).map((position) => markets[position]?.slug ?? '');
    const rank = slugs.findIndex((slug) => expectedFirst.includes(slug)) + 1;
    sum += rank === 0 ? 0 : 1 / rank;
    if (rank !== 1)
      misses.push(`"${query}": expected at ${rank || 'none'}, first is ${slugs[0] ?? 'nothing'}`);
  }
  return { mean: sum / queries.length, misses };
}

/** MiniSearch as its documentation suggests it, with what design 2.2 asks for: what our search must beat to stay. */
function miniSearch(markets: readonly SearchableMarket[]): Search {
  const index = new MiniSearch({ fields: ['question', 'eventTitle', 'slug'], processTerm: fold });
  index.addAll(markets.map((market, id) => ({ id, ...market })));
  const options = { boost: { question: 3, eventTitle: 1.5 }, prefix: true, fuzzy: 0.2 };
  return (query) => {
    const all = index.search(query, { ...options, combineWith: 'AND' });
    const found = all.length > 0 ? all : index.search(query, options);
    const sorted = [...found].sort((a, b) => b.score - a.score || a.id - b.id);
    return sorted.slice(0, RESULTS).map((result): number => result.id);
  };
}

(RECORDED ? describe : describe.skip)('search relevance on the recorded markets', () => {
  let markets: SearchableMarket[] = [];
  let ours: Search = () => [];

  beforeAll(() => {
    const recorded = JSON.parse(readFileSync(MARKETS_FILE, 'utf8')) as RecordedMarket[];
    markets = recorded
      .map(({ question, slug, volumeNum, events }) => ({
        question,
        slug,
        eventTitle: events?.[0]?.title,
        tags: [],
        volume: volumeNum ?? 0,
      }))
      .sort((a, b) => b.volume - a.volume);
    const index = createSearchIndex(markets);
    ours = (query) => index.search(query, RESULTS);
  });

  it.each([
    ['judged', JUDGED_QUERIES],
    ['held-out', HELD_OUT_QUERIES],
  ] as const)(
    'puts an expected market first: mean reciprocal rank of the %s queries at least 0.9',
    (name, queries) => {
      const { mean, misses } = reciprocalRanks(queries, ours, markets);
      console.log(
        [`${name}: mean reciprocal rank ${mean.toFixed(3)} of ${queries.length} queries`, ...misses].join(
          '\n  ',
        ),
      );
      expect(mean).toBeGreaterThanOrEqual(0.9);
    },
  );

  it('ranks no worse than MiniSearch on either set', () => {
    const baseline = miniSearch(markets);
    for (const queries of [JUDGED_QUERIES, HELD_OUT_QUERIES]) {
      const mini = reciprocalRanks(queries, baseline, markets).mean;
      console.log(`MiniSearch on the same ${queries.length} queries: ${mini.toFixed(3)}`);
      expect(reciprocalRanks(queries, ours, markets).mean).toBeGreaterThanOrEqual(mini);
    }
  });

  it.each(JUDGED_QUERIES.concat(HELD_OUT_QUERIES))(
    'knows the markets expected for "%s"',
    (_query, expectedFirst) => {
      const slugs = new Set(markets.map((market) => market.slug));
      expect(expectedFirst.filter((slug) => !slugs.has(slug))).toEqual([]);
    },
  );
});
