import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { UnixMs } from '../../lambda/core/domain/time.ts';

/** The history of a token, or why there is none. */
export interface JournalEntry {
  readonly token: string;
  /** The start of the run that read it. */
  readonly asOf: UnixMs;
  /** The market is resolved, so later runs need not read it again. */
  readonly isFinal: boolean;
  /** Unix seconds, and prices from 0 to 1. */
  readonly times: readonly number[];
  readonly prices: readonly number[];
  readonly failure?: string;
}

/**
 * The histories that runs have read, one line each. The file only grows, so a kill loses at most a
 * part of its last line.
 */
export class Journal {
  readonly #path: string;
  readonly #entries = new Map<string, JournalEntry>();

  private constructor(path: string) {
    this.#path = path;
  }

  /** The entries of a run, and final ones of earlier runs. Removes all others from the file. */
  static open(path: string, asOf: UnixMs): Journal {
    const journal = new Journal(path);
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    const end = bytes.lastIndexOf('\n') + 1;
    let start = 0;
    let others = 0;
    while (start < end) {
      const next = bytes.indexOf('\n', start) + 1;
      const entry: JournalEntry = JSON.parse(bytes.toString('utf8', start, next));
      start = next;
      if (entry.isFinal || entry.asOf === asOf) journal.#entries.set(entry.token, entry);
      else others += 1;
    }
    if (others > 0) {
      writeFileSync(`${path}.draft`, '');
      for (const entry of journal.#entries.values()) appendFileSync(`${path}.draft`, line(entry));
      renameSync(`${path}.draft`, path);
    } else if (end < bytes.length) truncateSync(path, end);
    return journal;
  }

  get(token: string): JournalEntry | undefined {
    return this.#entries.get(token);
  }

  add(entry: JournalEntry): void {
    appendFileSync(this.#path, line(entry));
    this.#entries.set(entry.token, entry);
  }
}

const line = (entry: JournalEntry): string => `${JSON.stringify(entry)}\n`;
