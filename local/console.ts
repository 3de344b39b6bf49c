import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../lambda/core/domain/time.ts';
import type { ServedRequest } from './http-server.ts';

const REPEAT_MS = MINUTE_MS;
/** Longer than a signal takes between processes. */
const SIGNAL_MS = 100;

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
    if (!/^\{.*("level":|"_aws":).*\}\n$/.test(text)) return text;
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
    const how = status === undefined ? failure : `status ${status}`;
    const details = [hosts[upstream], route, how, code, reason, error?.message].filter(
      (detail) => detail,
    );
    const [where] = details.join(', ').split('\n');
    const sentence = `${level}  ${service}: ${message}${where ? ` (${where})` : ''}`;
    if (now() - (printedAt.get(sentence) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return '';
    printedAt.set(sentence, now());
    return `${clockTime()}  ${sentence}\n`;
  };
}

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
/** In a file, one line a second would be too many. */
const PROGRESS_IN_FILE_MS = 15_000;

/**
 * Prints how far a long command is: on a terminal in one line that changes once a second.
 *
 * @returns a function that ends it
 */
export function printProgress(text: () => string): () => void {
  const { stdout } = process;
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

const clockTime = (): string => new Date().toTimeString().slice(0, 8);
