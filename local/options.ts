import { parseArgs } from 'node:util';
import { messageOf, StartError } from 'cdk-local';
import type { Latency } from 'polymarket-simulator';
import {
  latencyOption,
  marketsOption,
  OptionError,
  portOption,
  seedOption,
  v2ShareOption,
  wholeOption,
} from 'polymarket-simulator';
import { withContext } from './context-flags.ts';

/** What `npm start` was asked for. */
export interface Options {
  readonly port: number;
  readonly upstream: UpstreamChoice;
  readonly refreshEverySeconds?: number;
  /** `REQUESTS_PER_MINUTE` of the functions: a number, or `off`. */
  readonly rateLimit?: string;
  readonly stage?: string;
  /** More context of the CDK app, as `cdk deploy -c key=value` takes it. */
  readonly context: Readonly<Record<string, string>>;
  /** Plays faults on the simulated upstream. */
  readonly chaos: boolean;
  readonly verbose: boolean;
}

export type UpstreamChoice =
  | {
      readonly kind: 'simulated';
      readonly latency: Latency;
      readonly markets?: number;
      readonly seed?: number;
      readonly v2Share?: number;
    }
  | { readonly kind: 'recorded'; readonly latency: Latency; readonly recordings: string }
  | { readonly kind: 'live' }
  | { readonly kind: 'given'; readonly gammaUrl: string; readonly clobUrl: string; readonly dataUrl: string };

export const PORT_DEFAULT = 3_000;
/** Seconds between two refreshes under --chaos unless the person says otherwise: all scenarios take two or three minutes. */
export const CHAOS_REFRESH_SECONDS = 6;
/** A day: longer is no schedule. */
const REFRESH_EVERY_MOST = 86_400;
const RATE_LIMIT_MOST = 1_000_000;

const TEXT = { type: 'string' } as const;
const FLAGS = {
  port: TEXT,
  upstream: TEXT,
  'gamma-url': TEXT,
  'clob-url': TEXT,
  'data-url': TEXT,
  recordings: TEXT,
  markets: TEXT,
  seed: TEXT,
  'v2-share': TEXT,
  'upstream-latency': TEXT,
  'refresh-every': TEXT,
  'rate-limit': TEXT,
  stage: TEXT,
  context: { type: 'string', short: 'c', multiple: true },
  chaos: { type: 'boolean' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof FLAGS }>>['values'];

/** Reads the command line. @throws {StartError} with a sentence that says what is wrong and what is allowed */
export function readOptions(args: readonly string[]): Options | 'help' {
  try {
    const values = parse(args);
    return values.help === true ? 'help' : optionsOf(values);
  } catch (error) {
    if (error instanceof OptionError) throw new StartError(error.message, { exitCode: 2 });
    throw error;
  }
}

function parse(args: readonly string[]): Values {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    // parseArgs says what is wrong in its first sentence; the rest is advice on quoting.
    const [sentence = ''] = messageOf(error).split(/\.? (?=To specify)|\.\s|\n/);
    const valueless = /^Option '(--[a-z-]+).* argument (?:missing|is ambiguous)/.exec(sentence)?.[1];
    const problem = valueless === undefined ? sentence : `${valueless} needs a value`;
    throw new OptionError(`${problem}; npm start -- --help lists the options.`);
  }
}

function optionsOf(flags: Values): Options {
  const { context, values } = withContext(flags, flags.context ?? []);
  const { port, stage } = values;
  const chaos = values.chaos === true;
  const refreshEvery = values['refresh-every'] ?? (chaos ? String(CHAOS_REFRESH_SECONDS) : undefined);
  const rateLimit = values['rate-limit'];
  if (rateLimit !== undefined && rateLimit !== 'off')
    wholeOption('rate-limit', rateLimit, 1, RATE_LIMIT_MOST);
  return {
    port: port === undefined ? PORT_DEFAULT : portOption(port),
    upstream: upstreamOf(values),
    ...(refreshEvery === undefined
      ? {}
      : { refreshEverySeconds: wholeOption('refresh-every', refreshEvery, 1, REFRESH_EVERY_MOST) }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(stage === undefined ? {} : { stage }),
    context,
    chaos,
    verbose: values.verbose === true,
  };
}

function upstreamOf(values: Values): UpstreamChoice {
  const { upstream, recordings, markets, seed } = values;
  const { 'gamma-url': gammaUrl, 'clob-url': clobUrl, 'data-url': dataUrl = clobUrl } = values;
  const latency = values['upstream-latency'];
  const v2Share = values['v2-share'];
  if (upstream !== undefined && upstream !== 'simulated' && upstream !== 'live') {
    throw new OptionError(`--upstream must be simulated or live, not "${upstream}".`);
  }
  if ((gammaUrl === undefined) !== (clobUrl === undefined)) {
    throw new OptionError('--gamma-url and --clob-url go together: give both or neither.');
  }
  if (dataUrl !== undefined && clobUrl === undefined) {
    throw new OptionError(
      '--data-url goes with --gamma-url and --clob-url: give all three, or leave it out.',
    );
  }
  const chaos = values.chaos === true ? 'chaos' : undefined;
  const simulation = Object.entries({
    chaos,
    recordings,
    markets,
    seed,
    'v2-share': v2Share,
    'upstream-latency': latency,
  });
  const [ofSimulation] = simulation.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (gammaUrl !== undefined && clobUrl !== undefined) {
    const other = upstream === undefined ? ofSimulation : 'upstream';
    if (other !== undefined) throw conflict(other, 'gamma-url and --clob-url');
    return {
      kind: 'given',
      gammaUrl: urlOption('gamma-url', gammaUrl),
      clobUrl: urlOption('clob-url', clobUrl),
      dataUrl: urlOption('data-url', dataUrl ?? clobUrl),
    };
  }
  if (upstream === 'live') {
    if (ofSimulation !== undefined) throw conflict(ofSimulation, 'upstream live');
    return { kind: 'live' };
  }
  const shared = { latency: latency === undefined ? ('none' as const) : latencyOption(latency) };
  if (recordings !== undefined) {
    if (markets !== undefined) throw conflict('markets', 'recordings');
    if (seed !== undefined) throw conflict('seed', 'recordings');
    if (v2Share !== undefined) throw conflict('v2-share', 'recordings');
    return { kind: 'recorded', ...shared, recordings };
  }
  return {
    kind: 'simulated',
    ...shared,
    ...(markets === undefined ? {} : { markets: marketsOption(markets) }),
    ...(seed === undefined ? {} : { seed: seedOption(seed) }),
    ...(v2Share === undefined ? {} : { v2Share: v2ShareOption(v2Share) }),
  };
}

function urlOption(name: string, text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/$/, '');
  throw new OptionError(`--${name} must be an http or https URL, not "${text}".`);
}

function conflict(one: string, other: string): OptionError {
  return new OptionError(`--${one} and --${other} contradict each other: leave one out.`);
}
