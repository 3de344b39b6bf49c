/** A query, and the slugs of the recorded markets any of which a person would expect first. */
export type JudgedQuery = readonly [query: string, expectedFirst: readonly string[]];

/** Judged by reading the recorded questions, before the search existed; the search was tuned on these. */
export const JUDGED_QUERIES: readonly JudgedQuery[] = [
  [
    'trump',
    [
      'will-trump-deport-250000-500000-people',
      'will-donald-trump-win-the-2028-us-presidential-election',
      'will-donald-trump-win-the-2028-republican-presidential-nomination',
      'will-trump-deport-less-than-250000',
      'trump-out-as-president-before-gta-vi-846',
      'will-trump-deport-750000-or-more-people-in-2025',
    ],
  ],
  [
    'btc 150k',
    [
      'will-bitcoin-hit-1m-before-gta-vi-872',
      'will-bitcoin-dip-to-40k-in-february-2026-785-212-222',
      'will-the-price-of-bitcoin-be-greater-than-90000-on-february-7',
      'bitcoin-above-68k-on-february-10',
    ],
  ],
  ['fed rate cut', ['will-the-fed-pausecutcut-in-the-next-three-decisions-janmarapr']],
  ['lakers', ['will-the-los-angeles-lakers-win-the-2026-nba-finals']],
  [
    'ukraine ceasefire',
    ['russia-x-ukraine-ceasefire-by-march-31-2026', 'russia-ukraine-ceasefire-before-gta-vi-554'],
  ],
  [
    'ceasefire russia',
    ['russia-x-ukraine-ceasefire-by-march-31-2026', 'russia-ukraine-ceasefire-before-gta-vi-554'],
  ],
  [
    'lebron',
    [
      'will-lebron-james-win-the-2028-democratic-presidential-nomination',
      'will-lebron-james-win-the-2028-us-presidential-election',
      'will-lebron-james-win-the-20252026-nba-mvp',
    ],
  ],
  [
    'newsom',
    [
      'will-gavin-newsom-win-the-2028-democratic-presidential-nomination-568',
      'will-gavin-newsom-win-the-2028-us-presidential-election',
    ],
  ],
  ['lakres', ['will-the-los-angeles-lakers-win-the-2026-nba-finals']],
  ['etherium 6500', ['will-ethereum-reach-6500-by-december-31-2026']],
  ['btc 1m', ['will-bitcoin-hit-1m-before-gta-vi-872']],
  ['bitcoin 1 million', ['will-bitcoin-hit-1m-before-gta-vi-872']],
  ['curacao', ['will-curaao-win-the-2026-fifa-world-cup']],
  ['édouard philippe', ['will-douard-philippe-win-the-2027-french-presidential-election']],
  ['francois bayrou', ['will-franois-bayrou-win-the-2027-french-presidential-election']],
  ['yesilgoz', ['will-dilan-yeilgz-zegerius-become-the-next-prime-minister-of-the-netherlands']],
  ['jokić mvp', ['will-nikola-jokic-win-the-20252026-nba-mvp']],
  ['Dončić', ['will-luka-doncic-win-the-20252026-nba-mvp']],
  ['antetokoumpo', ['will-giannis-antetokounmpo-win-the-20252026-nba-mvp']],
  ['vance nomination republican', ['will-jd-vance-win-the-2028-republican-presidential-nomination']],
  ["o'rourke", ['will-beto-orourke-win-the-2028-democratic-presidential-nomination']],
  ['bad bunny halftime', ['will-bad-bunny-perform-during-the-super-bowl-lx-halftime-show']],
  ['superbowl seahawks', ['will-the-seattle-seahawks-win-super-bowl-2026']],
  ['gta 6', ['will-gta-6-cost-100', 'gta-vi-released-before-june-2026']],
  ['gta vi release', ['gta-vi-released-before-june-2026']],
  ['elon musk tweets', ['elon-musk-of-tweets-march-2026-100-119']],
  ['openai market cap', ['will-openais-market-cap-be-between-750b-and-1t-at-market-close-on-ipo-day']],
  ['xi jinping out', ['xi-jinping-out-before-2027']],
  [
    'ocasio',
    [
      'will-alexandria-ocasio-cortez-win-the-2028-democratic-presidential-nomination-653',
      'will-alexandria-ocasio-cortez-win-the-2028-us-presidential-election',
    ],
  ],
  [
    'microstrat',
    [
      'microstrategy-sells-any-bitcoin-by-march-31-2026',
      'microstrategy-sells-any-bitcoin-by-june-30-2026',
      'microstrategy-sells-any-bitcoin-by-december-31-2026',
    ],
  ],
  ['paxton texas primary', ['will-ken-paxton-win-the-2026-republican-primary']],
  [
    'dutch prime minister',
    [
      'will-rob-jetten-become-the-next-prime-minister-of-the-netherlands',
      'will-caroline-van-der-plas-become-the-next-prime-minister-of-the-netherlands',
      'will-geert-wilders-become-the-next-prime-minister-of-the-netherlands',
    ],
  ],
  ['uk pm', ['will-nigel-farage-be-the-next-prime-minister-of-the-united-kingdom-in-2026-356']],
  ['china invade taiwan', ['will-china-invades-taiwan-before-gta-vi-716-644']],
  ['trump deport 2 million', ['will-trump-deport-2000000-or-more-people']],
  ['london temperature', ['highest-temperature-in-london-on-february-7-2026-12c']],
  [
    'solana 150',
    [
      'will-the-price-of-solana-be-greater-than-150-on-february-7',
      'will-the-price-of-solana-be-greater-than-150-on-february-8',
    ],
  ],
  [
    'bank of japan rate hike',
    ['bank-of-japan-increases-interest-rates-by-25-bps-after-the-april-2026-meeting'],
  ],
  ['six nations france', ['will-france-win-the-2026-six-nations-championship']],
  [
    'republican house midterms',
    ['will-the-republican-party-control-the-house-after-the-2026-midterm-elections'],
  ],
  ['open ai hardware', ['will-openai-launch-a-new-consumer-hardware-product-by-march-31-2026']],
  [
    'mr beast video views',
    [
      'will-mrbeasts-next-video-get-less-than-60-million-views-on-week-1-462',
      'will-mrbeasts-next-video-get-110-million-or-more-views-on-week-1-529',
    ],
  ],
  ['aoc president 2028', ['will-alexandria-ocasio-cortez-win-the-2028-us-presidential-election']],
  ['oscars best actress', ['will-kate-hudson-win-best-actress-at-the-98th-academy-awards']],
  [
    'crypto solana',
    [
      'will-solana-reach-110-february-2-8',
      'will-the-price-of-solana-be-greater-than-150-on-february-7',
      'solana-above-110-on-february-10',
      'solana-all-time-high-by-september-30-2026',
      'will-the-price-of-solana-be-greater-than-150-on-february-8',
      'solana-above-120-on-february-8',
    ],
  ],
  [
    'election peru',
    [
      'will-jos-luna-win-the-2026-peruvian-presidential-election',
      'will-carlos-esp-win-the-2026-peruvian-presidential-election',
      'will-ricardo-belmont-win-the-2026-peruvian-presidential-election',
    ],
  ],
  ['sports lakers', ['will-the-los-angeles-lakers-win-the-2026-nba-finals']],
  ['economics unemployment brazil', ['brazil-unemployment-below-6pt3-for-q4-2025']],
  ['tech openai ipo', ['will-openais-market-cap-be-between-750b-and-1t-at-market-close-on-ipo-day']],
  ['presidential election 2028 newsom', ['will-gavin-newsom-win-the-2028-us-presidential-election']],
];
