/**
 * `npm run settings -- <stage> [-c key=value …]`: what would be deployed, and where each value comes from: the default,
 * the file of the stage, or the command line.
 */
import { parseArgs } from 'node:util';
import { type Context, DEFAULT_STAGE } from '../../lib/config/resolve-settings.ts';
import { StageError } from '../../lib/config/stage-error.ts';
import { settingsReport } from './report.ts';

try {
  const { values, positionals } = parseArgs({
    options: { context: { type: 'string', short: 'c', multiple: true } },
    allowPositionals: true,
  });
  const [stage = DEFAULT_STAGE] = positionals;
  console.log(settingsReport({ stage, ...contextOf(values.context ?? []) }));
} catch (error) {
  if (!(error instanceof StageError) && !(error instanceof TypeError)) throw error;
  console.error(`Error: ${error.message}`);
  process.exit(1);
}

function contextOf(pairs: readonly string[]): Context {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new StageError(`-c takes key=value, not "${pair}".`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
