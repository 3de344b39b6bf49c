import type { DeploymentOptions } from '../../lib/deployment.ts';

/** A stage's context, and what only the process that synthesises knows. */
export type Variant = readonly [
  context?: Readonly<Record<string, string | number>>,
  options?: DeploymentOptions,
];

/*
 * The stages that tests look at. To synthesise one takes half a second, so options that leave each other alone share one:
 * a test that needs another value of an option adds it to one of these.
 */

export const DEV: Variant = [];

export const PROD: Variant = [{ stage: 'prod' }];

/** With what its operator adds: everything there can be. */
export const OPERATED: Variant = [
  { stage: 'prod', region: 'eu-central-1', alarmEmail: 'on-call@example.com', monthlyBudgetUsd: 50 },
  { cliRegion: 'sa-east-1' },
];

export const NO_EDGE: Variant = [{ edge: 'false' }];

export const PROD_WITHOUT_EDGE: Variant = [{ stage: 'prod', edge: 'false' }];

/** dev with each of these options at another value than its own. */
export const CHANGED: Variant = [
  {
    apiAccessLog: 'true',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-4e5f',
    domainName: 'markets.example.com',
    edgeCache: 'true',
    monthlyBudgetUsd: 50,
    page: 'false',
    publicKeys: '1,2',
    publicRate: 60,
    refreshMinutes: 5,
    reserveRefresher: 'true',
    runbookUrl: 'https://wiki.example.com/proxy',
    staleIfErrorSeconds: 7_200,
    waf: 'true',
  },
  { runbookUrl: 'https://github.com/acme/proxy/blob/HEAD/docs/runbook.md' },
];

/** And at yet another. */
export const CHANGED_AGAIN: Variant = [
  { maxMarkets: 500, monthlyBudgetUsd: 0, publicKeys: '2', staleIfErrorSeconds: 600 },
  { version: 'v1.2.3-4-gabcdef0', runbookUrl: 'https://github.com/acme/proxy/blob/HEAD/docs/runbook.md' },
];
