import { SNAPSHOT_MARKETS_DEFAULT } from '../lambda/contract/limits.ts';

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
  /** Whether CloudFront may keep answers; those it keeps are not counted by the per-IP limit. */
  readonly edgeCache: boolean;
  /** What all anonymous callers together may do, in requests per second and at once. */
  readonly publicPlan: PlanRate;
  readonly logRetentionDays: 7 | 30;
}

export interface PlanRate {
  readonly ratePerSecond: number;
  readonly burst: number;
}

const DEFAULTS = {
  gammaUrl: 'https://gamma-api.polymarket.com',
  clobUrl: 'https://clob.polymarket.com',
  refreshMinutes: 2,
  maxMarkets: SNAPSHOT_MARKETS_DEFAULT,
  staleIfErrorSeconds: 0,
  edgeCache: false,
} as const;

/** The one table of stages; `-c stage=` chooses a row. */
export const STAGES: Readonly<Record<'dev' | 'prod', Stage>> = {
  dev: { ...DEFAULTS, name: 'dev', publicPlan: { ratePerSecond: 50, burst: 200 }, logRetentionDays: 7 },
  prod: { ...DEFAULTS, name: 'prod', publicPlan: { ratePerSecond: 200, burst: 800 }, logRetentionDays: 30 },
};

export const DEFAULT_STAGE = 'dev';
