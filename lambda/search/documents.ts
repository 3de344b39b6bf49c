import { type CategorySet, categoriesOfQuestion } from './category-members.ts';
import { type MarketTexts, Postings } from './postings.ts';
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
 * The texts of all markets that an index has seen, each under the number of its document. A market keeps its document
 * from snapshot to snapshot as long as its texts stay; with new texts it gets a new one.
 */
export class Documents {
  readonly postings = new Postings();
  readonly vocabulary = new Vocabulary(this.postings);
  readonly #byId = new Map<string, Document>();
  /** By document. */
  readonly #questions: string[] = [];
  readonly #categories: CategorySet[] = [];

  /** The document of each market, in the order of the markets; new ones are added. */
  numbersOf(markets: readonly IdentifiedTexts[]): Int32Array {
    const numbers = Int32Array.from(markets, (market) => {
      const known = this.#byId.get(market.id);
      return known !== undefined && sameTexts(known, market) ? known.number : this.#add(market);
    });
    this.vocabulary.update();
    return numbers;
  }

  question(document: number): string {
    return this.#questions[document] ?? '';
  }

  /** The categories that the question of a document belongs to. */
  categories(document: number): CategorySet {
    return this.#categories[document] ?? 0;
  }

  #add(market: IdentifiedTexts): number {
    const { document, questionTerms } = this.postings.add(market);
    const { id, question, eventTitle, slug } = market;
    this.#byId.set(id, { number: document, question, eventTitle, slug });
    this.#questions.push(question);
    this.#categories.push(categoriesOfQuestion(questionTerms));
    return document;
  }
}

function sameTexts(a: MarketTexts, b: MarketTexts): boolean {
  return a.question === b.question && a.slug === b.slug && a.eventTitle === b.eventTitle;
}
