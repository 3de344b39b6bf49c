/**
 * List prices of AWS in US East (N. Virginia), in USD, without free tiers, discounts and taxes, as known on `asOf` and
 * not read from AWS by any program: verify them at the source before you rely on them. Ireland asks about 13 % more
 * for DynamoDB and logs, and the same for most of the rest.
 */
export const PRICES_AS_OF = '2026-08-31';
export const PRICES_REGION = 'us-east-1';

export interface Price {
  /** USD for one `unit`. */
  readonly usd: number;
  readonly unit: string;
  /** The page of AWS that says so. */
  readonly source: string;
}

const MILLION = 1_000_000;
const page = (service: string) => `https://aws.amazon.com/${service}/pricing/`;

export const PRICES = {
  apiRequest: { usd: 3.5 / MILLION, unit: 'request (first 333 million)', source: page('api-gateway') },
  lambdaRequest: { usd: 0.2 / MILLION, unit: 'request', source: page('lambda') },
  lambdaGbSecond: { usd: 0.0000133334, unit: 'GB-second (arm64)', source: page('lambda') },
  dynamoDbWrite: { usd: 0.625 / MILLION, unit: 'write unit', source: page('dynamodb') },
  dynamoDbRead: { usd: 0.125 / MILLION, unit: 'read unit', source: page('dynamodb') },
  edgeRequest: {
    usd: 1.2 / MILLION,
    unit: 'HTTPS request (Europe; 1.00 a million in the US)',
    source: page('cloudfront'),
  },
  edgeFunction: { usd: 0.1 / MILLION, unit: 'run of a CloudFront function', source: page('cloudfront') },
  edgeGb: { usd: 0.085, unit: 'GB to viewers (US, Europe; first 10 TB)', source: page('cloudfront') },
  logGb: { usd: 0.5, unit: 'GB of logs taken in', source: page('cloudwatch') },
  metric: { usd: 0.3, unit: 'custom metric and month', source: page('cloudwatch') },
  alarmMetric: { usd: 0.1, unit: 'metric of an alarm and month', source: page('cloudwatch') },
  dashboard: { usd: 3, unit: 'dashboard and month', source: page('cloudwatch') },
  trace: { usd: 5 / MILLION, unit: 'trace', source: page('xray') },
  secret: { usd: 0.4, unit: 'secret and month', source: page('secrets-manager') },
  schedule: { usd: 1 / MILLION, unit: 'invocation by the scheduler', source: page('eventbridge') },
  webAcl: { usd: 5, unit: 'web ACL and month', source: page('waf') },
  webAclRule: { usd: 1, unit: 'rule of a web ACL and month', source: page('waf') },
  webAclRequest: { usd: 0.6 / MILLION, unit: 'request that a web ACL looks at', source: page('waf') },
  encryptionKey: { usd: 1, unit: 'key and month', source: page('kms') },
} as const satisfies Record<string, Price>;

export type PriceName = keyof typeof PRICES;

/**
 * What AWS gives each account for nothing every month, without an end (as of 2026-08). Three dashboards are free too, but
 * only of at most 50 metrics.
 */
export const FREE_EACH_MONTH: Readonly<Partial<Record<PriceName, number>>> = {
  lambdaRequest: MILLION,
  lambdaGbSecond: 400_000,
  edgeRequest: 10 * MILLION,
  edgeFunction: 2 * MILLION,
  edgeGb: 1_024,
  logGb: 5,
  metric: 10,
  alarmMetric: 10,
  trace: 100_000,
  schedule: 14 * MILLION,
};
