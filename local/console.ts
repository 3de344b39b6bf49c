import type { ServedRequest } from './http-server.ts';

/**
 * Shortens what the functions write to the standard output and the standard error: warnings and errors become one line
 * for a person, and other log lines and metrics are dropped. Everything else passes.
 */
export function shortenLogLines(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      const shorter = typeof chunk === 'string' ? shortLine(chunk) : chunk;
      return shorter === '' || Reflect.apply(write, stream, [shorter, ...rest]);
    };
  }
}

/** `14:03:07  WARN  refresh-snapshot: the sentence (its error)`; empty for a line to drop; other texts as they are. */
export function shortLine(text: string): string {
  if (!/^\{.*("level":|"_aws":).*\}\n$/.test(text)) return text;
  const { level, message, service, error } = JSON.parse(text) as Record<string, string | undefined> & { error?: Error };
  if (level !== 'WARN' && level !== 'ERROR' && level !== 'CRITICAL') return '';
  const [reason] = (error?.message ?? '').split('\n');
  return `${clockTime()}  ${level}  ${service}: ${message}${reason ? ` (${reason})` : ''}\n`;
}

export function printRequest({ method, target, status, durationMs, error }: ServedRequest): void {
  console.log(`${clockTime()}  ${status}  ${method} ${target}  ${durationMs.toFixed(0)} ms`);
  if (error !== undefined) console.error(error);
}

const clockTime = (): string => new Date().toTimeString().slice(0, 8);
