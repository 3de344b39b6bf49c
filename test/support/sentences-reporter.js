import { readFileSync } from 'node:fs';

/**
 * Fails a run of all tests if a sentence of docs/specification.md has no test that ran, or if a
 * test names a sentence that does not exist. A test names its sentences at the end of its title:
 *
 *     it('a search returns at most 50 results [sentence 25]', …)
 *     it('has the prices of YES [sentences 12, 14]', …)
 */
export default class SentencesReporter {
  #config;
  #error;

  constructor(config) {
    this.#config = config;
  }

  onRunComplete(contexts, results) {
    const { testPathPatterns, testNamePattern, onlyChanged, onlyFailures, projects } = this.#config;
    // A run of some tests cannot say that a sentence has none.
    const isFiltered = testPathPatterns.isSet() || testNamePattern || onlyChanged || onlyFailures;
    if (isFiltered || contexts.size < projects.length || results.wasInterrupted) return;

    const written = sentencesOf(readFileSync('docs/specification.md', 'utf8'));
    const tested = new Set(
      results.testResults
        .flatMap((file) => file.testResults)
        .filter(({ status }) => status === 'passed' || status === 'failed')
        .flatMap(({ fullName }) => numbersIn(fullName)),
    );
    const untested = [...written].filter((number) => !tested.has(number));
    const unknown = [...tested].filter((number) => !written.has(number));
    if (written.size > 0 && untested.length + unknown.length === 0) return;
    this.#error = new Error(
      `docs/specification.md: sentences without a test that ran: ${untested}; unknown: ${unknown}`,
    );
    console.error(`\n${this.#error.message}`);
  }

  /** Jest calls this. An error makes the run fail. */
  getLastError() {
    return this.#error;
  }
}

/** The numbers of the specification's sentences. Each stands before a quotation: `- 33 "…"`. */
function sentencesOf(text) {
  const numbered = text.replace(/\s+/g, ' ').matchAll(/[|·:-] (\d+) (?:\| )?"/g);
  return new Set(Array.from(numbered, ([, number]) => number));
}

/** The numbers that a test's title names, such as 12 and 14 in `[sentences 12, 14]`. */
function numbersIn(name) {
  const tags = name.matchAll(/\[sentences? ([\d, ]+)\]/g);
  return Array.from(tags, ([, numbers]) => numbers.match(/\d+/g) ?? []).flat();
}
