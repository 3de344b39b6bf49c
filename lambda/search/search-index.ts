import type { Category } from './categories.ts';
import { categoryMembers, isCategoryKeyword, selectedCategories } from './category-members.ts';
import { Hits, matchUnit } from './clause-matcher.ts';
import { type QueryUnit, queryUnits, tellingWords } from './clauses.ts';
import { type MarketTexts, postingsOf } from './postings.ts';
import { queryWords } from './terms.ts';
import { bestFirst } from './top-k.ts';
import { Vocabulary } from './vocabulary.ts';

/** What the search reads of a market. */
export interface SearchableMarket extends MarketTexts {
  /** Upstream tag slugs, e.g. `fed-rates`. */
  readonly tags: readonly string[];
  /** USD. Said for the caller's sake: the search takes the order of the list for it. */
  readonly volume: number;
}

export interface SearchIndex {
  /**
   * @param query free text of any length and script.
   * @param limit results wanted, at least 1; below that (or not a number) there are none.
   * @returns positions in the indexed list without repeats, best first: relevance, then volume (design 2.2). Empty
   *   when nothing matches or the query has nothing to search for. Never throws.
   */
  search(query: string, limit: number): number[];
}

/** A query has at most 200 characters, so at most 100 words with blanks between them; more would only cost time. */
const MOST_WORDS = 100;
/** Order markets whose words matched alike; too small to overtake a better match. */
const PER_CATEGORY = 1e-3;
const KEYWORD_IN_TEXT = 1e-5;
/** Puts a market whose whole question was typed before others that merely hold the same words. */
const WHOLE_QUESTION = 1e3;

/** How well each market, by position, answers the units of a query. */
interface Scores {
  readonly sum: Float64Array;
  /** Number of units found in the market. */
  readonly found: Uint16Array;
}

/**
 * Builds the search over the markets of a snapshot (design 2.2).
 *
 * @param markets in list order: volume descending, so that a lower position means more volume.
 */
export function createSearchIndex(markets: readonly SearchableMarket[]): SearchIndex {
  return new MarketSearch(markets);
}

class MarketSearch implements SearchIndex {
  readonly #markets: number;
  readonly #vocabulary: Vocabulary;
  readonly #members: ReadonlyMap<Category, readonly number[]>;
  readonly #byQuestion: ReadonlyMap<string, readonly number[]>;

  constructor(markets: readonly SearchableMarket[]) {
    const { byWord, byQuestion } = postingsOf(markets);
    this.#markets = markets.length;
    this.#vocabulary = new Vocabulary(byWord);
    this.#byQuestion = byQuestion;
    this.#members = categoryMembers(
      markets.map((market) => market.tags),
      this.#vocabulary,
    );
  }

  search(query: string, limit: number): number[] {
    const words = queryWords(query).slice(0, MOST_WORDS);
    if (words.length === 0) return [];
    const members = this.#membersOfSelected(words);
    return members.size > 0 ? this.#searchIn(members, words, limit) : this.#searchText(words, limit);
  }

  /**
   * Everything in the selected categories, those that match the other words first. With several categories their
   * union, not their intersection, so that naming one more never hides a market; the markets in most of them lead.
   */
  #searchIn(members: ReadonlyMap<number, number>, words: readonly string[], limit: number): number[] {
    const telling = tellingWords(words);
    const units = queryUnits(
      telling.filter((word) => !isCategoryKeyword(word)),
      this.#vocabulary,
    );
    const scores = this.#scores(units, false);
    const keywords = telling.filter(isCategoryKeyword).map((word) => ({ typed: [word], alternatives: [] }));
    // "presidential election newsom" means the election rather than the nomination, which is a member as well.
    const keywordScores = this.#scores(units.length > 0 ? keywords : [], false);
    const relevance = this.#relevance(scores, units.length, words);
    const score = (position: number): number =>
      relevance(position) +
      PER_CATEGORY * (members.get(position) ?? 0) +
      (scores.found[position] ? KEYWORD_IN_TEXT * (keywordScores.sum[position] ?? 0) : 0);
    return bestFirst(members.keys(), score, limit);
  }

  /** The markets that hold all words; else those that do when typos are forgiven; else those that hold any. */
  #searchText(words: readonly string[], limit: number): number[] {
    const units = queryUnits(tellingWords(words), this.#vocabulary);
    const asSpelled = this.#scores(units, false);
    let scores = asSpelled;
    let positions = withAtLeast(units.length, asSpelled);
    if (positions.length === 0) {
      scores = this.#scores(units, true);
      positions = withAtLeast(units.length, scores);
    }
    if (positions.length === 0) {
      scores = asSpelled;
      positions = withAtLeast(1, asSpelled);
    }
    return bestFirst(positions, this.#relevance(scores, units.length, words), limit);
  }

  /** Sum over the units of worth × rarity: a unit that few markets hold says more about what is meant. */
  #scores(units: readonly QueryUnit[], forgiving: boolean): Scores {
    const scores = { sum: new Float64Array(this.#markets), found: new Uint16Array(this.#markets) };
    const hits = new Hits(this.#markets);
    for (const unit of units) {
      const holders = matchUnit(unit, this.#vocabulary, hits, forgiving);
      const rarity = Math.log(1 + this.#markets / Math.max(1, holders));
      for (const position of hits.touched) {
        scores.sum[position] = (scores.sum[position] ?? 0) + rarity * hits.worth(position);
        scores.found[position] = (scores.found[position] ?? 0) + 1;
      }
    }
    return scores;
  }

  /** A market that holds more of the units is worth more than the sum says, so the sum counts by their share. */
  #relevance({ sum, found }: Scores, units: number, words: readonly string[]): (position: number) => number {
    const whole = new Set(this.#byQuestion.get(words.join(' ')));
    return (position) =>
      ((sum[position] ?? 0) * (found[position] ?? 0)) / Math.max(1, units) +
      (whole.has(position) ? WHOLE_QUESTION : 0);
  }

  /** Position to the number of selected categories it is in. Empty when none is selected, or those are empty. */
  #membersOfSelected(words: readonly string[]): Map<number, number> {
    const members = new Map<number, number>();
    for (const category of selectedCategories(words)) {
      for (const position of this.#members.get(category) ?? []) {
        members.set(position, (members.get(position) ?? 0) + 1);
      }
    }
    return members;
  }
}

function withAtLeast(units: number, { found }: Scores): number[] {
  const positions: number[] = [];
  for (let position = 0; position < found.length; position += 1) {
    if ((found[position] ?? 0) >= units) positions.push(position);
  }
  return positions;
}
