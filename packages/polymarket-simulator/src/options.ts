import { OptionError } from './faults/reader.ts';
import { LATENCIES, type Latency } from './state.ts';

export { OptionError };

/** Markets of a generated dataset unless told otherwise, and the most there can be. */
export const MARKETS_DEFAULT = 2_500;
export const MARKETS_MOST = 100_000;
export const SEED_DEFAULT = 1;
/** Share of the markets on Protocol V2. */
export const V2_SHARE_DEFAULT = 0.2;

/** Command-line option `name` as a whole number. @throws OptionError with a sentence for the person */
export function wholeOption(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new OptionError(`--${name} must be a whole number from ${min} to ${max}, not "${text}".`);
}

export function portOption(text: string): number {
  return wholeOption('port', text, 0, 65_535);
}

export function marketsOption(text: string): number {
  return wholeOption('markets', text, 1, MARKETS_MOST);
}

export function seedOption(text: string): number {
  return wholeOption('seed', text, 0, 2 ** 32 - 1);
}

/** A share from 0 to 1. */
export function v2ShareOption(text: string): number {
  const share = /^\d(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (share >= 0 && share <= 1) return share;
  throw new OptionError(`--v2-share must be a number from 0 to 1, not "${text}".`);
}

export function latencyOption(text: string): Latency {
  const latency = LATENCIES.find((known) => known === text);
  if (latency !== undefined) return latency;
  throw new OptionError(`--upstream-latency must be ${LATENCIES.join(' or ')}, not "${text}".`);
}

/** The sentence for a failed `listen`, or undefined if it is not the port's fault. */
export function portSentence(error: unknown, port: number): string | undefined {
  const code = errorCode(error);
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop what listens there or choose another with --port.`;
  if (code === 'EACCES')
    return `Port ${port} may not be used by this user: choose one above 1023 with --port.`;
  return undefined;
}

/** The `code` of a system error. Not by `instanceof`: under jest, Node's own errors are of another realm. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
