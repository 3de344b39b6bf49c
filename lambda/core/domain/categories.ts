/**
 * The categories of markets, such as `crypto`: the words and tags of the markets that belong to
 * each, and the words by which a search query selects it.
 */
import { CATEGORY_NAMES, type CategoryName } from '../contract/constants.ts';
import { termsOf } from './terms.ts';

/** The rules of one category. Texts are in lower case without accents, such as "world cup". */
interface CategoryRules {
  /** A question with a keyword belongs to the category. A query with a keyword selects it. */
  readonly keywords: readonly string[];
  /** Slugs of upstream's tags. A market with one of these tags belongs to the category. */
  readonly tags: readonly string[];
  /** A question with such a word belongs to the category. In a query, the word selects nothing. */
  readonly questionWords: readonly string[];
  /** Names in which a keyword or question word means something else: "texas tech" is a team. */
  readonly unrelatedNames?: readonly string[];
}

/** The texts between commas. */
const list = (texts: string): readonly string[] => texts.split(',').map((text) => text.trim());

/** The rules of each category. Words that often mean something else are left out. */
export const CATEGORY_RULES: Readonly<Record<CategoryName, CategoryRules>> = {
  election: {
    keywords: ['election', 'elections'],
    tags: list(`
      elections, election, us-election, us-elections, primaries, midterms, world-elections,
      global-elections, us-presidential-election, presidential-election, senate-elections
    `),
    // Not "governor", "senator" or "nominee": banks, court cases and awards use them as often.
    questionWords: list(`
      primary, primaries, senate, midterm, midterms, presidential, gubernatorial, mayoral,
      runoff, ballot, referendum, caucus, electoral, reelection, most seats
    `),
  },
  crypto: {
    keywords: ['crypto', 'cryptos', 'cryptocurrency', 'cryptocurrencies'],
    tags: list(`
      crypto, cryptocurrency, crypto-prices, bitcoin, ethereum, solana, xrp, ripple, dogecoin,
      defi, nft, nfts, airdrops, stablecoins, memecoins
    `),
    // Not "doge" or "sol": "doge" is also a government department, "sol" a Spanish word.
    questionWords: list(`
      bitcoin, bitcoins, btc, ethereum, ether, eth, solana, xrp, dogecoin, bnb, cardano,
      chainlink, litecoin, ethena, hyperliquid, megaeth, stablecoin, stablecoins, usdt, usdc,
      tether, coinbase, binance, microstrategy, altcoin, altcoins, memecoin, memecoins, nft,
      nfts, defi, airdrop, airdrops, blockchain, fdv, launch token
    `),
  },
  sports: {
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
  economics: {
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
  tech: {
    keywords: ['tech', 'technology', 'technologies'],
    tags: list(`
      tech, technology, big-tech, ai, artificial-intelligence, openai, apple, google, nvidia,
      tesla, microsoft, meta, amazon, spacex, semiconductors
    `),
    // Not "gemini", "claude" or "amazon": also a star sign, a first name and a forest.
    questionWords: list(`
      openai, nvidia, apple, google, tesla, ai, agi, chatgpt, gpt, anthropic, deepseek,
      deepmind, xai, grok, microsoft, alphabet, spacex, starlink, tiktok, iphone, robotaxi,
      semiconductor, semiconductors, artificial intelligence
    `),
    unrelatedNames: list(`
      texas tech, georgia tech, virginia tech, louisiana tech, arkansas tech, michigan tech,
      tennessee tech, montana tech, florida tech, big apple, apple valley, nikola tesla
    `),
  },
};

/**
 * The categories of a market in the order of `CATEGORY_NAMES`; the first is its public `category`.
 *
 * @param tags slugs of upstream's tags
 */
export function categoriesOf(question: string, tags: readonly string[]): readonly CategoryName[] {
  const categories = new Set(tags.flatMap((tag) => CATEGORIES_BY_TAG.get(tag.toLowerCase()) ?? []));
  for (const { category } of phrasesIn(termsOf(question))) {
    if (category !== undefined) categories.add(category);
  }
  return CATEGORY_NAMES.filter((name) => categories.has(name));
}

/** The categories that the terms of a query select by keywords, in the order of the query. */
export function selectedCategories(terms: readonly string[]): readonly CategoryName[] {
  const selected = new Set<CategoryName>();
  for (const { category, isKeyword } of phrasesIn(terms)) {
    if (category !== undefined && isKeyword) selected.add(category);
  }
  return [...selected];
}

/** Whether a single term of a query selects a category. */
export function isCategoryKeyword(term: string): boolean {
  return selectedCategories([term]).length > 0;
}

/** A keyword, question word or unrelated name, cut into terms: `['world', 'cup']`. */
interface Phrase {
  readonly terms: readonly string[];
  /** Absent for an unrelated name. */
  readonly category?: CategoryName;
  readonly isKeyword?: true;
}

const CATEGORIES_BY_TAG = categoriesByTag();
const PHRASES_BY_FIRST_TERM = phrasesByFirstTerm();

function categoriesByTag(): ReadonlyMap<string, readonly CategoryName[]> {
  const byTag = new Map<string, CategoryName[]>();
  for (const category of CATEGORY_NAMES) {
    for (const tag of CATEGORY_RULES[category].tags)
      byTag.set(tag, [...(byTag.get(tag) ?? []), category]);
  }
  return byTag;
}

/** The phrases of all categories by their first term, the longest phrase first. */
function phrasesByFirstTerm(): ReadonlyMap<string | undefined, readonly Phrase[]> {
  const phrases: Phrase[] = [];
  for (const category of CATEGORY_NAMES) {
    const { keywords, questionWords, unrelatedNames = [] } = CATEGORY_RULES[category];
    for (const text of keywords)
      phrases.push({ terms: text.split(' '), category, isKeyword: true });
    for (const text of questionWords) phrases.push({ terms: text.split(' '), category });
    for (const text of unrelatedNames) phrases.push({ terms: text.split(' ') });
  }
  phrases.sort((a, b) => b.terms.length - a.terms.length);
  return Map.groupBy(phrases, ({ terms: [first] }) => first);
}

/**
 * The longest phrase at each place of a text. The terms inside an unrelated name are skipped, so
 * that the "tech" of "texas tech" is no phrase.
 */
function phrasesIn(terms: readonly string[]): readonly Phrase[] {
  const phrases: Phrase[] = [];
  let index = 0;
  while (index < terms.length) {
    const phrase = longestPhraseAt(terms, index);
    if (phrase) phrases.push(phrase);
    const isUnrelated = phrase !== undefined && phrase.category === undefined;
    index += isUnrelated ? phrase.terms.length : 1;
  }
  return phrases;
}

/** The longest phrase whose terms are those of the text from `index` on. */
function longestPhraseAt(terms: readonly string[], index: number): Phrase | undefined {
  const candidates = PHRASES_BY_FIRST_TERM.get(terms[index]) ?? [];
  return candidates.find((phrase) =>
    phrase.terms.every((term, offset) => terms[index + offset] === term),
  );
}
