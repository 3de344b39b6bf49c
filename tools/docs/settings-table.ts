import { defaultOf, SETTING_NAMES, SETTINGS, unsetOf } from '../../lib/config/settings.ts';
import { SHIPPED_STAGES, STAGE_FILES } from '../../lib/config/stage-files.ts';

/** The settings with their defaults, and what the shipped stages make of them, as Markdown. */
export function settingsTable(): string {
  const files = SHIPPED_STAGES.map((stage) => STAGE_FILES.read(stage));
  const rows = SETTING_NAMES.map((name) => {
    const byDefault = defaultOf(name);
    const own = files.flatMap((file, n) =>
      name in file ? [`${SHIPPED_STAGES[n]}: ${String(file[name])}`] : [],
    );
    const value = byDefault === undefined ? `(${unsetOf(name)})` : String(byDefault);
    return `| \`${name}\` | ${[value, ...own].join('; ')} | ${SETTINGS[name].about} It must be ${SETTINGS[name].kind.allowed}. |`;
  });
  return ['| Setting | Default | What it does |', '|---|---|---|', ...rows].join('\n');
}
