import { parseArgs } from 'node:util';
import { messageOf } from 'cdk-local';

export interface SmokeOptions {
  readonly base: URL;
  readonly apiKey?: string;
  readonly skipLimits: boolean;
}

export const USAGE = 'Usage: npm run smoke -- <base-url> [--api-key KEY] [--skip-limits]';

/** The command line cannot be understood; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError */
export function readOptions(argv: readonly string[]): SmokeOptions {
  const { positionals, values } = parsed(argv);
  const [address, another] = positionals;
  if (address === undefined) throw new UsageError('The address of the deployment is missing.');
  if (another !== undefined) throw new UsageError(`One address is enough; what is ${another}?`);
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new UsageError(`${address} is not an http or https address.`);
  }
  const apiKey = values['api-key'];
  return {
    base: new URL(address),
    ...(apiKey === undefined ? {} : { apiKey }),
    skipLimits: values['skip-limits'] ?? false,
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { 'api-key': { type: 'string' }, 'skip-limits': { type: 'boolean' } },
    });
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}
