import { RegionInfo } from 'aws-cdk-lib/region-info';
import { MAX_MARKETS_DEFAULT, MAX_MARKETS_LIMIT } from '../../lambda/core/contract/constants.ts';

/** A mistake of the deployer. The message is one sentence that says what is allowed. */
export class StageError extends Error {
  override readonly name = 'StageError';
}

export type SettingValue = string | number | boolean;

export interface StageSettings {
  readonly region?: string;
  readonly alarmEmail?: string;
  readonly alarmTopicArn?: string;
  readonly monthlyBudgetUsd: number;
  readonly domainName?: string;
  readonly certificateArn?: string;
  readonly edge: boolean;
  readonly waf: boolean;
  readonly publicRate: number;
  readonly partnerRate: number;
  readonly partnerRequestsPerMonth: number;
  readonly publicKeys: string;
  readonly reservedConcurrency: number;
  readonly maxMarkets: number;
  readonly archive: boolean;
  readonly archiveBucket?: string;
  readonly production: boolean;
  readonly upstreamUrl?: string;
}

export type SettingName = keyof StageSettings;

interface Kind<T extends SettingValue> {
  /** Completes "It must be …". */
  readonly allowed: string;
  /** Reads the text of `-c`; undefined if not allowed. */
  readonly parse: (text: string) => T | undefined;
}

interface Setting<T extends SettingValue> extends Kind<T> {
  /** Absent: the setting is optional. */
  readonly default?: T;
  readonly about: string;
}

type SettingTable = {
  readonly [N in SettingName]-?: Setting<NonNullable<StageSettings[N]>>;
};

const flag: Kind<boolean> = {
  allowed: 'true or false',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

function integer(minimum: number, maximum: number): Kind<number> {
  return {
    allowed: `a whole number from ${minimum} to ${maximum}`,
    parse: (text) => {
      const value = Number(text);
      return /^\d+$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

function text(pattern: RegExp, allowed: string): Kind<string> {
  return { allowed, parse: (value) => (pattern.test(value) ? value : undefined) };
}

export const REGIONS = RegionInfo.regions.filter(({ partition }) => partition === 'aws').map(({ name }) => name);
const region: Kind<string> = {
  allowed: 'a region of the standard AWS partition, such as eu-west-1',
  parse: (name) => (REGIONS.includes(name) ? name : undefined),
};

/** In the order of docs/deployment.md. */
export const SETTINGS: SettingTable = {
  region: {
    ...region,
    about: 'The AWS region. Without it, the region of the AWS profile or of the environment.',
  },
  alarmEmail: {
    ...text(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an email address'),
    about: 'The address that receives alarms and budget notices.',
  },
  alarmTopicArn: {
    ...text(/^arn:aws:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/, 'the ARN of a standard SNS topic'),
    about: 'A topic of the same region, such as that of a pager. It receives the alarms of severity "page now".',
  },
  monthlyBudgetUsd: {
    ...integer(0, 100_000),
    default: 50,
    about: 'The monthly budget of the whole account, in USD. 0: no budget. Some regions have no budgets.',
  },
  domainName: {
    ...text(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/, 'a host name'),
    about: 'The domain of the front door. It needs certificateArn.',
  },
  certificateArn: {
    ...text(/^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/, 'the ARN of an ACM certificate in us-east-1'),
    about: 'The certificate of domainName. CloudFront accepts certificates from us-east-1 only.',
  },
  edge: {
    ...flag,
    default: true,
    about: 'Whether CloudFront is the front door. Without it callers send the public key, and there is no page.',
  },
  waf: {
    ...flag,
    default: false,
    about: 'Whether a web ACL protects the front door. It adds two stacks in us-east-1.',
  },
  publicRate: {
    ...integer(1, 1_000),
    default: 5,
    about: 'Requests a second of all anonymous callers together. It bounds what an attack costs.',
  },
  partnerRate: { ...integer(1, 1_000), default: 10, about: 'Requests a second of each partner key.' },
  partnerRequestsPerMonth: {
    ...integer(1_000, 1_000_000_000),
    default: 100_000,
    about: 'Requests a month of each partner key.',
  },
  publicKeys: {
    ...text(/^[a-zA-Z0-9]{1,12}(,[a-zA-Z0-9]{1,12})?$/, 'one name of letters and digits, or two separated by a comma'),
    default: '1',
    about: 'Names of the public API keys, two only while you replace the key. CloudFront sends the last one.',
  },
  reservedConcurrency: {
    ...integer(0, 1_000),
    default: 0,
    about:
      'Concurrent executions that each function with live data reserves; the refresher then reserves 2. 0: no reservation.',
  },
  maxMarkets: {
    ...integer(1, MAX_MARKETS_LIMIT),
    default: MAX_MARKETS_DEFAULT,
    about: 'Markets in a snapshot.',
  },
  archive: {
    ...flag,
    default: false,
    about: 'Whether a daily job writes the snapshots as Parquet files into a bucket. It adds at most 0.60 USD a month.',
  },
  archiveBucket: {
    ...text(/^(?=.{3,63}$)[a-z0-9][a-z0-9-]*[a-z0-9]$/, 'the name of a bucket without dots'),
    about:
      'An existing bucket of the same region for the archive, such as that of a deleted stack. Default: a new one.',
  },
  production: {
    ...flag,
    default: false,
    about: 'Adds termination protection, an access log, 30 days of logs and all CloudFront locations.',
  },
  upstreamUrl: {
    ...text(/^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/, 'an http or https URL'),
    about: 'A simulated upstream that replaces all three Polymarket hosts, for rehearsals.',
  },
};

/** Settings of earlier versions, and what replaces each. */
export const REPLACED_SETTINGS: ReadonlyMap<string, string> = new Map([
  ['publicClients', 'publicRate bounds a day: 5 a second are 432,000 requests a day.'],
]);

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}
