import { type ParseArgsConfig, parseArgs } from 'node:util';
import { OptionError } from './faults.ts';

export interface SimulatorOptions {
  /** 0: any free port. @default 0 */
  readonly port?: number | undefined;
  /** Number of generated markets. @default 2500 */
  readonly markets?: number | undefined;
  /** Another seed is another universe of the same kind. @default 1 */
  readonly seed?: number | undefined;
  /** Share of the events on Protocol V2, 0 to 1. @default 0.2 */
  readonly v2Share?: number;
  /** @default none */
  readonly latency?: 'none' | 'realistic' | undefined;
  /** A folder of recorded responses, which are served in place of generated markets. */
  readonly recordings?: string | undefined;
  /** Unix ms. @default Date.now */
  readonly now?: () => number;
  /** The dates of generated markets begin here, Unix ms. The same seed and start give the same markets. @default now() */
  readonly start?: number;
  /** Short markets open and close while it runs; otherwise those that closed before the start are the only ones. @default true */
  readonly lifecycle?: boolean;
}

const text = { type: 'string' } as const;
/** For `parseArgs`. */
export const SIMULATOR_FLAGS = { markets: text, seed: text, 'upstream-latency': text, recordings: text } as const;

/** For `--help`. */
export const SIMULATOR_HELP = `  --markets N               number of generated markets, 1 to 50000 (default 2500)
  --seed N                  another set of markets of the same kind (default 1)
  --upstream-latency MODE   none, or realistic: as slow as the real hosts (default none)
  --recordings DIR          serve recorded markets in place of generated ones
`;

/** Reads a command line with `--port`, `--help` and the given flags. @throws OptionError */
export function parseFlags<const T extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], flags: T) {
  const options = { ...flags, port: { type: 'string' }, help: { type: 'boolean' } } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // The first sentence names the problem; the rest is advice on quoting.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    if (sentence.startsWith('Unexpected argument')) {
      throw new OptionError(
        `${sentence.replace(/\.$/, '')}. npm passes on only what follows "--": npm start -- --port 3201.`,
      );
    }
    throw new OptionError(`${sentence.replace(/\.$/, '')}. --help lists the options.`);
  }
}

/** An option as a whole number. @throws OptionError */
export function wholeOption(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new OptionError(`--${name} must be a whole number from ${min} to ${max}, not "${text}".`);
}

/** The simulator's options among those of a command line. @throws OptionError */
export function simulatorOptions(
  values: { readonly [F in keyof typeof SIMULATOR_FLAGS]?: string | undefined },
): SimulatorOptions {
  const { markets, seed, recordings, 'upstream-latency': latency = 'none' } = values;
  if (recordings !== undefined && (markets ?? seed) !== undefined) {
    throw new OptionError('--recordings cannot be combined with --markets and --seed.');
  }
  if (latency !== 'none' && latency !== 'realistic') {
    throw new OptionError(`--upstream-latency must be none or realistic, not "${latency}".`);
  }
  return {
    latency,
    recordings,
    markets: markets === undefined ? undefined : wholeOption('markets', markets, 1, 50_000),
    seed: seed === undefined ? undefined : wholeOption('seed', seed, 0, 2 ** 32 - 1),
  };
}
