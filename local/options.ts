/** The options of `npm start`: their help, defaults and checks. */
import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import {
  REFRESH_INTERVAL_SECONDS,
  REQUESTS_PER_MINUTE,
} from '../lambda/core/contract/constants.ts';
import { UPSTREAMS } from '../lambda/io/upstream/upstreams.ts';
import type { LocalServiceOptions } from './service.ts';
import { OptionError, type SimulatorOptions } from './simulator/index.ts';

export const HELP = `Market Data Proxy on this machine, with simulated data unless you choose another upstream.

  npm start -- [options]

  --port N                  port, 0 for any free port (default 3000)
  --host ADDRESS            IP address to listen on (default 127.0.0.1, which only this machine reaches)
  --refresh-every SECONDS   time between two full reads of the upstream (default ${REFRESH_INTERVAL_SECONDS})
  --data DIR                keep the tables in this folder (default: in memory), and archive each day at 00:20 UTC
  --rate-limit N|off        requests a minute from one address (default ${REQUESTS_PER_MINUTE})
  --verbose                 print every log line of the functions
  --help                    print this text

Where the data comes from:
  --upstream simulated|live a simulator on this machine (default), or the real Polymarket
  --markets N               number of generated markets, 1 to 50000 (default 2500)
  --seed N                  another set of markets of the same kind (default 1)
  --v2-share S              share of the events on Protocol V2, 0 to 1 (default 0.2)
  --upstream-latency MODE   none, or realistic: as slow as the real hosts (default none)
  --gamma-url URL --clob-url URL
                            another upstream; set both
  --data-url URL            its Data API (default: the value of --clob-url)

Ctrl-C stops the server. Without --data, the next start reads the upstream again.
`;

/** The parsed options. */
export interface Options {
  readonly port: number;
  readonly host: string;
  readonly refreshEverySeconds: number;
  readonly rateLimit: number | 'off';
  readonly verbose: boolean;
  readonly data?: string | undefined;
  readonly upstream: LocalServiceOptions['upstream'] | { readonly simulator: SimulatorOptions };
}

const text = { type: 'string' } as const;
const SIMULATOR_FLAGS = {
  markets: text,
  seed: text,
  'v2-share': text,
  'upstream-latency': text,
} as const;
const FLAGS = {
  ...SIMULATOR_FLAGS,
  'gamma-url': text,
  'clob-url': text,
  'data-url': text,
  upstream: text,
  port: text,
  host: text,
  data: text,
  'refresh-every': text,
  'rate-limit': text,
  verbose: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
/** The texts of the options, before they are checked. */
type Values = ReturnType<typeof parseFlags>;

/**
 * Reads the options of a command line.
 *
 * @throws OptionError with a sentence that names the option and its allowed values
 */
export function readOptions(args: readonly string[]): Options | 'help' {
  const values = parseFlags(args);
  if (values.help) return 'help';
  const { port = '3000', 'rate-limit': limit = String(REQUESTS_PER_MINUTE) } = values;
  const every = values['refresh-every'] ?? String(REFRESH_INTERVAL_SECONDS);
  return {
    port: wholeOption('port', port, 0, 65_535),
    host: addressOption(values.host),
    refreshEverySeconds: wholeOption('refresh-every', every, 1, 86_400),
    rateLimit: limit === 'off' ? limit : wholeOption('rate-limit', limit, 1, 1_000_000),
    verbose: values.verbose === true,
    data: values.data,
    upstream: readUpstream(values),
  };
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    // The first sentence names the mistake. The rest is advice on quoting.
    const [first = ''] = (error as Error).message.split(/\. |\n/);
    const sentence = first.replace(/\.$/, '');
    const advice = sentence.startsWith('Unexpected argument')
      ? 'npm passes on only what follows "--": npm start -- --port 3201.'
      : '--help lists the options.';
    throw new OptionError(`${sentence}. ${advice}`);
  }
}

/** The upstream that the options choose, or the simulator with its options. */
export function readUpstream(values: Values): Options['upstream'] {
  const {
    upstream,
    'gamma-url': gammaUrl,
    'clob-url': clobUrl,
    'data-url': dataUrl = clobUrl,
  } = values;
  if (upstream !== undefined && upstream !== 'simulated' && upstream !== 'live') {
    throw new OptionError(`--upstream must be simulated or live, not "${upstream}".`);
  }
  const hasUrls = gammaUrl !== undefined || dataUrl !== undefined;
  if (!hasUrls && upstream !== 'live') return { simulator: simulatorOptions(values) };
  // Not simulated, so no option of the simulator may be set. URLs also exclude --upstream.
  const forbidden = [
    ...Object.keys(SIMULATOR_FLAGS),
    ...(hasUrls ? ['upstream'] : []),
  ] as (keyof Values)[];
  const other = forbidden.find((name) => values[name] !== undefined);
  const chosen = hasUrls ? '--gamma-url and --clob-url' : '--upstream live';
  if (other) throw new OptionError(`--${other} cannot be combined with ${chosen}.`);
  const { gamma, clob, data } = UPSTREAMS;
  if (!hasUrls) return { gammaUrl: gamma.url, clobUrl: clob.url, dataUrl: data.url };
  return {
    gammaUrl: urlOption('gamma-url', gammaUrl),
    clobUrl: urlOption('clob-url', clobUrl),
    dataUrl: urlOption('data-url', dataUrl),
  };
}

function addressOption(value = '127.0.0.1'): string {
  if (isIP(value) !== 0) return value;
  throw new OptionError(`--host must be an IP address such as 0.0.0.0, not "${value}".`);
}

function urlOption(name: string, value = ''): string {
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return value.replace(/\/$/, '');
  throw new OptionError(`--${name} must be an http or https URL, not "${value}".`);
}

function wholeOption(name: string, value: string, min: number, max: number): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new OptionError(`--${name} must be a whole number from ${min} to ${max}, not "${value}".`);
}

function simulatorOptions(values: Values): SimulatorOptions {
  const { markets, seed, 'v2-share': share, 'upstream-latency': latency = 'none' } = values;
  if (share !== undefined && !(/^[01](\.\d{1,6})?$/.test(share) && Number(share) <= 1)) {
    throw new OptionError(`--v2-share must be a number from 0 to 1, not "${share}".`);
  }
  if (latency !== 'none' && latency !== 'realistic') {
    throw new OptionError(`--upstream-latency must be none or realistic, not "${latency}".`);
  }
  return {
    latency,
    markets: markets === undefined ? undefined : wholeOption('markets', markets, 1, 50_000),
    seed: seed === undefined ? undefined : wholeOption('seed', seed, 0, 2 ** 32 - 1),
    v2Share: share === undefined ? undefined : Number(share),
  };
}
