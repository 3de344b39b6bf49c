/**
 * How long the search takes on generated markets: `node tools/bench/search.ts`. Prints, for snapshots of three
 * sizes, the time to build the index and the median and 99th percentile of one query, by kind of query.
 * The promise is under 2 ms a query and 100 ms a build on 2,000 markets.
 */
import { createSearchIndex, type SearchableMarket } from '../../lambda/search/search-index.ts';

const SIZES = [2_000, 10_000, 50_000];
const BUILDS = 5;
const RESULTS = 20;

const TOPICS = [
  {
    title: 'Presidential Election Winner 2028',
    ask: 'win the 2028 US Presidential Election',
    tags: ['us-election'],
  },
  { title: 'NBA Champion', ask: 'win the 2026 NBA Finals', tags: ['sports', 'nba'] },
  {
    title: 'Who will perform at the halftime show?',
    ask: 'perform during the Super Bowl LX halftime show',
    tags: [],
  },
  {
    title: 'Fed decision in March?',
    ask: 'vote to decrease interest rates by 25 bps in March 2026',
    tags: ['fed-rates'],
  },
  { title: 'Ceasefire by...?', ask: 'agree to a ceasefire by March 31, 2026', tags: ['world'] },
];
const COINS = ['Bitcoin', 'Ethereum', 'Solana', 'XRP', 'Dogecoin'];
const SYLLABLES = [
  'ka',
  'ro',
  'min',
  'ste',
  'van',
  'lo',
  'der',
  'ti',
  'ños',
  'bur',
  'sel',
  'ga',
  'hou',
  'pri',
  'wen',
];

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'one word': ['bitcoin', 'ceasefire', 'karomin', 'halftime', 'nba'],
  'several words': ['btc 150k', 'fed rate cut', '2028 presidential nominee', 'halftime show super bowl lx'],
  prefix: ['eth', 'pres', 'ka', 'w', 'doge'],
  misspelled: ['etherium', 'cesefire', 'presidental winer', 'halftiem', 'bitcion 150000'],
  category: ['election', 'crypto', 'sports finals', 'economics cut march', 'crypto election 2028'],
  'no match': ['zzzzqqqq', 'xylophonist quartet', 'абвгд'],
  '200 characters': [
    'win the 2028 election will you '.repeat(7).slice(0, 200),
    'mispeled wrods evrywhere '.repeat(8),
  ],
  '100 words': [
    Array.from({ length: 100 }, (_, index) => `${SYLLABLES[index % 15]}${SYLLABLES[index % 7]}`).join(' '),
  ],
};

function generatedMarkets(count: number): SearchableMarket[] {
  const random = mulberry32(1);
  const pick = <T>(from: readonly T[], otherwise: T): T =>
    from[Math.floor(random() * from.length)] ?? otherwise;
  const name = (): string => {
    const letters = Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(SYLLABLES, 'ka')).join(
      '',
    );
    return letters.charAt(0).toUpperCase() + letters.slice(1);
  };
  return Array.from({ length: count }, (_, position) => {
    const coin = pick(COINS, 'Bitcoin');
    const level = (Math.floor(random() * 200) + 1) * 1_000;
    const day = 1 + Math.floor(random() * 28);
    const topic = TOPICS[position % (TOPICS.length + 1)];
    const question =
      topic === undefined
        ? `Will the price of ${coin} be above $${level.toLocaleString('en-US')} on February ${day}?`
        : `Will ${name()} ${name()} ${topic.ask}?`;
    return {
      question,
      slug: question.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      eventTitle: topic?.title ?? `${coin} above ___ on February ${day}?`,
      tags: topic?.tags ?? ['crypto', 'crypto-prices'],
      volume: (count - position) * 1_000,
    };
  });
}

/** A small seeded generator: the same markets in every run. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function milliseconds(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function quantile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(3);
}

for (const size of SIZES) {
  const markets = generatedMarkets(size);
  const builds = Array.from({ length: BUILDS }, () => milliseconds(() => createSearchIndex(markets)));
  console.log(
    `\n${size} markets: build ${quantile(builds, 0.5)} ms median, ${(builds[0] ?? 0).toFixed(1)} ms the first time`,
  );
  const index = createSearchIndex(markets);
  const rounds = Math.max(10, Math.floor(400_000 / size));
  for (const [kind, queries] of Object.entries(QUERIES)) {
    for (const query of queries) index.search(query, RESULTS);
    const times = Array.from({ length: rounds }, () =>
      queries.map((query) => milliseconds(() => index.search(query, RESULTS))),
    ).flat();
    console.log(`  ${kind.padEnd(15)} median ${quantile(times, 0.5)} ms   p99 ${quantile(times, 0.99)} ms`);
  }
}
