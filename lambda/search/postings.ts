import { slugWords, textWords } from './terms.ts';
import { FIELD, type Field, type Posting } from './vocabulary.ts';

/** The texts of a market that the search reads. */
export interface MarketTexts {
  readonly question: string;
  readonly slug?: string | undefined;
  readonly eventTitle?: string | undefined;
}

export interface Postings {
  readonly byWord: ReadonlyMap<string, Posting>;
  /** Positions by the words of the whole question, joined by blanks: equal questions share an entry. */
  readonly byQuestion: ReadonlyMap<string, readonly number[]>;
}

/** Which market holds which word, and in which field. Positions are those of `markets`. */
export function postingsOf(markets: readonly MarketTexts[]): Postings {
  const byWord = new Map<string, Posting>();
  const byQuestion = new Map<string, number[]>();
  // Dozens of markets share an event and so its title.
  const titles = new Map<string, string[]>();

  function add(words: readonly string[], field: Field, position: number): void {
    for (const word of words) {
      const posting = byWord.get(word);
      if (posting === undefined) byWord.set(word, { positions: [position], fields: [field] });
      // Fields come best first, so a word seen before in this market is already in its best field.
      else if (posting.positions.at(-1) !== position) {
        posting.positions.push(position);
        posting.fields.push(field);
      }
    }
  }

  markets.forEach(({ question, eventTitle, slug }, position) => {
    const words = textWords(question);
    add(words, FIELD.question, position);
    const whole = words.join(' ');
    const same = byQuestion.get(whole);
    if (same === undefined) byQuestion.set(whole, [position]);
    else same.push(position);

    if (eventTitle !== undefined) {
      const titleWords = titles.get(eventTitle) ?? textWords(eventTitle);
      titles.set(eventTitle, titleWords);
      add(titleWords, FIELD.eventTitle, position);
    }
    if (slug !== undefined) add(slugWords(slug), FIELD.slug, position);
  });
  return { byWord, byQuestion };
}
