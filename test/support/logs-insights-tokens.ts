/** Strings, regular expressions, names and numbers, comparisons, and single signs. */
const TOKEN = /\s*("(?:[^"\\]|\\.)*"|\/(?:[^/\\\s]|\\.| (?=[^/]*\/))+\/|[@\w.]+|!=|<=|>=|[=<>()[\],*/])/y;

/** The words of a command of a query, from left to right. */
export class Tokens {
  readonly #words: readonly string[];
  #at = 0;

  /** @throws Error where nothing of the language stands */
  constructor(text: string) {
    const words: string[] = [];
    TOKEN.lastIndex = 0;
    for (let at = 0; at < text.trimEnd().length; at = TOKEN.lastIndex) {
      const found = TOKEN.exec(text);
      if (found === null) throw new Error(`Not of the language of Logs Insights: ${text.slice(at)}`);
      words.push(found[1] ?? '');
    }
    this.#words = words;
  }

  get next(): string | undefined {
    return this.#words[this.#at];
  }

  take(): string {
    const word = this.next;
    if (word === undefined) throw new Error(`Something is missing after: ${this.#words.join(' ')}`);
    this.#at += 1;
    return word;
  }

  /** Whether this comes next; if so, it is taken. */
  takes(word: string): boolean {
    if (this.next !== word) return false;
    this.#at += 1;
    return true;
  }

  expect(word: string): void {
    if (!this.takes(word))
      throw new Error(`"${word}" is missing before "${this.next}": ${this.#words.join(' ')}`);
  }

  oneOf(...words: readonly string[]): string {
    const word = this.take();
    if (!words.includes(word)) throw new Error(`"${word}" is none of ${words.join(', ')}`);
    return word;
  }

  /** The name of a field, a function or a column. */
  word(): string {
    const word = this.take();
    if (!/^[@\w.]+$/.test(word)) throw new Error(`"${word}" is no name: ${this.#words.join(' ')}`);
    return word;
  }

  number(): number {
    const word = this.take();
    if (!/^\d+(\.\d+)?$/.test(word)) throw new Error(`"${word}" is no number: ${this.#words.join(' ')}`);
    return Number(word);
  }

  /** What is separated by commas, at least one. */
  list<T>(read: () => T): T[] {
    const items = [read()];
    while (this.takes(',')) items.push(read());
    return items;
  }

  /** @throws Error when there is more */
  end(): void {
    if (this.next !== undefined) throw new Error(`"${this.next}" is too much: ${this.#words.join(' ')}`);
  }
}
