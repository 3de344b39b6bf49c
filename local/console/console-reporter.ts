import type { LocalService } from '../local-service.ts';
import type { LogEvent, RefreshOutcome } from '../service-events.ts';
import { duration, logLine, printable, size, timeOfDay } from './format.ts';

/** Lines at INFO that are for people; the refresher's log has them. */
const PROGRESS = 'Refresh progress';
const PUBLISHED = 'Snapshot published';
/** What of it is worth a glance every two minutes; --verbose shows all. */
const PUBLISHED_KEYS = ['kind', 'markets', 'skipped', 'durationMs', 'snapshotId'];
/** A price run looks at no catalogue. */
const PRICES_KEYS = PUBLISHED_KEYS.filter((key) => key !== 'skipped');

/**
 * Tells the person at the terminal what the service does. Much of it quotes the upstream, whose pages may hold
 * sequences that a terminal obeys: they are made harmless.
 */
export class ConsoleReporter {
  readonly #write: (text: string) => void;
  readonly #verbose: boolean;
  #firstRefreshEnded = false;
  /** Whether the run that goes on has said how it went. */
  #toldOutcome = false;
  /** Problems told since the end of the last run, and how often they came. */
  readonly #problems = new Map<string, number>();

  constructor(write: (text: string) => void, verbose: boolean) {
    this.#write = write;
    this.#verbose = verbose;
  }

  /** A line with the time of day before it. */
  tell(text: string): void {
    this.#write(`${timeOfDay(new Date())} ${printable(text)}\n`);
  }

  /** A line as it is. */
  print(text: string): void {
    this.#write(`${printable(text)}\n`);
  }

  /** Does some work and tells how long it took. */
  async step<Result>(work: Promise<Result>, describe: (result: Result) => string): Promise<Result> {
    const started = performance.now();
    const result = await work;
    this.tell(`${describe(result)} (${duration(performance.now() - started)})`);
    return result;
  }

  follow(service: LocalService): void {
    service.on('request', ({ method, target, status, bytes, durationMs, via }) => {
      const inner = via === 'api' && service.publicKey === undefined ? ' (inner API)' : '';
      this.tell(`${method} ${target} ${status} ${size(bytes)} ${duration(durationMs)}${inner}`);
    });
    service.on('log', (event) => this.#log(event));
    service.on('refresh', (outcome) => this.#refresh(outcome));
    if (this.#verbose) service.on('metric', ({ data }) => this.tell(JSON.stringify(data)));
  }

  #log(event: LogEvent): void {
    const problem = event.level !== 'INFO' && event.level !== 'DEBUG' && event.level !== 'TRACE';
    if (event.refresher && (event.message === PUBLISHED || event.level === 'ERROR')) this.#toldOutcome = true;
    if (this.#verbose) this.tell(event.raw);
    else if (problem) this.#problem(`${event.level} ${logLine(event.message, event.keys)}`);
    else if (event.refresher && this.#isForPeople(event.message))
      this.tell(logLine(event.message, glance(event)));
  }

  /** A dead route is told of by hundreds of equal lines: the first one, and at the end of the run how many more. */
  #problem(line: string): void {
    const told = this.#problems.get(line);
    if (told === undefined) this.tell(line);
    this.#problems.set(line, (told ?? 0) + 1);
  }

  #tellRepetitions(): void {
    for (const [line, times] of this.#problems) if (times > 1) this.tell(`${times - 1} more: ${line}`);
    this.#problems.clear();
  }

  #isForPeople(message: string): boolean {
    return message === PUBLISHED || (message === PROGRESS && !this.#firstRefreshEnded);
  }

  /** The function's own line says it already, as a rule. */
  #refresh({ ok, durationMs, error }: RefreshOutcome): void {
    this.#tellRepetitions();
    if (!this.#toldOutcome) {
      const took = duration(durationMs);
      this.tell(
        ok ? `Refresh ended without a new snapshot (${took})` : `Refresh failed after ${took}: ${error}`,
      );
    }
    this.#toldOutcome = false;
    this.#firstRefreshEnded = true;
  }
}

function glance({ message, keys }: LogEvent): Readonly<Record<string, unknown>> {
  if (message !== PUBLISHED) return keys;
  const told = keys.kind === 'prices' ? PRICES_KEYS : PUBLISHED_KEYS;
  return Object.fromEntries(told.flatMap((key) => (key in keys ? [[key, keys[key]]] : [])));
}
