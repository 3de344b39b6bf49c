import type { SearchableMarket } from '../../../lambda/search/search-index.ts';
import { SYLLABLES } from '../../../test/support/syllables.ts';

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

/** Markets like the upstream's, the same in every run, in list order. */
export function generatedMarkets(count: number): SearchableMarket[] {
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
      id: String(position),
      question,
      slug: question.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      eventTitle: topic?.title ?? `${coin} above ___ on February ${day}?`,
      tags: topic?.tags ?? ['crypto', 'crypto-prices'],
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
