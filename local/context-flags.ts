import { OptionError } from 'polymarket-simulator';
import type { UrlSetting } from '../lambda/contract/upstreams.ts';

/** Context that an option names as well. */
const SAME_AS_OPTION = {
  stage: 'stage',
  gammaUrl: 'gamma-url',
  clobUrl: 'clob-url',
  dataUrl: 'data-url',
} as const satisfies Readonly<Record<'stage' | UrlSetting, string>>;

type Options = { readonly [Name in (typeof SAME_AS_OPTION)[keyof typeof SAME_AS_OPTION]]?: string };

/**
 * Context as `cdk deploy -c key=value` takes it. What an option of `npm start` names as well becomes that option, so
 * that everything that follows from it (such as not starting a simulated upstream) does.
 *
 * @param given each `key=value`; of a key that is given twice the last counts, as for the CDK
 * @throws {OptionError} when one is no `key=value`, or contradicts an option
 */
export function withContext<Values extends Options>(
  options: Values,
  given: readonly string[],
): { readonly context: Readonly<Record<string, string>>; readonly values: Values } {
  const context = Object.fromEntries(given.map(parse));
  const values = { ...options };
  for (const [key, option] of Object.entries(SAME_AS_OPTION)) {
    const value = context[key];
    if (value === undefined) continue;
    if (options[option] !== undefined) {
      throw new OptionError(`--${option} and -c ${key} are the same: leave one out.`);
    }
    Object.assign(values, { [option]: value });
    delete context[key];
  }
  return { context, values };
}

function parse(text: string): readonly [key: string, value: string] {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    throw new OptionError(`-c must be key=value, not "${text}".`);
  }
  return [key, value];
}
