import { CATEGORY_NAMES, type CategoryName } from '../contract/categories.ts';

/**
 * The categories of the search: data only, one row each. Every entry is in lower case, accents folded, and stands for
 * whole terms: those of an entry with several ("super bowl") must follow each other.
 */
export interface Category {
  readonly name: CategoryName;
  /** A query with one of these terms selects the category. A question that holds one belongs to it too. */
  readonly keywords: readonly string[];
  /** A market with one of these upstream tag slugs belongs to the category. */
  readonly tags: readonly string[];
  /** A market whose question holds one of these belongs to the category. */
  readonly questionWords: readonly string[];
  /** Names that hold a keyword or question word and mean another thing: "Texas Tech" is no technology. */
  readonly names?: readonly string[];
}

/** In the order in which a market that belongs to several is said to be in one of them. */
export { CATEGORY_NAMES, type CategoryName };

/** The entries of a comma-separated list. */
const list = (entries: string): readonly string[] => entries.split(',').map((entry) => entry.trim());

export const CATEGORIES: readonly Category[] = [
  {
    name: 'election',
    keywords: ['election', 'elections'],
    tags: list(`
      elections, election, us-election, us-elections, primaries, midterms, world-elections,
      global-elections, us-presidential-election, presidential-election, senate-elections
    `),
    // Not "governor", "senator" or "nominee": those are as often a bank's, a court case's or an award's.
    questionWords: list(`
      primary, primaries, senate, midterm, midterms, presidential, gubernatorial, mayoral,
      runoff, ballot, referendum, caucus, electoral, reelection, most seats
    `),
  },
  {
    name: 'crypto',
    keywords: ['crypto', 'cryptos', 'cryptocurrency', 'cryptocurrencies'],
    tags: list(`
      crypto, cryptocurrency, crypto-prices, bitcoin, ethereum, solana, xrp, ripple, dogecoin,
      defi, nft, nfts, airdrops, stablecoins, memecoins
    `),
    // Not "doge" or "sol": the first is a government department as well, the second a Spanish word.
    questionWords: list(`
      bitcoin, bitcoins, btc, ethereum, ether, eth, solana, xrp, dogecoin, bnb, cardano,
      chainlink, litecoin, ethena, hyperliquid, megaeth, stablecoin, stablecoins, usdt, usdc,
      tether, coinbase, binance, microstrategy, altcoin, altcoins, memecoin, memecoins, nft,
      nfts, defi, airdrop, airdrops, blockchain, fdv, launch token
    `),
  },
  {
    name: 'sports',
    keywords: ['sport', 'sports'],
    tags: list(`
      sports, nba, nfl, mlb, nhl, wnba, soccer, football, basketball, baseball, hockey,
      esports, tennis, golf, cricket, rugby, boxing, ufc, mma, f1, formula1, nascar, ncaa, cfb,
      cbb, epl, premier-league, la-liga, serie-a, bundesliga, ligue-1, mls, champions-league,
      ucl, fifa, fifa-world-cup, world-cup, olympics, super-bowl, chess
    `),
    questionWords: list(`
      nba, nfl, mlb, nhl, fifa, ufc, wnba, ncaa, mls, uefa, ucl, epl, mma, atp, wta, pga, f1,
      nascar, esports, soccer, football, basketball, baseball, hockey, tennis, golf, cricket,
      rugby, boxing, olympic, olympics, wimbledon, bundesliga, superbowl, super bowl,
      world cup, world series, stanley cup, premier league, champions league, la liga, serie a,
      ligue 1, six nations, french open, australian open, grand slam, formula 1, grand prix,
      masters tournament
    `),
  },
  {
    name: 'economics',
    keywords: ['economics', 'economic', 'economy', 'economies'],
    tags: list(`
      economy, economics, economic-policy, fed-rates, fed, inflation, cpi, gdp, recession,
      unemployment, jobs, interest-rates, tariffs, macro-indicators, treasuries
    `),
    questionWords: list(`
      inflation, cpi, ppi, pce, fed, fomc, gdp, recession, stagflation, unemployment, jobless,
      payrolls, tariff, tariffs, bps, federal reserve, interest rate, interest rates,
      base rate, cash rate, treasury yield, minimum wage, jobs report, debt ceiling
    `),
  },
  {
    name: 'tech',
    keywords: ['tech', 'technology', 'technologies'],
    tags: list(`
      tech, technology, big-tech, ai, artificial-intelligence, openai, apple, google, nvidia,
      tesla, microsoft, meta, amazon, spacex, semiconductors
    `),
    // Not "gemini", "claude" or "amazon": a star sign, a first name and a forest.
    questionWords: list(`
      openai, nvidia, apple, google, tesla, ai, agi, chatgpt, gpt, anthropic, deepseek,
      deepmind, xai, grok, microsoft, alphabet, spacex, starlink, tiktok, iphone, robotaxi,
      semiconductor, semiconductors, artificial intelligence
    `),
    names: list(`
      texas tech, georgia tech, virginia tech, louisiana tech, arkansas tech, michigan tech, tennessee tech,
      montana tech, florida tech, big apple, apple valley, nikola tesla
    `),
  },
];
