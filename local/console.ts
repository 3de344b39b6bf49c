/** What the local commands print: short log lines, requests, progress and sizes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../lambda/core/domain/time.ts';
import type { ServedRequest } from './http-server.ts';

/** The same line is printed again only after this time. */
const REPEAT_MS = MINUTE_MS;
/** Longer than a signal takes between processes. */
const SIGNAL_MS = 100;

/** The parts of the functions' log lines that are printed. Each line has some of them. */
interface LogLine {
  readonly level?: string;
  readonly service?: string;
  readonly message?: string;
  /** The name of an upstream, such as `clob`. */
  readonly upstream?: string;
  readonly route?: string;
  readonly failure?: string;
  readonly status?: number;
  readonly code?: string;
  readonly reason?: string;
  readonly error?: { readonly message?: string };
}

/**
 * From now on, shortens all log lines that this process writes to its two outputs: a warning or
 * error becomes one readable line. Drops other log lines and metrics; other text passes.
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
 * Makes a function that shortens one line. For a warning or an error it returns the time and a
 * sentence. For other levels, metrics and repetitions within a minute it returns an empty text. It
 * returns text that is not a log line unchanged.
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
    if (!/^(WARN|ERROR|CRITICAL)$/.test(line.level ?? '')) return '';
    const sentence = sentenceOf(line, hosts);
    const isRepeated = now() - (printedAt.get(sentence) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS;
    if (isRepeated) return '';
    printedAt.set(sentence, now());
    return `${clockTime()}  ${sentence}\n`;
  };
}

/** `WARN  refresh-snapshot: Upstream call failed (gamma.test, markets-keyset, status 500)`. */
function sentenceOf(
  { level, service, message, upstream = '', route, failure, status, code, reason, error }: LogLine,
  hosts: Readonly<Record<string, string>>,
): string {
  const result = status === undefined ? failure : `status ${status}`;
  const parts = [hosts[upstream], route, result, code, reason, error?.message];
  const [details] = parts
    .filter((part) => part)
    .join(', ')
    .split('\n');
  return `${level}  ${service}: ${message}${details ? ` (${details})` : ''}`;
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
