import { didYouMean } from './did-you-mean.ts';
import type { SettingValue } from './setting-kinds.ts';
import {
  defaultOf,
  isSettingName,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings,
} from './settings.ts';
import { StageError } from './stage-error.ts';
import { STAGE_FILES, STAGE_NAME_RULE, type StageFiles } from './stage-files.ts';

/** The context of the app: what cdk.json and `-c key=value` say. */
export type Context = Readonly<Record<string, unknown>>;

/** Who says what a setting is: its default, the stage's file, the command line, or the edge that it leaves out. */
export type Source = 'default' | 'file' | '-c' | '-c edge=false';

/** The settings of a deployment with where each comes from. */
export interface ResolvedSettings {
  readonly stage: string;
  readonly settings: Settings;
  readonly sources: Readonly<Record<SettingName, Source>>;
}

const DEFAULT_STAGE = 'dev';

/** A key of the file that is the editor's. */
const SCHEMA_KEY = '$schema';

/**
 * Defaults, under the file of the context's stage, under the context.
 *
 * @throws {StageError} for a stage without a file, an unknown setting, or a value that is not allowed
 */
export function resolveSettings(context: Context, files: StageFiles = STAGE_FILES): ResolvedSettings {
  const stage = stageNamed(context, files);
  const inFile = readFile(stage, files);
  const inContext = readContext(context);
  const sources = {} as Record<SettingName, Source>;
  const settings: Partial<Record<SettingName, SettingValue>> = {};
  for (const name of SETTING_NAMES) {
    sources[name] = inContext.has(name) ? '-c' : inFile.has(name) ? 'file' : 'default';
    const value = inContext.get(name) ?? inFile.get(name) ?? defaultOf(name);
    if (value !== undefined) settings[name] = value;
  }
  leaveOutWithEdge(settings, sources);
  return { stage, settings: settings as Settings, sources };
}

/** Settings of the edge that a file switches on: who leaves the edge out for one deployment means these too. */
function leaveOutWithEdge(
  settings: Partial<Record<SettingName, SettingValue>>,
  sources: Record<SettingName, Source>,
): void {
  if (settings.edge !== false || sources.edge !== '-c') return;
  for (const name of ['waf', 'edgeCache'] as const) {
    if (settings[name] !== true || sources[name] !== 'file') continue;
    settings[name] = false;
    sources[name] = '-c edge=false';
  }
}

function stageNamed(context: Context, files: StageFiles): string {
  const name = String(context.stage ?? DEFAULT_STAGE);
  const known = files.names();
  if (known.includes(name)) return name;
  throw new StageError(
    `The context value stage=${name} is not allowed: it must be one of ${known.join(', ')}; each is a file stages/<name>.json, whose name has ${STAGE_NAME_RULE}.`,
  );
}

function readFile(stage: string, files: StageFiles): Map<SettingName, SettingValue> {
  const values = new Map<SettingName, SettingValue>();
  for (const [key, given] of Object.entries(files.read(stage))) {
    if (key === SCHEMA_KEY) continue;
    if (!isSettingName(key)) {
      throw new StageError(
        `stages/${stage}.json: there is no setting ${key}${didYouMean(key, SETTING_NAMES)}.`,
      );
    }
    const { kind } = SETTINGS[key];
    const value = kind.read(given);
    if (value === undefined) {
      throw new StageError(
        `stages/${stage}.json: ${key} is ${JSON.stringify(given)}; it must be ${kind.allowed}.`,
      );
    }
    values.set(key, value);
  }
  return values;
}

/** The command line gives text, cdk.json may give numbers and booleans: all are read as text. */
function readContext(context: Context): Map<SettingName, SettingValue> {
  const values = new Map<SettingName, SettingValue>();
  for (const [key, given] of Object.entries(context)) {
    if (isOfTheCdk(key) || key === 'stage') continue;
    if (!isSettingName(key)) {
      throw new StageError(
        `There is no setting ${key}, which the context sets (-c ${key}=…)${didYouMean(key, ['stage', ...SETTING_NAMES])}.`,
      );
    }
    const { kind } = SETTINGS[key];
    const value = kind.readText(String(given));
    if (value === undefined) throw notAllowed(key, given, kind.allowed);
    values.set(key, value);
  }
  return values;
}

/** The CDK's own keys, and what it has looked up, have a colon in their names; ours never do. */
function isOfTheCdk(key: string): boolean {
  return key.includes(':');
}

export function notAllowed(key: string, value: unknown, allowed: string): StageError {
  return new StageError(`The context value ${key}=${String(value)} is not allowed: it must be ${allowed}.`);
}
