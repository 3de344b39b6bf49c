import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createSearchIndex, type SearchableMarket } from '../../../../lambda/search/search-index.ts';
import {
  bareMiniSearch,
  miniSearchUnderOurs,
  type Search,
} from '../../../../tools/bench/search/minisearch-engine.ts';
import { RECORDINGS } from '../../../support/recordings.ts';
import { FRESH_QUERIES } from './fresh-queries.ts';
import { HELD_OUT_QUERIES } from './held-out-queries.ts';
import { JUDGED_QUERIES, type JudgedQuery } from './judged-queries.ts';

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
type Judged = readonly [query: string, isExpected: (slug: string) => boolean];

const listed = (queries: readonly JudgedQuery[]): Judged[] =>
  queries.map(([query, slugs]) => [query, (slug) => slugs.includes(slug)]);
const SETS: readonly [name: string, least: number, queries: readonly Judged[]][] = [
  ['judged', 0.97, listed(JUDGED_QUERIES)],
  ['held-out', 0.97, listed(HELD_OUT_QUERIES)],
  ['fresh', 0.96, FRESH_QUERIES.map(([query, slugs]) => [query, (slug) => slugs.test(slug)])],
];

/** Mean of 1 / (rank of the first expected market), and a line for each query whose first result is another. */
function reciprocalRanks(queries: readonly Judged[], search: Search, markets: readonly SearchableMarket[]) {
  const misses: string[] = [];
  let sum = 0;
  for (const [query, isExpected] of queries) {
    const slugs = search(query, RESULTS).map((position) => markets[position]?.slug ?? '');
    const rank = slugs.findIndex(isExpected) + 1;
    sum += rank === 0 ? 0 : 1 / rank;
    if (rank !== 1)
      misses.push(`"${query}": expected at ${rank || 'none'}, first is ${slugs[0] ?? 'nothing'}`);
  }
  return { mean: sum / queries.length, misses };
}

(RECORDED ? describe : describe.skip)('search relevance on the recorded markets', () => {
  let markets: SearchableMarket[] = [];
  let ours: Search = () => [];
  let bare: Search = () => [];
  let under: Search = () => [];

  beforeAll(() => {
    const recorded = JSON.parse(readFileSync(MARKETS_FILE, 'utf8')) as RecordedMarket[];
    recorded.sort((a, b) => (b.volumeNum ?? 0) - (a.volumeNum ?? 0));
    markets = recorded.map(({ question, slug, events }) => ({
      id: slug,
      question,
      slug,
      eventTitle: events?.[0]?.title,
      tags: [],
    }));
    const index = createSearchIndex(markets);
    ours = (query, limit) => index.search(query, limit).positions;
    bare = bareMiniSearch(markets);
    under = miniSearchUnderOurs(markets);
  });

  it.each(SETS)(
    'puts an expected market first: %s queries, mean reciprocal rank at least %d',
    (name, least, queries) => {
      const { mean, misses } = reciprocalRanks(queries, ours, markets);
      const baseline = reciprocalRanks(queries, bare, markets).mean;
      const underOurs = reciprocalRanks(queries, under, markets).mean;
      const summary = `${name}: mean reciprocal rank ${mean.toFixed(3)} of ${queries.length} queries, MiniSearch as it comes ${baseline.toFixed(3)}, under our terms ${underOurs.toFixed(3)}`;
      console.log([summary, ...misses].join('\n  '));
      expect(mean).toBeGreaterThanOrEqual(Math.max(least, baseline, underOurs));
    },
  );

  it('finds nothing for a topic that no market has, whatever date stands beside it', () => {
    expect(ours('recession 2026', RESULTS)).toEqual([]);
  });

  it('knows the markets that its queries expect', () => {
    const slugs = new Set(markets.map((market) => market.slug));
    const expected = JUDGED_QUERIES.concat(HELD_OUT_QUERIES).flatMap(([, wanted]) => wanted);
    expect(expected.filter((slug) => !slugs.has(slug))).toEqual([]);
  });
});
