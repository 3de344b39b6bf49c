/**
 * The words by which the search finds a market. Each market has two indexed texts: its question,
 * and its context, which is what event title, short name and slug add to the question.
 */
import type { Market } from '../domain/market.ts';
import { slugTerms, termsOf } from '../domain/terms.ts';
import { STOP_WORDS } from './synonyms.ts';

const TEXT_FIELDS = ['id', 'question', 'slug', 'eventTitle', 'groupItemTitle'] as const;
/** The id and the texts of a market that the search reads. */
export type MarketTexts = Pick<Market, (typeof TEXT_FIELDS)[number]>;

/** A market as the index stores it. */
export interface IndexedMarket {
  /** The result of `textsOf`: if it differs from that of the next snapshot, the market changed. */
  readonly texts: string;
  /** What MiniSearch, the search library, indexes: words with a space between each two. */
  readonly document: { readonly id: string; readonly question: string; readonly context: string };
  /** The words of question and context, each once. */
  readonly words: readonly string[];
  /** All terms of the question, with stop words. */
  readonly wholeQuestion: string;
}

/** Cuts the texts of a market into words. */
export function indexedMarket(market: MarketTexts): IndexedMarket {
  const { id, question, eventTitle = '' } = market;
  const terms = termsOf(question);
  const questionWords = indexedWords(terms);
  const titleWords = indexedWords(termsOf(eventTitle));
  const otherWords = [...titleWords, ...nameWords(market), ...slugWords(market, terms)];
  const context = otherWords.filter((word) => !questionWords.includes(word));
  return {
    texts: textsOf(market),
    document: { id, question: questionWords.join(' '), context: context.join(' ') },
    words: [...new Set([...questionWords, ...context])],
    wholeQuestion: terms.join(' '),
  };
}

/** All texts of a market in one, to compare them with those of an earlier snapshot. */
export function textsOf(market: MarketTexts): string {
  return TEXT_FIELDS.map((field) => market[field] ?? '').join('\n');
}

/** The words of the short name, unless the question contains it. */
function nameWords({ question, groupItemTitle = '' }: MarketTexts): readonly string[] {
  return question.includes(groupItemTitle) ? [] : indexedWords(termsOf(groupItemTitle));
}

/** The words that only the slug has. Most of its parts are terms of the question. */
function slugWords({ slug = '' }: MarketTexts, questionTerms: readonly string[]) {
  const newParts = slug.split('-').filter((part) => !questionTerms.includes(part));
  return newParts.length === 0 ? [] : indexedWords(slugTerms(newParts.join('-')));
}

/** The terms without stop words, which would be a third of the index. */
function indexedWords(terms: readonly string[]): readonly string[] {
  return terms.filter((term) => !STOP_WORDS.has(term)).map(singular);
}

/**
 * A term without the ending of a plural, so that "rates" and "rate" are one term. Some results are
 * not words, which does not matter: index and query have the same ones.
 */
export function singular(term: string): string {
  if (term.length < 4 || !term.endsWith('s') || term.endsWith('ss') || term.endsWith('us'))
    return term;
  return /(?:ss|x|ch|sh|zz)es$/.test(term) ? term.slice(0, -2) : term.slice(0, -1);
}
