import { DEFAULT_STAGE, STAGES, type Stage } from './stages.ts';

/** Reads a context value: what `-c key=value` or cdk.json gave, undefined without. */
export type ReadContext = (key: string) => unknown;

const MAX_MARKETS = 10_000;
const MAX_MARKETS_REASON = 'the cursor makes the crawl sequential, at about 1.1 s a page of 100 markets';

/**
 * The stage to synthesise: a row of the table with the overrides of the context.
 *
 * @throws Error with a sentence that says what is allowed
 */
export function stageFromContext(read: ReadContext): Stage {
  const name = read('stage') ?? DEFAULT_STAGE;
  const stage = isStageName(name) ? STAGES[name] : undefined;
  if (!stage) throw wrong('stage', name, `one of ${Object.keys(STAGES).join(', ')}`);
  return {
    ...stage,
    gammaUrl: url(read, 'gammaUrl') ?? stage.gammaUrl,
    clobUrl: url(read, 'clobUrl') ?? stage.clobUrl,
    maxMarkets: integer(read, 'maxMarkets', 1, MAX_MARKETS, MAX_MARKETS_REASON) ?? stage.maxMarkets,
    refreshMinutes: integer(read, 'refreshMinutes', 1, 60) ?? stage.refreshMinutes,
    staleIfErrorSeconds: integer(read, 'staleIfErrorSeconds', 0, 86_400) ?? stage.staleIfErrorSeconds,
  };
}

function isStageName(name: unknown): name is keyof typeof STAGES {
  return typeof name === 'string' && Object.hasOwn(STAGES, name);
}

function url(read: ReadContext, key: string): string | undefined {
  const value = read(key);
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value))
    return value.replace(/\/$/, '');
  throw wrong(key, value, 'an http or https URL');
}

function integer(
  read: ReadContext,
  key: string,
  minimum: number,
  maximum: number,
  reason?: string,
): number | undefined {
  const value = read(key);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number >= minimum && number <= maximum) return number;
  throw wrong(key, value, `a whole number from ${minimum} to ${maximum}${reason ? ` (${reason})` : ''}`);
}

function wrong(key: string, value: unknown, allowed: string): Error {
  return new Error(`The context value ${key}=${String(value)} is not allowed: it must be ${allowed}.`);
}
