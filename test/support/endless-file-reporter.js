/** The longest file of the unit tests takes half a minute on a busy machine. */
const MOST_MS = 5 * 60_000;

/** Ends a run that would not end: Node itself runs the unit tests, and gives none of them a time-out (ADR 30). */
export default class EndlessFileReporter {
  #timers = new Map();

  onTestFileStart({ path, context }) {
    if (context.config.displayName?.name !== 'unit') return;
    this.#timers.set(path, setTimeout(endRun, MOST_MS, path));
  }

  onTestFileResult({ path }) {
    clearTimeout(this.#timers.get(path));
  }
}

function endRun(path) {
  console.error(`${path} has not ended after ${MOST_MS / 60_000} minutes`);
  process.exit(1);
}
