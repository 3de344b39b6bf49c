import { categoriesOfTags } from './category-members.ts';
import { Documents, type IdentifiedTexts } from './documents.ts';
import type { TermTable } from './term-table.ts';

/** What a table reads of a market. */
export interface TaggedTexts extends IdentifiedTexts {
  readonly tags: readonly string[];
}

/** The terms of some markets; the document of each is its place among them. */
export function termTableOf(markets: readonly TaggedTexts[]): TermTable {
  const documents = new Documents();
  for (const market of markets) documents.add(market);
  const { postings } = documents;
  const terms = postings.newTerms.toSorted();
  const starts = new Uint32Array(terms.length + 1);
  for (const [n, term] of terms.entries()) starts[n + 1] = (starts[n] ?? 0) + postings.of(term).length;
  const flat = new Uint32Array(starts.at(-1) ?? 0);
  for (const [n, term] of terms.entries()) flat.set(postings.of(term), starts[n]);
  return {
    terms,
    starts,
    postings: flat,
    questionTerms: Uint32Array.from(markets, (_, document) => postings.questionTerms(document)),
    categories: Uint8Array.from(
      markets,
      ({ tags }, document) => categoriesOfTags(tags) | documents.categories(document),
    ),
  };
}
