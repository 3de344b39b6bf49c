import MiniSearch, { type QueryCombination } from 'minisearch';
import { isCategoryKeyword, namesIn, selectedCategories } from '../../../lambda/search/category-members.ts';
import { type Clause, contentTerms, queryClauses } from '../../../lambda/search/clauses.ts';
import { createSearchIndex, type SearchableMarket } from '../../../lambda/search/search-index.ts';
import { maxEdits } from '../../../lambda/search/spelling.ts';
import { fold, hasDigit, queryTerms, slugTerms, textTerms } from '../../../lambda/search/terms.ts';
import { inflections, type Vocabulary } from '../../../lambda/search/vocabulary.ts';

/** The best positions for a query, as many as asked for. */
export type Search = (query: string, limit: number) => readonly number[];

const byScore = (a: { score: number; id: number }, b: { score: number; id: number }) =>
  b.score - a.score || a.id - b.id;
const NEVER_LONGER = /^(?:.|\d{4,}|\d+\.\d+)$/;

/** MiniSearch as its documentation suggests it, with the fields and the tolerance that our search has. */
export function bareMiniSearch(markets: readonly SearchableMarket[]): Search {
  const index = new MiniSearch({ fields: ['question', 'eventTitle', 'slug'], processTerm: fold });
  index.addAll(markets.map((market, id) => ({ ...market, id })));
  const options = { boost: { question: 3, eventTitle: 1.5 }, prefix: true, fuzzy: 0.2 };
  return (query, limit) => {
    const all = index.search(query, { ...options, combineWith: 'AND' });
    const found = all.length > 0 ? all : index.search(query, options);
    const hits = found.map(({ id, score }): { id: number; score: number } => ({ id, score }));
    return hits
      .sort(byScore)
      .slice(0, limit)
      .map(({ id }) => id);
  };
}

/**
 * MiniSearch under this project's word cutting, stop words, synonyms and categories: what docs/adr compares the own
 * engine with. Each document holds a term once, in its best field, which makes it smaller and faster than as it comes.
 */
export function miniSearchUnderOurs(markets: readonly SearchableMarket[]): Search {
  const index = new MiniSearch({
    fields: ['question', 'eventTitle', 'slug'],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term || null,
  });
  const known = new Set<string>();
  markets.forEach(({ question, eventTitle = '', slug = '' }, id) => {
    const seen = new Set<string>();
    const once = (terms: readonly string[]) => {
      const fresh = terms.filter((term) => !seen.has(term));
      for (const term of fresh) seen.add(term);
      return fresh.join(' ');
    };
    index.add({
      id,
      question: once(textTerms(question)),
      eventTitle: once(textTerms(eventTitle)),
      slug: once(slugTerms(slug)),
    });
    for (const term of seen) known.add(term);
  });
  // What `queryClauses` asks of a vocabulary.
  const vocabulary = { has: (term: string) => known.has(term), compoundSplit: splitIn(known) };
  const categories = createSearchIndex(markets);

  const run = (combineWith: 'AND' | 'OR', clauses: readonly Clause[], fuzzy: boolean) => {
    const query: QueryCombination = {
      combineWith,
      queries: clauses.map((clause) => clauseQuery(clause, fuzzy)),
    };
    return index.search(query, {
      boost: { question: 1, eventTitle: 0.6, slug: 0.5 },
      weights: { prefix: 0.6, fuzzy: 0.4 },
      bm25: { k: 0.3, b: 0, d: 0.5 },
    });
  };
  const phrase = (terms: readonly string[], boost: number): QueryCombination => {
    const [term = ''] = terms;
    const forms = terms.length > 1 ? [] : [term, ...inflections(term).filter((form) => known.has(form))];
    return terms.length > 1
      ? { combineWith: 'AND', queries: terms.map((one) => phrase([one], boost)) }
      : { combineWith: 'OR', queries: forms, boostTerm: () => boost };
  };
  const clauseQuery = ({ typed, alternatives }: Clause, fuzzy: boolean): QueryCombination => {
    const queries = [phrase(typed, 1), ...alternatives.map((terms) => phrase(terms, 0.9))];
    const term = typed.length === 1 ? typed[0] : undefined;
    if (term === undefined) return { combineWith: 'OR', queries };
    const prefix = !NEVER_LONGER.test(term);
    const edits = hasDigit(term) ? 0 : maxEdits(term);
    const unknown = !known.has(term) && alternatives.length === 0;
    const forgiven = edits > 0 && (fuzzy || (unknown && index.search(term, { prefix }).length === 0));
    return {
      combineWith: 'OR',
      queries: [...queries, { queries: [term], prefix, fuzzy: forgiven ? edits : false }],
    };
  };
  return (query, limit) => {
    const terms = queryTerms(query).slice(0, 100);
    const content = contentTerms(terms);
    const members = namesIn(selectedCategories(terms)).flatMap((name) => categories.membersOf(name));
    if (members.length > 0) {
      const others = content.filter((term) => !isCategoryKeyword(term));
      const hits = run('OR', queryClauses(others, vocabulary as Vocabulary), false);
      const scores = new Map(hits.map(({ id, score }) => [id, score]));
      const ranked = [...new Set(members)].map((id) => ({ id, score: scores.get(id) ?? 0 }));
      return ranked
        .sort(byScore)
        .slice(0, limit)
        .map(({ id }) => id);
    }
    const clauses = queryClauses(content, vocabulary as Vocabulary);
    let hits = run('AND', clauses, false);
    if (hits.length === 0) hits = run('AND', clauses, true);
    if (hits.length === 0) hits = run('OR', clauses, false);
    const whole = terms.join(' ');
    const ranked = hits.map(({ id, score }): { id: number; score: number } => ({
      id,
      score: textTerms(markets[id]?.question ?? '').join(' ') === whole ? score + 1_000 : score,
    }));
    return ranked
      .sort(byScore)
      .slice(0, limit)
      .map(({ id }) => id);
  };
}

function splitIn(known: ReadonlySet<string>) {
  return (term: string): [string, string][] => {
    if (term.length < 6 || hasDigit(term) || known.has(term)) return [];
    const cuts = Array.from({ length: term.length - 3 }, (_, n) => n + 2);
    return cuts
      .map((cut): [string, string] => [term.slice(0, cut), term.slice(cut)])
      .filter(([left, right]) => known.has(left) && known.has(right));
  };
}
