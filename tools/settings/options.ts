import { parseArgs } from 'node:util';
import type { Context } from '../../lib/config/resolve-settings.ts';
import { StageError } from '../../lib/config/stage-error.ts';

/**
 * The context that a command line names: `[stage] [-c key=value …]`.
 *
 * @throws {StageError | TypeError} with a sentence for the person
 */
export function readContext(args: readonly string[]): Context {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { context: { type: 'string', short: 'c', multiple: true } },
    allowPositionals: true,
  });
  const [stage, ...others] = positionals;
  if (others.length > 0) throw new StageError(`One stage at a time, not ${positionals.join(' and ')}.`);
  const context = Object.fromEntries((values.context ?? []).map(keyAndValue));
  if (stage === undefined) return context;
  if (context.stage !== undefined) {
    throw new StageError(`The stage is named twice: ${stage} and -c stage=${context.stage}.`);
  }
  return { stage, ...context };
}

function keyAndValue(pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw new StageError(`-c takes key=value, not "${pair}".`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}
