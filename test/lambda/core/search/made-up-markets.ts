// An invented list, and queries with the answers that a person expects. `search-index.test.ts` runs
// the queries; `reused-index.test.ts` uses single markets.

import { categoriesOf } from '../../../../lambda/core/domain/categories.ts';
import type { SearchableMarket } from '../../../../lambda/core/search/search-index.ts';

/** A market with only the fields that a search reads. */
export function market(question: string, others: Partial<SearchableMarket> = {}): SearchableMarket {
  return { id: question, question, categories: categoriesOf(question, []), ...others };
}

/** Question, event title and slug in list order. Invented, with the difficulties of real lists. */
const LISTED: readonly (readonly [question: string, eventTitle: string, slug: string])[] = [
  ['Will Norland win the 2030 Harbour Cup?', '2030 Harbour Cup Winner', 'norland-harbour-cup'],
  ['Will Esteria win the 2030 Harbour Cup?', '2030 Harbour Cup Winner', 'esteria-harbour-cup'],
  [
    'Will the Valk Coast win the 2030 Harbour Cup?',
    '2030 Harbour Cup Winner',
    'valk-coast-harbour-cup',
  ],
  [
    'Will Ada Lindqvist win the 2030 presidential election?',
    'President elected in 2030',
    'lindqvist-president',
  ],
  [
    'Will Tomás Oyelaran win the 2030 presidential election?',
    'President elected in 2030',
    'oyelaran-president',
  ],
  ['Will Ada Lindqvist win the Green nomination?', 'Green Nominee 2030', 'lindqvist-nomination'],
  ['Lindqvist out as minister before June?', 'Ministers out', 'lindqvist-out'],
  [
    'Will Bitcoin be above $150,000 on March 31?',
    'Bitcoin above ... on March 31?',
    'bitcoin-150k-march',
  ],
  [
    'Will Bitcoin dip to $60,000 in March?',
    'What price will Bitcoin hit in March?',
    'bitcoin-60k-march',
  ],
  ['Will Ethereum reach $10,000 in 2030?', 'What price will Ethereum hit in 2030?', 'ethereum-10k'],
  [
    'Will the Fed decrease interest rates by 25 bps after the April meeting?',
    'Fed in April?',
    'fed-cut-april',
  ],
  [
    'No change in Fed interest rates after the April meeting?',
    'Fed in April?',
    'fed-no-change-april',
  ],
  [
    'Norland x Esteria ceasefire by June 30?',
    'Norland x Esteria ceasefire by...?',
    'ceasefire-june',
  ],
  [
    'Norland x Esteria ceasefire by December 31?',
    'Norland x Esteria ceasefire by...?',
    'ceasefire-december',
  ],
  ['Will Esteria strike Norland in May?', 'Esteria strikes on Norland', 'strike-may'],
  ['Harbour City Gulls vs. Lakeside Otters', 'Gulls vs. Otters', 'gulls-otters'],
  ['Will the Harbour City Gulls win the 2030 finals?', '2030 Finals Champion', 'gulls-finals'],
  ['Will the Lakeside Otters win the 2030 finals?', '2030 Finals Champion', 'otters-finals'],
  [
    'Will "The Last Lighthouse" be the top film on streaming this week?',
    'Top film this week',
    'lighthouse-film',
  ],
  [
    'Will OpenMind announce a new model before July?',
    'Which company announces a model first?',
    'openmind-model',
  ],
  ['Will it rain more than 50 mm in Zürich in May?', 'Rain in Zürich in May', 'zurich-rain'],
  [
    'Will Mira Sandoval say "lighthouse" during the debate?',
    'What will Sandoval say?',
    'sandoval-says-lighthouse',
  ],
  ['Will the government shut down before October?', 'Government shutdown?', 'shutdown-october'],
  ['Will unemployment rise in April?', 'Unemployment in April', 'unemployment-april'],
  ['Ethereum up or down on March 3?', 'Ethereum up or down', 'ethereum-up-down'],
  ['Norland x Esteria: peace talks before July?', 'Peace talks', 'peace-talks-july'],
  [
    'Harbour City Gulls vs. Lakeside Otters: O/U 6.5',
    'Gulls vs. Otters',
    'gulls-otters-total-6pt5',
  ],
  ['Will the United States sign a treaty with Esteria?', 'Treaties of 2030', 'us-esteria-treaty'],
  ['Will Émile Ødegård-Šimić join the Lakeside Otters?', 'Transfers', 'simic-otters'],
  ['Will Solwave reach an all time high in 2030?', 'Solwave in 2030', 'solwave-ath'],
  [
    'Will between 250,000 and 300,000 people visit the museum?',
    'Museum visitors',
    'museum-250k-300k',
  ],
  ['Will the OpenMind IPO value the company above $2.5T?', 'OpenMind IPO', 'openmind-ipo'],
  ['Will the prime minister of Valk resign?', 'Resignations', 'valk-prime-minister'],
  ['Spread: Gulls (-1.5)', 'Harbour City Gulls vs. Hill Foxes', 'foxes-spread-home-1pt5'],
];

export const MADE_UP_MARKETS = LISTED.map(([question, eventTitle, slug]) =>
  market(question, { id: slug, slug, eventTitle }),
);

/**
 * A query, and the slugs of which a person expects one first. Judged by reading the list, before
 * any search.
 */
export const MADE_UP_QUERIES: readonly (readonly [
  query: string,
  expectedFirst: readonly string[],
])[] = [
  ['harbour cup', ['norland-harbour-cup', 'esteria-harbour-cup', 'valk-coast-harbour-cup']],
  [
    'who will win the harbour cup',
    ['norland-harbour-cup', 'esteria-harbour-cup', 'valk-coast-harbour-cup'],
  ],
  ['lindqvist president', ['lindqvist-president']],
  ['tomas oyelaran', ['oyelaran-president']],
  ['lindqist', ['lindqvist-president', 'lindqvist-nomination', 'lindqvist-out']],
  ['btc 150k', ['bitcoin-150k-march']],
  ['fed rate cut', ['fed-cut-april']],
  ['ceasefire esteria norland', ['ceasefire-june', 'ceasefire-december']],
  ['esteria strikes', ['strike-may']],
  ['gulls otters', ['gulls-otters']],
  ['sandoval debate', ['sandoval-says-lighthouse']],
  ['zurich rain', ['zurich-rain']],
  ['government shutdown', ['shutdown-october']],
  ['ødegård simić', ['simic-otters']],
  ['emile odegard', ['simic-otters']],
  ['usa treaty esteria', ['us-esteria-treaty']],
  ['american treaties', ['us-esteria-treaty']],
  ['solwave ath', ['solwave-ath']],
  ['museum visitor 300 thousand', ['museum-250k-300k']],
  ['open mind ipo', ['openmind-ipo']],
  ['openmind 2.5 trillion', ['openmind-ipo']],
  ['valk pm', ['valk-prime-minister']],
  ['foxes gulls spread', ['foxes-spread-home-1pt5']],
  ['gulls otters 6.5', ['gulls-otters-total-6pt5']],
  ['unemploymnet', ['unemployment-april']],
  ['goverment shutdwon', ['shutdown-october']],
  ['lakeside oters', ['otters-finals', 'gulls-otters', 'simic-otters']],
  ['light house film', ['lighthouse-film']],
  ['25bps cut', ['fed-cut-april']],
  ['federal reserve april', ['fed-cut-april', 'fed-no-change-april']],
  ['presidential election oyelaran', ['oyelaran-president']],
  ['crypto eth', ['ethereum-10k', 'ethereum-up-down']],
];
