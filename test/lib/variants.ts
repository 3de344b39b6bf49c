/**
 * The deployments whose templates the tests of `lib` read. Each variant has the settings of a
 * stage: what `stages/<stage>.json` or the option `-c` of the CDK can set.
 */
/** A web ACL (firewall rules) that exists outside of the stack. */
const WEB_ACL =
  'arn:aws:wafv2:us-east-1:123456789012:global/webacl/market-data-proxy/0a1b2c3d-4e5f';

export const VARIANTS = {
  dev: { stage: 'dev', region: 'eu-west-1' },
  prod: {
    stage: 'prod',
    region: 'eu-west-1',
    alarmEmail: 'on-call@example.com',
    alarmTopicArn: 'arn:aws:sns:eu-west-1:123456789012:pager',
    // The stack makes a regional web ACL for its API.
    webAcl: true,
  },
  /** In the region of CloudFront's own resources; has no web ACL. */
  prodVirginia: {
    stage: 'prod',
    region: 'us-east-1',
    alarmEmail: 'on-call@example.com',
    // The most markets for which the refresher has 512 MB.
    maxMarkets: 4_000,
  },
  /** An opt-in region, in which CloudFormation has no budgets. */
  noEdge: {
    stage: 'dev',
    region: 'eu-central-2',
    edge: false,
    // The fewest markets for which the refresher has 1,024 MB.
    maxMarkets: 4_001,
  },
  /** Has a value other than the default for most settings, to see where each one goes. */
  changed: {
    stage: 'dev',
    region: 'eu-west-1',
    domainName: 'markets.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-4e5f',
    // An existing web ACL, for CloudFront.
    webAcl: WEB_ACL,
    publicKeys: '1,2',
    publicRate: 60,
    maxMarkets: 10_000,
    archive: 'archive-of-a-deleted-stack',
    monthlyBudgetUsd: 0,
    upstreamUrl: 'https://upstream.example.com/',
  },
} as const satisfies Record<string, Readonly<Record<string, string | number | boolean>>>;

export type Variant = keyof typeof VARIANTS;
