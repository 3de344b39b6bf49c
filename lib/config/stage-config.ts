import { perUpstream, UPSTREAMS, type UpstreamName } from '../../lambda/upstream/upstreams.ts';
import type { ResolvedSettings } from './resolve-settings.ts';
import { SETTING_NAMES, SETTINGS, type SettingName, type StageSettings } from './settings.ts';

/** A token bucket, as usage plans and stages of API Gateway have it. API Gateway applies it on a best-effort basis. */
export interface Rate {
  readonly ratePerSecond: number;
  /** Requests at once. */
  readonly burst: number;
}

/** A deployment: the settings, and the limits that follow from them. */
export interface StageConfig extends Omit<StageSettings, 'publicKeys'> {
  readonly name: string;
  readonly region: string;
  /** The name, and the settings that differ from the defaults: a roll-back needs them. */
  readonly changes: string;
  /** Names of the public keys; CloudFront sends the last one. */
  readonly publicKeys: readonly string[];
  readonly upstreamUrls: Readonly<Record<UpstreamName, string>>;
  readonly logRetentionDays: 7 | 30;
  readonly publicPlan: Rate;
  readonly partnerPlan: Rate;
  /** Of each method, for all callers together. */
  readonly methodThrottle: Rate;
}

/**
 * Requests that all anonymous callers together can send at once. The functions of the account share its concurrent
 * executions (1,000, or 10 in a new account), so a larger burst could take them all. With a smaller one, one browser's
 * page view with its files could lock out other callers.
 */
const BURST = 200;
/** Settings that identify people or accounts. Everybody who may describe the stack can read its outputs. */
const PRIVATE: readonly SettingName[] = ['alarmEmail', 'alarmTopicArn'];

export function stageConfig({ stage: name, settings }: ResolvedSettings): StageConfig {
  const { publicRate, partnerRate, publicKeys, upstreamUrl, production } = settings;
  const changed = SETTING_NAMES.filter((key) => settings[key] !== SETTINGS[key].default);
  return {
    ...settings,
    name,
    changes: [`stage=${name}`, ...changed.map((key) => `${key}=${PRIVATE.includes(key) ? '…' : settings[key]}`)].join(
      ' ',
    ),
    publicKeys: publicKeys.split(','),
    upstreamUrls: perUpstream((upstream) => (upstreamUrl ?? UPSTREAMS[upstream].url).replace(/\/$/, '')),
    logRetentionDays: production ? 30 : 7,
    publicPlan: { ratePerSecond: publicRate, burst: BURST },
    partnerPlan: { ratePerSecond: partnerRate, burst: 2 * partnerRate },
    // Partners are served while the public plan is exhausted.
    methodThrottle: { ratePerSecond: 2 * Math.max(publicRate, partnerRate), burst: BURST },
  };
}
