/** What the local commands print: short log lines, requests, progress and sizes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../lambda/core/domain/time.ts';
import type { ServedRequest } from './http-server.ts';

/** The same line is printed again only after this time. */
const REPEAT_MS = MINUTE_MS;
/** Longer than a signal takes between processes. */
const SIGNAL_MS = 100;

/** The parts of the functions' log lines that are printed. */
type LogLine = Readonly<
  Partial<
    Record<
      'level' | 'message' | 'service' | 'upstream' | 'route' | 'failure' | 'code' | 'reason',
      string
    >
  >
> & { readonly status?: number; readonly error?: { readonly message?: string } };

/**
 * Shortens log lines on both outputs: a warning or error becomes one readable line. Drops other log
 * lines and metrics; other text passes.
 *
 * @param hosts of the upstreams, by their names in the log
 */
export function shortenLogLines(hosts: Readonly<Record<string, string>>): void {
  const shorten = lineShortener(hosts, Date.now);
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      const shorter = typeof chunk === 'string' ? shorten(chunk) : chunk;
      return shorter === '' || Reflect.apply(write, stream, [shorter, ...rest]);
    };
  }
}

/**
 * Makes a function that shortens one line. It returns `14:03:07 WARN refresh-snapshot: the sentence
 * (host, route, status, reason)` for a log line.
 *
 * For other levels and for repetitions within a minute it returns an empty text. It returns other
 * text unchanged.
 */
export function lineShortener(
  hosts: Readonly<Record<string, string>>,
  now: () => number,
): (text: string) => string {
  const printedAt = new Map<string, number>();
  return (text) => {
    const isLogOrMetric = /^\{.*("level":|"_aws":).*\}\n$/.test(text);
    if (!isLogOrMetric) return text;
    const line = JSON.parse(text) as LogLine;
    const {
      level = '',
      message,
      service,
      upstream = '',
      route,
      failure,
      status,
      code,
      reason,
      error,
    } = line;
    if (level !== 'WARN' && level !== 'ERROR' && level !== 'CRITICAL') return '';
    const result = status === undefined ? failure : `status ${status}`;
    const known = [hosts[upstream], route, result, code, reason, error?.message].filter(
      (detail) => detail,
    );
    const [details] = known.join(', ').split('\n');
    const sentence = `${level}  ${service}: ${message}${details ? ` (${details})` : ''}`;
    if (now() - (printedAt.get(sentence) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return '';
    printedAt.set(sentence, now());
    return `${clockTime()}  ${sentence}\n`;
  };
}

/** Prints a line for a request: `14:03:07  200  GET /api/markets  12 ms`. */
export function printRequest({ method, target, status, durationMs, error }: ServedRequest): void {
  console.log(`${clockTime()}  ${status}  ${method} ${target}  ${durationMs.toFixed(0)} ms`);
  if (error !== undefined) void printError(error);
}

/**
 * Prints an error after a moment. Ctrl-C also ends esbuild's process, whose error arrives before
 * the signal. Then this prints nothing.
 */
export async function printError(error: unknown): Promise<void> {
  await sleep(SIGNAL_MS);
  console.error(error);
}

const PROGRESS_MS = 1_000;
/** If the output is a file, one line a second would be too many. */
const PROGRESS_IN_FILE_MS = 15_000;

/**
 * Prints how far a long command is: on a terminal in one line that changes once a second.
 *
 * @returns a function that ends it
 */
export function printProgress(text: () => string): () => void {
  const { stdout } = process;
  // A terminal clears its line and stays in it.
  const [start, end] = stdout.isTTY ? ['\r\x1b[2K', ''] : ['', '\n'];
  const print = (): boolean => stdout.write(`${start}${text()}${end}`);
  const timer = setInterval(print, stdout.isTTY ? PROGRESS_MS : PROGRESS_IN_FILE_MS);
  return () => {
    clearInterval(timer);
    stdout.write(`${start}${text()}\n`);
  };
}

/** `400 bytes`, `12.3 KB`, `1.2 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return plural(bytes, 'byte');
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** `1 gap`, `2,000 markets`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The local time: `14:03:07`. */
const clockTime = (): string => new Date().toTimeString().slice(0, 8);
