import type { SnapshotEntry } from '../../lambda/domain/snapshot.ts';
import { Dice } from './dice.ts';
import { SYLLABLES } from './syllables.ts';

const SUBJECTS = [
  'Bitcoin',
  'Ethereum',
  'the Fed',
  'Real Madrid',
  'the Lakers',
  'OpenAI',
  'inflation',
] as const;
/** What questions hold besides plain words: it grows when it is escaped, encoded or both. */
const UGLY = [
  '',
  '',
  '',
  ' & <b>"quoted"</b> \\ back',
  ' à Zürich, São Paulo',
  ' Путин или Зеленский',
  ' 日本銀行は金利を上げますか',
  ' 🇺🇸🏈👨‍👩‍👧‍👦',
  ' line\nfeed\u2028\u0007\ud800',
] as const;
const TAGS = ['politics', 'crypto', 'sports', 'nba', 'economy', 'tech', 'world'] as const;

/**
 * Markets of a snapshot as large as one may grow: ids and tokens as random, and questions as long and as ugly, as
 * upstream's. The same ones for the same seed.
 */
export function manyEntries(count: number, seed = 1): SnapshotEntry[] {
  const dice = new Dice(seed);
  const word = () =>
    Array.from({ length: 2 + Math.floor(dice.between(0, 3)) }, () => dice.pick(SYLLABLES)).join('');
  return Array.from({ length: count }, (_, position) => {
    const question = `Will ${word()} ${word()} beat ${dice.pick(SUBJECTS)} by ${word()} ${position}?${dice.pick(UGLY)}`;
    const clobTokenId = `1${digits(dice, 76, 10)}`;
    return {
      market: {
        id: `0x${digits(dice, 64, 16)}`,
        question,
        slug: `will-${word()}-${word()}-${position}`,
        currentProbability: Math.round(dice.between(0, 10_000)) / 100,
        volume: (count - position) * 1_000 + Math.round(dice.between(0, 999_999)) / 1_000,
        liquidity: Math.round(dice.between(0, 1e8)) / 1_000,
        oneDayPriceChange: dice.chance(0.05) ? null : (Math.round(dice.between(0, 4_000)) - 2_000) / 100,
        endDate: new Date(1_800_000_000_000 + position * 60_000).toISOString(),
        clobTokenId,
      },
      facets: {
        volume24h: Math.round(dice.between(0, 1e7)) / 1_000,
        bestBid: 0.44,
        bestAsk: 0.46,
        spread: 0.02,
        lastTradePrice: 0.45,
        eventSlug: `${word()}-${word()}-${position}`,
        eventTitle: `${word()} ${word()} ${dice.pick(SUBJECTS)}?`,
        groupItemTitle: word(),
        negRisk: dice.chance(0.5),
        tags: [dice.pick(TAGS), word()],
        outcomes: [
          { label: 'Yes', tokenId: clobTokenId, probability: 45 },
          { label: 'No', tokenId: `2${digits(dice, 76, 10)}`, probability: 55 },
        ],
        image: `https://upload.example/${word()}-${position}.jpg`,
        createdAt: new Date(1_790_000_000_000 + position * 1_000).toISOString(),
        minimumTickSize: 0.01,
        protocolVersion: 'v1',
      },
    };
  });
}

/** Several at a time: an entry has 216 of them, and a test 50,000 entries. */
const DIGITS_AT_ONCE = 8;

function digits(dice: Dice, length: number, base: 10 | 16): string {
  let text = '';
  while (text.length < length) {
    const some = Math.floor(dice.random() * base ** DIGITS_AT_ONCE).toString(base);
    text += some.padStart(DIGITS_AT_ONCE, '0');
  }
  return text.slice(0, length);
}
