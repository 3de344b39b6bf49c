import { FRESH_SECONDS } from '../../lambda/contract/constants.ts';
import { perUrlSetting, UPSTREAMS } from '../../lambda/contract/upstreams.ts';
import { defaultOf, SETTING_NAMES, type Settings } from './settings.ts';
import { isSmall } from './settings-rules.ts';

/** Everything that differs between two deployments: the settings, and the limits that follow from them. */
export interface Stage extends Omit<Settings, 'publicKeys'> {
  readonly name: string;
  /** The name, and the settings that differ from the defaults: what a roll-back needs to know. */
  readonly changes: string;
  /** Names of the public keys, the one that CloudFront sends last: two while the key is being replaced. */
  readonly publicKeys: readonly string[];
  /** What all anonymous callers together may do. */
  readonly publicPlan: Rate & { readonly requestsPerDay: number };
  /** What each partner with a key of their own may do. */
  readonly partnerPlan: Rate & { readonly requestsPerMonth: number };
  /** What each method of the API may do, whoever calls. */
  readonly stageThrottle: Rate;
  /** What each method of the live proxies may do: protects the upstream. */
  readonly proxyThrottle: Rate;
}

/** A token bucket, as usage plans and stages have it. API Gateway applies it on a best-effort basis. */
export interface Rate {
  readonly ratePerSecond: number;
  /** Most requests at once. */
  readonly burst: number;
}

/** API Gateway's own limit for an account (its default), and for one in a small region: no larger burst is granted. */
const ACCOUNT_BURST = 5_000;
const SMALL_REGION_BURST = 1_250;

/**
 * The live routes' burst leaves room for several callers who spend the allowance of their IP at once. The upstream
 * takes 1,000 histories in 10 s from one address: GET and HEAD together, bursts included, make no more where a request
 * is one call (of `3m` it is six or seven at first, and each container stops at half of that; functions call from many addresses).
 */
const PROXY_BURST = 250;

/**
 * The stage of some settings, and the limits that follow from them.
 *
 * @param cliRegion where it is deployed to if the settings name no region, as far as that is known
 */
export function stageOf(name: string, settings: Settings, cliRegion?: string): Stage {
  const { publicRate, publicRequestsPerDay, partnerRate, partnerRequestsPerMonth, proxyRate } = settings;
  // The plan is applied before the per-IP limit, so that whoever exhausts it locks out all others. A low rate bounds the
  // bill; the largest burst there is lets a single salvo of thousands pass on to the per-IP limit all the same.
  const burst = isSmall(settings.region ?? cliRegion) ? SMALL_REGION_BURST : ACCOUNT_BURST;
  return {
    ...settings,
    name,
    changes: changesOf(name, settings),
    publicKeys: settings.publicKeys.split(','),
    ...perUrlSetting((name) => withoutSlash(settings[UPSTREAMS[name].setting])),
    publicPlan: { ratePerSecond: publicRate, burst, requestsPerDay: publicRequestsPerDay },
    partnerPlan: {
      ratePerSecond: partnerRate,
      burst: 2 * partnerRate,
      requestsPerMonth: partnerRequestsPerMonth,
    },
    // Partners are served while the public plan is exhausted.
    stageThrottle: { ratePerSecond: 2 * publicRate, burst },
    proxyThrottle: { ratePerSecond: proxyRate, burst: PROXY_BURST },
  };
}

function changesOf(name: string, settings: Settings): string {
  const changed = SETTING_NAMES.filter((key) => settings[key] !== defaultOf(key));
  return [`stage=${name}`, ...changed.map((key) => `${key}=${settings[key]}`)].join(' ');
}

/** Seconds a stage's snapshot is fresh (design 2.4). */
export function freshSecondsOf(stage: Stage): number {
  return Math.max(FRESH_SECONDS, stage.refreshMinutes * 60);
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
