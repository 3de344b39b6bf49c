import type { PriceClass } from 'aws-cdk-lib/aws-cloudfront';
import { FRESH_SECONDS, SNAPSHOT_MARKETS_DEFAULT } from '../../lambda/contract/constants.ts';

/** Everything that may differ between two deployments. */
export interface Stage {
  readonly name: string;
  readonly gammaUrl: string;
  readonly clobUrl: string;
  /** Minutes between two refreshes; a snapshot is fresh for as long, and for two minutes at least. */
  readonly refreshMinutes: number;
  /** Markets in a snapshot, 1 to 10,000. */
  readonly maxMarkets: number;
  /** Age in seconds up to which old data is served rather than 502; 0: never. */
  readonly staleIfErrorSeconds: number;
  /** Whether CloudFront stands before the API. Without it callers send the public key themselves. */
  readonly edge: boolean;
  /** Whether CloudFront may keep answers; those it keeps are not counted by the per-IP limit. */
  readonly edgeCache: boolean;
  /** Whether a web ACL guards the edge; it costs about 6 USD a month when idle, and is left out without an edge. */
  readonly waf: boolean;
  /** What all anonymous callers together may do. */
  readonly publicPlan: Rate;
  /** What each partner with a key of its own may do. */
  readonly partnerPlan: Rate & { readonly requestsPerMonth: number };
  /** What each method of the API may do, whoever calls. */
  readonly stageThrottle: Rate;
  /** What each method of the live proxies may do: protects the upstream. */
  readonly proxyThrottle: Rate;
  /** Names of the public keys, the one that CloudFront sends last: two while the key is being replaced. */
  readonly publicKeys: readonly string[];
  /** Where in the world CloudFront answers. */
  readonly priceClass: keyof typeof PriceClass;
  readonly logRetentionDays: 7 | 30;
  /**
   * Whether the API writes an access log. API Gateway has one logging role for all APIs of an account and region:
   * a stage with the log takes that setting over and, when it is destroyed, leaves the role behind.
   */
  readonly apiAccessLog: boolean;
  /** @default where the CDK CLI deploys to */
  readonly region?: string;
  /** Domain of the edge, with `certificateArn`. @default CloudFront's own name */
  readonly domainName?: string;
  /** Certificate of `domainName`; CloudFront takes it from us-east-1 only. */
  readonly certificateArn?: string;
  /** Where alarms are sent. @default nowhere */
  readonly alarmEmail?: string;
  /** @default no budget */
  readonly monthlyBudgetUsd?: number;
}

/** A token bucket, as usage plans and stages have it. API Gateway applies it on a best-effort basis. */
export interface Rate {
  readonly ratePerSecond: number;
  /** Most requests at once. */
  readonly burst: number;
}

/** API Gateway's own limit for an account (its default): a larger burst would never be granted. */
const ACCOUNT_BURST = 5_000;

const DEFAULTS = {
  gammaUrl: 'https://gamma-api.polymarket.com',
  clobUrl: 'https://clob.polymarket.com',
  refreshMinutes: 2,
  maxMarkets: SNAPSHOT_MARKETS_DEFAULT,
  staleIfErrorSeconds: 0,
  edge: true,
  edgeCache: false,
  publicKeys: ['1'],
  // The upstream takes 1,000 histories in 10 s from one address: GET and HEAD together, their bursts included, make no
  // more where a request is one call (of `3m` it is seven; but functions call from many addresses, and answers are
  // shared for a minute). The burst leaves room for several callers who spend the allowance of their IP at once.
  proxyThrottle: { ratePerSecond: 25, burst: 250 },
} as const;

/** The one table of stages; `-c stage=` chooses a row. */
export const STAGES: Readonly<Record<'dev' | 'prod', Stage>> = {
  dev: {
    ...DEFAULTS,
    name: 'dev',
    waf: false,
    // Without a WAF the plan itself has to stand what one caller can send; it is a fuse, no limit for callers.
    ...publicRate(3_000),
    partnerPlan: { ratePerSecond: 10, burst: 20, requestsPerMonth: 100_000 },
    priceClass: 'PRICE_CLASS_100',
    logRetentionDays: 7,
    apiAccessLog: false,
  },
  prod: {
    ...DEFAULTS,
    name: 'prod',
    waf: true,
    ...publicRate(1_000),
    partnerPlan: { ratePerSecond: 50, burst: 100, requestsPerMonth: 5_000_000 },
    priceClass: 'PRICE_CLASS_ALL',
    logRetentionDays: 30,
    apiAccessLog: true,
  },
};

export const DEFAULT_STAGE = 'dev';

/** Seconds a stage's snapshot is fresh (design 2.4). */
export function freshSecondsOf(stage: Stage): number {
  return Math.max(FRESH_SECONDS, stage.refreshMinutes * 60);
}

/**
 * The limits that follow from the public plan's rate. It has to lie far above what one caller can send: the plan is
 * applied before the per-IP limit, so that a plan which one caller can exhaust lets him lock out all others. Stage:
 * twice the plan, so that partners are served while the public plan is exhausted.
 */
export function publicRate(ratePerSecond: number): Pick<Stage, 'publicPlan' | 'stageThrottle'> {
  const burst = (seconds: number) => Math.min(seconds * ratePerSecond, ACCOUNT_BURST);
  return {
    publicPlan: { ratePerSecond, burst: burst(2) },
    stageThrottle: { ratePerSecond: 2 * ratePerSecond, burst: burst(4) },
  };
}
