/**
 * Finds the settings of a stage, such as `prod`, for `npx cdk deploy -c stage=prod`: from the
 * command line, the stage's file and the defaults.
 */
import { readdirSync, readFileSync } from 'node:fs';
import {
  isSettingName,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingValue,
  StageError,
  type StageSettings,
} from './settings.ts';

/** The values of cdk.json and of `-c key=value`. */
export type Context = Readonly<Record<string, unknown>>;

/** The files `stages/<name>.json`. Tests pass others. */
interface StageFiles {
  readonly names: () => readonly string[];
  readonly read: (name: string) => string;
}

/** A stage with the values of all its settings. */
export interface ResolvedSettings {
  readonly stage: string;
  readonly settings: StageSettings;
}

const DEFAULT_STAGE = 'dev';
/** The name is part of names in CloudFront, which may have 64 characters, so it has at most 14. */
const STAGE_NAME = /^[a-z][a-z0-9-]{0,13}$/;
const FOLDER = new URL('../../stages/', import.meta.url);

export const STAGE_FILES: StageFiles = {
  names() {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
    const names = files.map((file) => file.slice(0, -'.json'.length));
    return names.filter((name) => STAGE_NAME.test(name)).sort();
  },
  read: (name) => readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'),
};

/**
 * The region that the environment variables name. The CDK CLI silently falls back to us-east-1, so
 * this region counts only if an AWS variable names it.
 */
export function regionOfEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { AWS_REGION, AWS_DEFAULT_REGION, CDK_DEFAULT_REGION } = environment;
  const regionOfProfile = CDK_DEFAULT_REGION === 'us-east-1' ? undefined : CDK_DEFAULT_REGION;
  return AWS_REGION || AWS_DEFAULT_REGION || regionOfProfile;
}

/**
 * Finds the value of each setting: the context overrides the stage's file, which overrides the
 * environment's region and the defaults.
 *
 * @throws StageError for unknown, disallowed or contradictory settings
 */
export function resolveSettings(
  context: Context,
  environmentRegion: string | undefined,
  files: StageFiles = STAGE_FILES,
): ResolvedSettings {
  const stage = stageName(context, files);
  const defaults = Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].default]));
  const inFile = parseAll(parseFile(stage, files), `stages/${stage}.json`);
  const inContext = parseAll(settingsOfContext(context), 'The context (-c)');
  // If a setting names the region, the environment's region is not even checked.
  const isRegionSet = (inContext.region ?? inFile.region) !== undefined;
  const usesEnvironment = !isRegionSet && environmentRegion !== undefined;
  const inEnvironment = parseAll(
    usesEnvironment ? { region: environmentRegion } : {},
    'The AWS profile or environment',
  );
  const settings = { ...defaults, ...inEnvironment, ...inFile, ...inContext } as StageSettings;
  const contradiction = contradictionIn(settings);
  if (contradiction !== undefined) throw new StageError(contradiction);
  return { stage, settings };
}

function stageName({ stage = DEFAULT_STAGE }: Context, files: StageFiles): string {
  const names = files.names();
  if (names.includes(String(stage))) return String(stage);
  throw new StageError(
    `There is no stage ${stage}: it must be one of ${names.join(', ')}. A stage is a file stages/<name>.json; its name has at most 14 lower-case letters, digits and dashes.`,
  );
}

function parseFile(stage: string, files: StageFiles): Context {
  try {
    const content: unknown = JSON.parse(files.read(stage));
    if (content !== null && typeof content === 'object' && !Array.isArray(content))
      return { ...content };
  } catch (error) {
    throw new StageError(`stages/${stage}.json cannot be read: ${(error as Error).message}.`);
  }
  throw new StageError(`stages/${stage}.json must hold one JSON object.`);
}

/**
 * Keys of the CDK CLI in cdk.context.json. `cdk acknowledge`, which the CLI recommends under each
 * notice, and `cdk cli-telemetry` write them.
 */
const KEYS_OF_CLI = ['acknowledged-issue-numbers', 'cli-telemetry'];

/** The context without the stage and the CDK's own keys, whose names usually have a colon. */
function settingsOfContext(context: Context): Context {
  const isSetting = (key: string) =>
    key !== 'stage' && !key.includes(':') && !KEYS_OF_CLI.includes(key);
  return Object.fromEntries(Object.entries(context).filter(([key]) => isSetting(key)));
}

/** Parses settings. @param origin where they are written, as the subject of an error's sentence */
function parseAll(values: Context, origin: string): Partial<Record<SettingName, SettingValue>> {
  const parsed: Partial<Record<SettingName, SettingValue>> = {};
  for (const [name, value] of Object.entries(values)) {
    if (!isSettingName(name)) {
      throw new StageError(
        `${origin} sets ${name}, which is not a setting. The settings are ${SETTING_NAMES.join(', ')}.`,
      );
    }
    const { parse, allowed } = SETTINGS[name];
    const setting = parse(String(value));
    if (setting === undefined) {
      throw new StageError(
        `${origin} sets ${name} to ${JSON.stringify(value)}; it must be ${allowed}.`,
      );
    }
    parsed[name] = setting;
  }
  return parsed;
}

/** The first rule that two settings break together, as a sentence. */
function contradictionIn(settings: StageSettings): string | undefined {
  const { region, alarmTopicArn, domainName, certificateArn, edge, webAcl, publicKeys } = settings;
  // An ARN is `arn:aws:sns:<region>:<account>:<name>`.
  const topicRegion = alarmTopicArn?.split(':')[3];
  if (topicRegion !== undefined && region !== undefined && topicRegion !== region)
    return 'alarmTopicArn must be in the region of the stage: an alarm can only use a topic of its own region.';
  if ((domainName === undefined) !== (certificateArn === undefined))
    return 'The settings domainName and certificateArn belong together: set both or neither.';
  if (domainName !== undefined && !edge)
    return 'domainName is the domain of the edge: it cannot be set with edge=false.';
  if (webAcl !== false && !edge)
    return 'A web ACL needs the edge, which tells it the addresses: webAcl cannot be set with edge=false.';
  const keys = publicKeys.split(',');
  if (new Set(keys).size < keys.length)
    return `publicKeys=${publicKeys} names one key twice: give the new key another name.`;
  return undefined;
}
