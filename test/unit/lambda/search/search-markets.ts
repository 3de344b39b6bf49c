import type { SearchableMarket } from '../../../../lambda/search/search-index.ts';

/** A market with the given question and nothing else that could match. */
export function market(question: string, rest: Partial<SearchableMarket> = {}): SearchableMarket {
  return { question, tags: [], volume: 0, ...rest };
}

/** Markets of these questions, in list order. */
export function questions(...all: readonly string[]): SearchableMarket[] {
  return all.map((question) => market(question));
}
