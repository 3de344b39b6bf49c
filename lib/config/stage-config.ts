/**
 * The configuration of a stage: its settings, and the values that follow from them, such as
 * rates and addresses.
 */
import { perUpstream, UPSTREAMS, type UpstreamName } from '../../lambda/io/upstream/upstreams.ts';
import type { ResolvedSettings } from './resolve-settings.ts';
import {
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  StageError,
  type StageSettings,
} from './settings.ts';

/** A token bucket of API Gateway, which applies it on a best-effort basis. */
export interface Rate {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** The rates of a stage's plans and of its API. */
export interface Throttles {
  readonly publicPlan: Rate;
  readonly partnerPlan: Rate;
  /** Per method, for all callers together. */
  readonly methodThrottle: Rate;
}

/** What the stack of a stage needs to know: the settings, and what follows from them. */
export interface StageConfig extends Omit<StageSettings, 'publicKeys'>, Throttles {
  readonly name: string;
  readonly region: string;
  /** The name and the settings that differ from the defaults. */
  readonly overrides: string;
  readonly publicKeys: readonly string[];
  readonly upstreamUrls: Readonly<Record<UpstreamName, string>>;
  readonly logRetentionDays: 7 | 30;
}

/** A plan's bucket holds this much of its rate, for bots that poll in the same second. */
const BURST_SECONDS = 60;
/** In requests. A larger burst could take all 1,000 concurrent executions of an account. */
const MAX_BURST = 600;
/** These identify people or accounts, and the stack's outputs are widely readable. */
const PRIVATE: readonly SettingName[] = ['alarmEmail', 'alarmTopicArn', 'certificateArn', 'webAcl'];

/**
 * Derives what the stack needs from the settings of a stage.
 *
 * @throws StageError without a region, or for production whose alarms reach nobody
 */
export function stageConfig({ stage: name, settings }: ResolvedSettings): StageConfig {
  const { region, publicKeys, upstreamUrl, production } = settings;
  if (region === undefined) {
    throw new StageError(
      `The stage ${name} has no region: set "region" in stages/${name}.json, pass -c region=eu-west-1, or set AWS_REGION.`,
    );
  }
  // The topic of a pager gets only the most severe alarms, so it does not suffice.
  if (production && settings.alarmEmail === undefined) {
    throw new StageError(
      `The alarms of the stage ${name} reach nobody: set alarmEmail, or production=false.`,
    );
  }
  return {
    ...settings,
    ...throttlesOf(settings),
    name,
    region,
    overrides: [`stage=${name}`, ...changedSettings(settings)].join(' '),
    publicKeys: publicKeys.split(','),
    upstreamUrls: perUpstream((upstream) =>
      (upstreamUrl ?? UPSTREAMS[upstream].url).replace(/\/$/, ''),
    ),
    logRetentionDays: production ? 30 : 7,
  };
}

/**
 * The settings that differ from the defaults, as `name=value`. A private text is `<set>`, in ASCII,
 * because `DescribeStacks` returns other characters as `?`.
 */
function changedSettings(settings: StageSettings): string[] {
  const changed = SETTING_NAMES.filter((name) => settings[name] !== SETTINGS[name].default);
  return changed.map((name) => {
    const value = settings[name];
    // A web ACL can also be `true`, which is no secret.
    const isHidden = PRIVATE.includes(name) && value !== true;
    return `${name}=${isHidden ? '<set>' : value}`;
  });
}

/** The limits of the usage plans and methods, from the rates of the stage. */
function throttlesOf({ publicRate, partnerRate }: StageSettings): Throttles {
  const burst = Math.min(BURST_SECONDS * publicRate, MAX_BURST);
  return {
    publicPlan: { ratePerSecond: publicRate, burst },
    partnerPlan: { ratePerSecond: partnerRate, burst: 2 * partnerRate },
    // Even while the public plan is used up, a partner's whole rate and half of its burst remain.
    methodThrottle: {
      ratePerSecond: 2 * Math.max(publicRate, partnerRate),
      burst: 2 * Math.max(burst, partnerRate),
    },
  };
}
