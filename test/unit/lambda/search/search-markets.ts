import { createSearchIndex, type SearchableMarket } from '../../../../lambda/search/search-index.ts';

/** A market with the given question and nothing else that could match. */
export function market(question: string, rest: Partial<SearchableMarket> = {}): SearchableMarket {
  return { id: `0x${question}`, question, tags: [], ...rest };
}

/** Markets of these questions, in list order. */
export function questions(...all: readonly string[]): SearchableMarket[] {
  return all.map((question, position) => market(question, { id: String(position) }));
}

/** The positions found by a query in an index of these markets. */
export function found(markets: readonly SearchableMarket[], query: string, limit = 20): readonly number[] {
  return createSearchIndex(markets).search(query, limit).positions;
}
