import { postingsIn, type TermTable } from './term-table.ts';
import { slugTerms, textTerms } from './terms.ts';

/** The texts of a market that the search reads. */
export interface MarketTexts {
  readonly question: string;
  readonly slug?: string | undefined;
  readonly eventTitle?: string | undefined;
}

/** Where a term stands in a market, best first: a market counts a term once, in the first of these that holds it. */
export const FIELD = { question: 0, eventTitle: 1, slug: 2 } as const;
const FIELDS = 4;

/** One occurrence of a term: the number of the document times four, plus the field. One number, since they are many. */
export type Posting = number;

export function documentOf(posting: Posting): number {
  return posting >>> 2;
}

export function fieldOf(posting: Posting): number {
  return posting & (FIELDS - 1);
}

/**
 * Which document holds which term, and in which field. A document is the texts of a market under a number of its own.
 * Documents are only ever added, after those of a table if there is one, so that whoever knows the first n of them goes
 * on finding exactly these.
 */
export class Postings {
  readonly #table: TermTable | undefined;
  readonly #byTerm = new Map<string, Posting[]>();
  /** The terms of the added documents that the table does not have, in the order in which they were first seen. */
  readonly newTerms: string[] = [];
  /** Number of terms of each added document's question. */
  readonly #questionTerms: number[] = [];
  /** Dozens of markets share an event and so its title. */
  readonly #titles = new Map<string, readonly string[]>();

  constructor(table?: TermTable) {
    this.#table = table;
  }

  get documents(): number {
    return this.#tableSize + this.#questionTerms.length;
  }

  /** The terms of the table, ascending. */
  get tableTerms(): readonly string[] {
    return this.#table?.terms ?? [];
  }

  /** The occurrences of a term, documents ascending. */
  of(term: string): ArrayLike<Posting> & Iterable<Posting> {
    const [before, added] = [this.#inTable(term), this.#byTerm.get(term)];
    if (added === undefined) return before;
    return before.length === 0 ? added : [...before, ...added];
  }

  has(term: string): boolean {
    return this.#byTerm.has(term) || this.#inTable(term).length > 0;
  }

  questionTerms(document: number): number {
    const size = this.#tableSize;
    if (document < size) return this.#table?.questionTerms[document] ?? 0;
    return this.#questionTerms[document - size] ?? 0;
  }

  /** @returns the number of the new document, and the terms of its question for whom else they are of use. */
  add({ question, eventTitle, slug }: MarketTexts): { document: number; questionTerms: readonly string[] } {
    const document = this.documents;
    const questionTerms = textTerms(question);
    this.#questionTerms.push(questionTerms.length);
    this.#addField(questionTerms, document, FIELD.question);
    if (eventTitle !== undefined) this.#addField(this.#titleTerms(eventTitle), document, FIELD.eventTitle);
    if (slug !== undefined) this.#addField(slugTerms(slug), document, FIELD.slug);
    return { document, questionTerms };
  }

  #addField(terms: readonly string[], document: number, field: number): void {
    for (const term of terms) {
      const postings = this.#byTerm.get(term);
      if (postings === undefined) {
        this.#byTerm.set(term, [document * FIELDS + field]);
        if (this.#inTable(term).length === 0) this.newTerms.push(term);
      }
      // Fields come best first, so a term seen before in this document is already in its best field.
      else if (documentOf(postings.at(-1) ?? 0) !== document) postings.push(document * FIELDS + field);
    }
  }

  get #tableSize(): number {
    return this.#table?.questionTerms.length ?? 0;
  }

  #inTable(term: string): Uint32Array {
    return this.#table ? postingsIn(this.#table, term) : NONE;
  }

  #titleTerms(title: string): readonly string[] {
    const known = this.#titles.get(title);
    if (known !== undefined) return known;
    const terms = textTerms(title);
    this.#titles.set(title, terms);
    return terms;
  }
}

const NONE = new Uint32Array();
