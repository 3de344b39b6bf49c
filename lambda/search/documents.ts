import { type CategorySet, categoriesOfQuestion } from './category-members.ts';
import { type MarketTexts, Postings } from './postings.ts';
import type { IndexedTexts } from './term-table.ts';
import { Vocabulary } from './vocabulary.ts';

/** A market whose texts can be told from those of others. */
export interface IdentifiedTexts extends MarketTexts {
  /** Condition id. */
  readonly id: string;
}

interface Document extends MarketTexts {
  readonly number: number;
}

/**
 * The texts of all markets that an index has seen, each under the number of its document: those of a table that was made
 * before, if there is one, and those that came since. A market keeps its document from snapshot to snapshot as long as
 * its texts stay; with new texts it gets a new one.
 */
export class Documents {
  readonly postings: Postings;
  readonly vocabulary: Vocabulary;
  readonly #indexed: IndexedTexts | undefined;
  readonly #byId = new Map<string, Document>();
  /** Of the documents that the table does not have, by number. */
  readonly #questions: string[] = [];
  readonly #categories: CategorySet[] = [];

  constructor(indexed?: IndexedTexts) {
    this.#indexed = indexed;
    this.postings = new Postings(indexed?.table);
    this.vocabulary = new Vocabulary(this.postings);
  }

  /** The document of a market that is not in the table; a new one where its texts are new. */
  numberOf(market: IdentifiedTexts): number {
    const known = this.#byId.get(market.id);
    return known !== undefined && sameTexts(known, market) ? known.number : this.add(market);
  }

  /** Whether the document is one of the table, whose texts and tags never change. */
  isIndexed(document: number): boolean {
    return document < this.#tableSize;
  }

  question(document: number): string {
    if (this.isIndexed(document)) return this.#indexed?.question(document) ?? '';
    return this.#questions[document - this.#tableSize] ?? '';
  }

  /** The categories that the question of a document belongs to; of one of the table, those of its tags as well. */
  categories(document: number): CategorySet {
    if (this.isIndexed(document)) return this.#indexed?.table.categories[document] ?? 0;
    return this.#categories[document - this.#tableSize] ?? 0;
  }

  /** The new document of a market. The vocabulary is to be updated afterwards. */
  add(market: IdentifiedTexts): number {
    const { document, questionTerms } = this.postings.add(market);
    const { id, question, eventTitle, slug } = market;
    this.#byId.set(id, { number: document, question, eventTitle, slug });
    this.#questions.push(question);
    this.#categories.push(categoriesOfQuestion(questionTerms));
    return document;
  }

  get #tableSize(): number {
    return this.#indexed?.table.categories.length ?? 0;
  }
}

function sameTexts(a: MarketTexts, b: MarketTexts): boolean {
  return a.question === b.question && a.slug === b.slug && a.eventTitle === b.eventTitle;
}
