import { parseArgs } from 'node:util';
import { messageOf } from 'cdk-local';
import type { UpstreamName } from '../../lambda/contract/upstreams.ts';
import * as doctor from '../doctor/options.ts';

export interface SmokeOptions {
  readonly base: URL;
  readonly apiKey?: string;
  readonly skipLimits: boolean;
  /** The upstreams that the doctor is to ask first. @default it is not called */
  readonly doctor?: Readonly<Record<UpstreamName, string>>;
}

export const USAGE = `Usage: npm run smoke -- <base-url> [--api-key KEY] [--skip-limits] [--doctor]

--doctor asks the upstreams first whether they are what the service relies on, as \`npm run doctor\` does, from here.
It takes --gamma-url, --clob-url and --data-url for others than the real ones.`;

/** The command line cannot be understood; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError */
export function readOptions(argv: readonly string[]): SmokeOptions {
  const { positionals, values } = parsed(argv);
  const flags: Readonly<Record<string, string | boolean | undefined>> = values;
  const [address, another] = positionals;
  if (address === undefined) throw new UsageError('The address of the deployment is missing.');
  if (another !== undefined) throw new UsageError(`One address is enough; what is ${another}?`);
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new UsageError(`${address} is not an http or https address.`);
  }
  const apiKey = values['api-key'];
  const upstreams = Object.keys(doctor.URL_OPTIONS).find((name) => flags[name] !== undefined);
  if (upstreams && !values.doctor) throw new UsageError(`--${upstreams} is for --doctor.`);
  return {
    base: new URL(address),
    ...(apiKey === undefined ? {} : { apiKey }),
    skipLimits: values['skip-limits'] ?? false,
    ...(values.doctor ? { doctor: urlsOf(flags) } : {}),
  };
}

function urlsOf(flags: Readonly<Record<string, string | boolean | undefined>>) {
  try {
    return doctor.upstreamUrls(flags);
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        ...doctor.URL_OPTIONS,
        'api-key': { type: 'string' },
        'skip-limits': { type: 'boolean' },
        doctor: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}
