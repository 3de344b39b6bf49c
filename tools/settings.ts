/**
 * `npm run settings -- [stage] [-c key=value …]`: a deployment's settings and their sources: the default, the stage's
 * file, the command line (-c), or the environment's region.
 */
import { parseArgs } from 'node:util';
import { type Context, regionOfEnvironment, resolveSettings } from '../lib/config/resolve-settings.ts';
import { SETTING_NAMES, SETTINGS, StageError } from '../lib/config/settings.ts';
import { hasReceiver, throttlesOf } from '../lib/config/stage-config.ts';

/** @throws StageError | TypeError with a sentence for the deployer */
function readContext(args: readonly string[]): Context {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { context: { type: 'string', short: 'c', multiple: true } },
    allowPositionals: true,
  });
  const [stage, another] = positionals;
  if (another !== undefined) throw new StageError('Name one stage at a time.');
  const pairs = (values.context ?? []).map((pair) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (key === undefined || value === undefined) throw new StageError(`-c takes key=value, not "${pair}".`);
    return [key, value] as const;
  });
  return { ...(stage !== undefined && { stage }), ...Object.fromEntries(pairs) };
}

function report(context: Context, region: string | undefined): string {
  const resolved = resolveSettings(context, region);
  const { settings, sources, stage } = resolved;
  const rows = SETTING_NAMES.map((name) => {
    const source = sources[name] === 'file' ? `stages/${stage}.json` : (sources[name] ?? 'not set');
    return [name, String(settings[name] ?? '-'), source, SETTINGS[name].about];
  });
  const { publicPlan, publicQuota, partnerPlan, methodThrottle } = throttlesOf(settings);
  const limits = Object.entries({
    'public plan': publicPlan,
    'partner key': partnerPlan,
    method: methodThrottle,
  }).map(([of, { ratePerSecond, burst }]) => `  ${of}: ${ratePerSecond} requests a second, ${burst} at once`);
  const notes = [
    ...(settings.region === undefined ? ['', 'Without a region the stage cannot be deployed.'] : []),
    ...(settings.alarmEmail === undefined
      ? ['', 'Without alarmEmail no alarm sends an email, and there is no budget.']
      : []),
    ...(settings.production && !hasReceiver(settings)
      ? ['', 'Without alarmEmail or alarmTopicArn a stage of production cannot be deployed.']
      : []),
  ];
  return [
    `Stage ${stage}`,
    '',
    ...table(rows),
    '',
    'Throttles',
    ...limits,
    `  anonymous callers: ${publicQuota} requests a day`,
    ...notes,
  ].join('\n');
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

try {
  console.log(report(readContext(process.argv.slice(2)), regionOfEnvironment(process.env)));
} catch (error) {
  if (!(error instanceof StageError) && !(error instanceof TypeError)) throw error;
  console.error(`Error: ${error.message}`);
  process.exitCode = 1;
}
