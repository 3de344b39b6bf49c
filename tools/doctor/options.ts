import { parseArgs } from 'node:util';
import { UPSTREAM_NAMES, UPSTREAMS, type UpstreamName } from '../../lambda/contract/upstreams.ts';

export interface DoctorOptions {
  readonly urls: Readonly<Record<UpstreamName, string>>;
  readonly json: boolean;
}

export const USAGE = `Usage: npm run doctor -- [--gamma-url URL] [--clob-url URL] [--data-url URL] [--json]

Asks the upstreams, by default the real ones, about everything that the service relies on: about thirty calls.
Exit status: 0 all is well, 1 something of the service would be worse or missing, 2 it could not run.`;

/** The command line cannot be understood; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError */
export function readOptions(argv: readonly string[]): DoctorOptions | 'help' {
  const values = parsed(argv);
  if (values.help === true) return 'help';
  return { urls: upstreamUrls(values), json: values.json === true };
}

/** An option for the address of each upstream. */
export const URL_OPTIONS = Object.fromEntries(
  UPSTREAM_NAMES.map((name) => [`${name}-url`, { type: 'string' as const }]),
);

/** @returns the addresses that URL_OPTIONS say, by default the real ones @throws UsageError */
export function upstreamUrls(
  values: Readonly<Record<string, string | boolean | undefined>>,
): Readonly<Record<UpstreamName, string>> {
  const urls = UPSTREAM_NAMES.map((name) => {
    const given = values[`${name}-url`];
    if (typeof given !== 'string') return [name, UPSTREAMS[name].url];
    if (!/^https?:\/\//.test(given) || !URL.canParse(given)) {
      throw new UsageError(`--${name}-url must be an http or https URL, not "${given}".`);
    }
    return [name, given.replace(/\/$/, '')];
  });
  return Object.fromEntries(urls);
}

function parsed(argv: readonly string[]): Readonly<Record<string, string | boolean | undefined>> {
  const flags = { json: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  try {
    return parseArgs({ args: [...argv], options: { ...URL_OPTIONS, ...flags } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
