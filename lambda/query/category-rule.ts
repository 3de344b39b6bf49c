import { type CategorySet, categoriesOfQuestion, categoriesOfTags } from '../search/category-members.ts';
import { textTerms } from '../search/terms.ts';

/** Questions whose categories are remembered: from one snapshot to the next hardly any is new. */
const MOST_REMEMBERED = 100_000;
const remembered = new Map<string, CategorySet>();

/** The rule of the search (design 2.2, rule 2): an upstream tag in any case, or whole words of the question. */
export function categoriesOf(question: string, tags: readonly string[]): CategorySet {
  return categoriesOfTags(tags) | ofQuestion(question);
}

function ofQuestion(question: string): CategorySet {
  const known = remembered.get(question);
  if (known !== undefined) return known;
  const set = categoriesOfQuestion(textTerms(question));
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(question, set);
  return set;
}
