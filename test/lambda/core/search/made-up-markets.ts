// An invented list of markets, and queries with the answers that a person expects.
// `search-index.test.ts` runs the queries; `reused-index.test.ts` uses single markets.

import { categoriesOf } from '../../../../lambda/core/domain/categories.ts';
import type { SearchableMarket } from '../../../../lambda/core/search/search-index.ts';

/**
 * The list: titles of events, and below each one the slugs and questions of its markets. It has the
 * difficulties of real lists, such as accents, amounts, abbreviations and words with two meanings.
 */
const EVENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2030 Harbour Cup Winner': {
    'norland-harbour-cup': 'Will Norland win the 2030 Harbour Cup?',
    'esteria-harbour-cup': 'Will Esteria win the 2030 Harbour Cup?',
    'valk-coast-harbour-cup': 'Will the Valk Coast win the 2030 Harbour Cup?',
  },
  'President elected in 2030': {
    'lindqvist-president': 'Will Ada Lindqvist win the 2030 presidential election?',
    'oyelaran-president': 'Will Tomás Oyelaran win the 2030 presidential election?',
  },
  'Green Nominee 2030': {
    'lindqvist-nomination': 'Will Ada Lindqvist win the Green nomination?',
  },
  'Ministers out': {
    'lindqvist-out': 'Lindqvist out as minister before June?',
  },
  'Bitcoin above ... on March 31?': {
    'bitcoin-150k-march': 'Will Bitcoin be above $150,000 on March 31?',
  },
  'What price will Bitcoin hit in March?': {
    'bitcoin-60k-march': 'Will Bitcoin dip to $60,000 in March?',
  },
  'What price will Ethereum hit in 2030?': {
    'ethereum-10k': 'Will Ethereum reach $10,000 in 2030?',
  },
  'Fed in April?': {
    'fed-cut-april': 'Will the Fed decrease interest rates by 25 bps after the April meeting?',
    'fed-no-change-april': 'No change in Fed interest rates after the April meeting?',
  },
  'Norland x Esteria ceasefire by...?': {
    'ceasefire-june': 'Norland x Esteria ceasefire by June 30?',
    'ceasefire-december': 'Norland x Esteria ceasefire by December 31?',
  },
  'Esteria strikes on Norland': {
    'strike-may': 'Will Esteria strike Norland in May?',
  },
  'Gulls vs. Otters': {
    'gulls-otters': 'Harbour City Gulls vs. Lakeside Otters',
    'gulls-otters-total-6pt5': 'Harbour City Gulls vs. Lakeside Otters: O/U 6.5',
  },
  '2030 Finals Champion': {
    'gulls-finals': 'Will the Harbour City Gulls win the 2030 finals?',
    'otters-finals': 'Will the Lakeside Otters win the 2030 finals?',
  },
  'Top film this week': {
    'lighthouse-film': 'Will "The Last Lighthouse" be the top film on streaming this week?',
  },
  'Which company announces a model first?': {
    'openmind-model': 'Will OpenMind announce a new model before July?',
  },
  'Rain in Zürich in May': {
    'zurich-rain': 'Will it rain more than 50 mm in Zürich in May?',
  },
  'What will Sandoval say?': {
    'sandoval-says-lighthouse': 'Will Mira Sandoval say "lighthouse" during the debate?',
  },
  'Government shutdown?': {
    'shutdown-october': 'Will the government shut down before October?',
  },
  'Unemployment in April': {
    'unemployment-april': 'Will unemployment rise in April?',
  },
  'Ethereum up or down': {
    'ethereum-up-down': 'Ethereum up or down on March 3?',
  },
  'Peace talks': {
    'peace-talks-july': 'Norland x Esteria: peace talks before July?',
  },
  'Treaties of 2030': {
    'us-esteria-treaty': 'Will the United States sign a treaty with Esteria?',
  },
  Transfers: {
    'simic-otters': 'Will Émile Ødegård-Šimić join the Lakeside Otters?',
  },
  'Solwave in 2030': {
    'solwave-ath': 'Will Solwave reach an all time high in 2030?',
  },
  'Museum visitors': {
    'museum-250k-300k': 'Will between 250,000 and 300,000 people visit the museum?',
  },
  'OpenMind IPO': {
    'openmind-ipo': 'Will the OpenMind IPO value the company above $2.5T?',
  },
  Resignations: {
    'valk-prime-minister': 'Will the prime minister of Valk resign?',
  },
  'Harbour City Gulls vs. Hill Foxes': {
    'foxes-spread-home-1pt5': 'Spread: Gulls (-1.5)',
  },
};

/** The markets of all events, in list order. */
export const MADE_UP_MARKETS: readonly SearchableMarket[] = Object.entries(EVENTS).flatMap(
  ([eventTitle, markets]) =>
    Object.entries(markets).map(([slug, question]) =>
      market(question, { id: slug, slug, eventTitle }),
    ),
);

/** A market with only the fields that a search reads. */
export function market(question: string, others: Partial<SearchableMarket> = {}): SearchableMarket {
  return { id: question, question, categories: categoriesOf(question, []), ...others };
}

const HARBOUR_CUP = ['norland-harbour-cup', 'esteria-harbour-cup', 'valk-coast-harbour-cup'];

/**
 * Queries with the slugs that a person accepts as the first result. The person read the list, and
 * no result of a search.
 */
export const MADE_UP_QUERIES: Readonly<Record<string, readonly string[]>> = {
  'harbour cup': HARBOUR_CUP,
  'who will win the harbour cup': HARBOUR_CUP,
  'lindqvist president': ['lindqvist-president'],
  'tomas oyelaran': ['oyelaran-president'],
  lindqist: ['lindqvist-president', 'lindqvist-nomination', 'lindqvist-out'],
  'btc 150k': ['bitcoin-150k-march'],
  'fed rate cut': ['fed-cut-april'],
  'ceasefire esteria norland': ['ceasefire-june', 'ceasefire-december'],
  'esteria strikes': ['strike-may'],
  'gulls otters': ['gulls-otters'],
  'sandoval debate': ['sandoval-says-lighthouse'],
  'zurich rain': ['zurich-rain'],
  'government shutdown': ['shutdown-october'],
  'ødegård simić': ['simic-otters'],
  'emile odegard': ['simic-otters'],
  'usa treaty esteria': ['us-esteria-treaty'],
  'american treaties': ['us-esteria-treaty'],
  'solwave ath': ['solwave-ath'],
  'museum visitor 300 thousand': ['museum-250k-300k'],
  'open mind ipo': ['openmind-ipo'],
  'openmind 2.5 trillion': ['openmind-ipo'],
  'valk pm': ['valk-prime-minister'],
  'foxes gulls spread': ['foxes-spread-home-1pt5'],
  'gulls otters 6.5': ['gulls-otters-total-6pt5'],
  unemploymnet: ['unemployment-april'],
  'goverment shutdwon': ['shutdown-october'],
  'lakeside oters': ['otters-finals', 'gulls-otters', 'simic-otters'],
  'light house film': ['lighthouse-film'],
  '25bps cut': ['fed-cut-april'],
  'federal reserve april': ['fed-cut-april', 'fed-no-change-april'],
  'presidential election oyelaran': ['oyelaran-president'],
  'crypto eth': ['ethereum-10k', 'ethereum-up-down'],
};
