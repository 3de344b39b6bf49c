import { CATEGORIES, CATEGORY_NAMES, type CategoryName } from './categories.ts';

/** A set of categories as bits, in the order of {@link CATEGORY_NAMES}. */
export type CategorySet = number;

interface Entry {
  readonly terms: readonly string[];
  /** The categories it makes a question belong to; none for a name that only means something else. */
  readonly categories: CategorySet;
}

const BY_TAG = new Map<string, CategorySet>();
const BY_KEYWORD = new Map<string, CategorySet>();
/** Entries of question words by their first term, the longest first. */
const BY_FIRST_TERM = new Map<string, Entry[]>();

for (const { name, tags, keywords, questionWords, names = [] } of CATEGORIES) {
  const bit = setOf(name);
  for (const tag of tags) BY_TAG.set(tag, (BY_TAG.get(tag) ?? 0) | bit);
  for (const keyword of keywords) BY_KEYWORD.set(keyword, bit);
  for (const entry of [...keywords, ...questionWords]) addEntry(entry, bit);
  for (const entry of names) addEntry(entry, 0);
}

function addEntry(entry: string, categories: CategorySet): void {
  const terms = entry.split(' ');
  const [first = ''] = terms;
  const entries = [...(BY_FIRST_TERM.get(first) ?? []), { terms, categories }];
  BY_FIRST_TERM.set(
    first,
    entries.sort((a, b) => b.terms.length - a.terms.length),
  );
}

/** The set of one category. */
export function setOf(name: CategoryName): CategorySet {
  return 1 << CATEGORY_NAMES.indexOf(name);
}

/** The names in a set, in the order of {@link CATEGORY_NAMES}. */
export function namesIn(set: CategorySet): CategoryName[] {
  return CATEGORY_NAMES.filter((name) => (set & setOf(name)) !== 0);
}

/** The categories that a market is in by its upstream tag slugs, in any case. */
export function categoriesOfTags(tags: readonly string[]): CategorySet {
  let set = 0;
  for (const tag of tags) set |= BY_TAG.get(tag) ?? BY_TAG.get(tag.toLowerCase()) ?? 0;
  return set;
}

/** The categories that a market is in by whole terms of its question, entries of several terms standing together. */
export function categoriesOfQuestion(terms: readonly string[]): CategorySet {
  let set = 0;
  for (let index = 0; index < terms.length; ) {
    const entry = entryAt(terms, index);
    set |= entry?.categories ?? 0;
    // Only a name hides the terms it holds: "AI semiconductor" and "super bowl" hide nothing that matters.
    index += entry?.categories === 0 ? entry.terms.length : 1;
  }
  return set;
}

/** What stands at this place of the question: a name before the words in it, a longer entry before a shorter. */
function entryAt(terms: readonly string[], index: number): Entry | undefined {
  return BY_FIRST_TERM.get(terms[index] ?? '')?.find((entry) =>
    entry.terms.every((term, offset) => terms[index + offset] === term),
  );
}

/**
 * The categories that the terms of a query select: whole terms only, so "technical", "sportsbook" and "selection"
 * select none, nor does a keyword inside a name ("texas tech").
 */
export function selectedCategories(terms: readonly string[]): CategorySet {
  let set = 0;
  for (const keyword of terms.filter((_, index) => selectsAt(terms, index))) {
    set |= BY_KEYWORD.get(keyword) ?? 0;
  }
  return set;
}

/** Whether a term of a query is spent on selecting its category. */
export function isCategoryKeyword(term: string): boolean {
  return BY_KEYWORD.has(term);
}

function selectsAt(terms: readonly string[], index: number): boolean {
  if (!isCategoryKeyword(terms[index] ?? '')) return false;
  for (let start = Math.max(0, index - 3); start < index; start += 1) {
    const entry = entryAt(terms, start);
    if (entry?.categories === 0 && start + entry.terms.length > index) return false;
  }
  return true;
}
