import { type Context, resolveSettings } from '../../lib/config/resolve-settings.ts';
import { SETTING_NAMES, unsetOf } from '../../lib/config/settings.ts';
import { stageFromContext } from '../../lib/config/stage-context.ts';

/**
 * The settings of a deployment as a table, and what follows from them.
 *
 * @param cliRegion where the CDK CLI deploys a stage that names no region, as far as that is known
 * @throws {StageError} as a synthesis would
 */
export function settingsReport(context: Context, cliRegion?: string): string {
  const stage = stageFromContext(context, cliRegion);
  const { settings, sources } = resolveSettings(context);
  const rows = SETTING_NAMES.map((name) => {
    const value = settings[name];
    const shown = value === undefined ? `(none: ${unsetOf(name)})` : String(value);
    const source = sources[name] === 'file' ? `stages/${stage.name}.json` : sources[name];
    return [name, shown, value === undefined ? '' : source];
  });
  const { publicPlan, stageThrottle, partnerPlan, proxyThrottle, refreshMinutes } = stage;
  const derived = [
    [
      'public plan',
      `${publicPlan.ratePerSecond}/s, burst ${publicPlan.burst}, ${publicPlan.requestsPerDay} a day`,
    ],
    [
      'partner plan',
      `${partnerPlan.ratePerSecond}/s, burst ${partnerPlan.burst}, ${partnerPlan.requestsPerMonth} a month`,
    ],
    ['each method', `${stageThrottle.ratePerSecond}/s, burst ${stageThrottle.burst}`],
    ['each live method', `${proxyThrottle.ratePerSecond}/s, burst ${proxyThrottle.burst}`],
    ['refresh', `every ${refreshMinutes} minutes`],
  ];
  const notes =
    settings.alarmEmail === undefined ? ['', 'Without alarmEmail no alarm and no budget tells anybody.'] : [];
  return [
    `Stage ${stage.name}`,
    '',
    ...table(rows),
    '',
    'From these follow:',
    ...table(derived),
    ...notes,
  ].join('\n');
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
