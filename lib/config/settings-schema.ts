import { defaultOf, SETTING_NAMES, SETTINGS, unsetOf } from './settings.ts';

/** The JSON schema of a file `stages/<name>.json`: with it an editor completes names and checks values. */
export function settingsSchema(): object {
  const properties = SETTING_NAMES.map((name) => {
    const { kind, about } = SETTINGS[name];
    const byDefault = defaultOf(name);
    const otherwise = byDefault === undefined ? ` Without it: ${unsetOf(name)}.` : '';
    const row = {
      description: `${about.replaceAll('`', '')}${otherwise}`,
      ...kind.schema,
      ...(byDefault === undefined ? {} : { default: byDefault }),
    };
    return [name, row] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of a stage of the Market Data Proxy',
    description:
      'Made from lib/config/settings.ts by `npm run docs`. `npm run settings -- <stage>` shows the result.',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
  };
}
