import { CONTEXT_KINDS, type ContextKind } from './context-kinds.ts';
import { leastRefreshMinutes } from './refresh-interval.ts';
import { DEFAULT_STAGE, publicRate, STAGES, type Stage } from './stages.ts';

/** Reads a context value: what `-c key=value` or cdk.json gave, undefined without. */
export type ReadContext = (key: string) => unknown;

/** A context value that is not allowed; the message is one sentence that says what is. */
export class StageError extends Error {
  override readonly name = 'StageError';
}

const { email, hostName, integer, keyNames, region, trueOrFalse, url, usEast1Certificate } = CONTEXT_KINDS;

/** The cursor makes the crawl sequential. */
const CRAWL_REASON = 'the crawl takes about 1.1 s for each 100 markets, one after the other';

/** The fields of a stage that a deployer may set by `-c <field>=<value>`, and what each may be. */
const FIELDS: { readonly [F in keyof Stage]?: ContextKind<NonNullable<Stage[F]>> } = {
  gammaUrl: url,
  clobUrl: url,
  refreshMinutes: integer(1, 60),
  maxMarkets: integer(1, 10_000, CRAWL_REASON),
  staleIfErrorSeconds: integer(0, 86_400),
  edge: trueOrFalse,
  edgeCache: trueOrFalse,
  waf: trueOrFalse,
  apiAccessLog: trueOrFalse,
  publicKeys: keyNames,
  region,
  domainName: hostName,
  certificateArn: usEast1Certificate,
  alarmEmail: email,
  monthlyBudgetUsd: integer(1, 100_000),
};

/** `-c publicRate=`: the public plan's requests a second. Twice as much is what an account may do by default. */
const PUBLIC_RATE = integer(1, 5_000);

/**
 * The stage to synthesise: a row of the table with the overrides of the context.
 *
 * @throws {StageError} with a sentence that says what is allowed
 */
export function stageFromContext(read: ReadContext): Stage {
  const name = read('stage') ?? DEFAULT_STAGE;
  const row = isStageName(name) ? STAGES[name] : undefined;
  if (!row) throw wrong('stage', name, `one of ${Object.keys(STAGES).join(', ')}`);
  const rate = override(read, 'publicRate', PUBLIC_RATE);
  const fields = Object.entries(FIELDS).map(([key, kind]) => [key, override<unknown>(read, key, kind)]);
  const overrides = Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Partial<Stage>;
  const stage = { ...row, ...(rate === undefined ? {} : publicRate(rate)), ...overrides };
  checkDomain(stage);
  return withTimeToRun(stage, overrides.refreshMinutes);
}

/** Where the row's own interval is too short for a run of so many markets, it becomes longer. */
function withTimeToRun(stage: Stage, given: number | undefined): Stage {
  const { maxMarkets } = stage;
  const least = leastRefreshMinutes(maxMarkets);
  if (given !== undefined && given < least) {
    throw wrong('refreshMinutes', given, `at least ${least} with maxMarkets=${maxMarkets} (${CRAWL_REASON})`);
  }
  return { ...stage, refreshMinutes: Math.max(stage.refreshMinutes, least) };
}

function isStageName(name: unknown): name is keyof typeof STAGES {
  return typeof name === 'string' && Object.hasOwn(STAGES, name);
}

function checkDomain({ domainName, certificateArn, edge }: Stage): void {
  if ((domainName === undefined) !== (certificateArn === undefined)) {
    throw new StageError('The context values domainName and certificateArn belong together: set both.');
  }
  if (domainName !== undefined && !edge) {
    throw new StageError(
      'The context value domainName is the domain of the edge: it cannot go with edge=false.',
    );
  }
}

/** The command line gives text, cdk.json may give numbers and booleans: all are read as text. */
function override<T>(read: ReadContext, key: string, kind: ContextKind<T>): T | undefined {
  const given = read(key);
  if (given === undefined) return undefined;
  const value = kind.parse(String(given));
  if (value === undefined) throw wrong(key, given, kind.allowed);
  return value;
}

function wrong(key: string, value: unknown, allowed: string): StageError {
  return new StageError(`The context value ${key}=${String(value)} is not allowed: it must be ${allowed}.`);
}
