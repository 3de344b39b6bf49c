import { CATEGORIES, type Category } from './categories.ts';
import { FIELD, type Vocabulary } from './vocabulary.ts';

const BY_KEYWORD: ReadonlyMap<string, Category> = new Map(
  CATEGORIES.flatMap((category) =>
    category.keywords.map((keyword): [string, Category] => [keyword, category]),
  ),
);

/**
 * The categories that the words of a query select (design 2.2, rule 1): whole words only, so "technical",
 * "sportsbook" and "selection" select none.
 */
export function selectedCategories(words: readonly string[]): Set<Category> {
  return new Set(words.flatMap((word) => BY_KEYWORD.get(word) ?? []));
}

/** Whether a word of a query is spent on selecting its category. */
export function isCategoryKeyword(word: string): boolean {
  return BY_KEYWORD.has(word);
}

/**
 * The markets of each category (design 2.2, rule 2): by an upstream tag slug (any case), or by a whole word of the
 * question.
 *
 * @param tags tag slugs of each market, by position.
 * @returns positions ascending, which is volume descending.
 */
export function categoryMembers(
  tags: readonly (readonly string[])[],
  vocabulary: Vocabulary,
): ReadonlyMap<Category, readonly number[]> {
  const members = new Map(CATEGORIES.map((category) => [category, new Set<number>()]));
  const byTag = new Map<string, Set<number>[]>();
  for (const [category, positions] of members) {
    for (const tag of category.tags) byTag.set(tag, [...(byTag.get(tag) ?? []), positions]);
    for (const entry of [...category.keywords, ...category.questionWords]) {
      for (const position of questionsWith(entry.split(' '), vocabulary)) positions.add(position);
    }
  }
  tags.forEach((slugs, position) => {
    for (const slug of slugs) {
      for (const positions of byTag.get(slug.toLowerCase()) ?? []) positions.add(position);
    }
  });
  return new Map(
    [...members].map(([category, positions]) => [category, [...positions].sort((a, b) => a - b)]),
  );
}

/** Positions of the questions that hold all of the words. */
function questionsWith(words: readonly string[], vocabulary: Vocabulary): number[] {
  const [first = [], ...rest] = words.map((word) => {
    const posting = vocabulary.posting(word);
    return posting?.positions.filter((_, index) => posting.fields[index] === FIELD.question) ?? [];
  });
  const others = rest.map((positions) => new Set(positions));
  return first.filter((position) => others.every((positions) => positions.has(position)));
}
