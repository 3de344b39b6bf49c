/** The settings of a stage as a table: their allowed values and defaults. */
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { MAX_MARKETS_DEFAULT, MAX_MARKETS_LIMIT } from '../../lambda/core/contract/constants.ts';

/** A mistake of the deployer. The message is one sentence that says what is allowed. */
export class StageError extends Error {
  override readonly name = 'StageError';
}

export type SettingValue = string | number | boolean;

/** The values that a setting accepts, for example whole numbers from 1 to 10. */
interface Kind<T extends SettingValue> {
  /** Completes "It must be …" in an error. */
  readonly allowed: string;
  /** Makes the value from a text of the command line; undefined if it is not allowed. */
  readonly parse: (text: string) => T | undefined;
}

/** Makes a setting that always has a value. */
function withDefault<T extends SettingValue>(kind: Kind<T>, value: T) {
  return { ...kind, default: value };
}

/** Makes a setting that may be absent. */
function optional<T extends SettingValue>(kind: Kind<T>) {
  return { ...kind, default: undefined as T | undefined };
}

const flag: Kind<boolean> = {
  allowed: 'true or false',
  parse(text) {
    if (text === 'true') return true;
    return text === 'false' ? false : undefined;
  },
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

function matching(pattern: RegExp, allowed: string): Kind<string> {
  return { allowed, parse: (value) => (pattern.test(value) ? value : undefined) };
}

const bucket = matching(/^(?=.{3,63}$)[a-z0-9][a-z0-9-]*[a-z0-9]$/, 'the name of a bucket');
const flagOrBucket: Kind<boolean | string> = {
  allowed: 'true, false, or the name of a bucket without dots',
  parse: (value) => flag.parse(value) ?? bucket.parse(value),
};

const edgeWebAcl = matching(
  /^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/,
  'the ARN of a web ACL for CloudFront',
);
const flagOrWebAcl: Kind<boolean | string> = {
  allowed: `true, false, or ${edgeWebAcl.allowed}`,
  parse: (value) => flag.parse(value) ?? edgeWebAcl.parse(value),
};

/**
 * CloudFormation's schemas are not public in these regions, so we cannot check templates for them.
 */
const WITHOUT_SCHEMAS = ['me-south-1', 'me-west-1'];
/** The regions that a stage may be in. */
export const REGIONS = RegionInfo.regions
  .filter(({ name, partition }) => partition === 'aws' && !WITHOUT_SCHEMAS.includes(name))
  .map(({ name }) => name);
const region: Kind<string> = {
  allowed:
    'a region of the standard AWS partition whose resource types have public schemas, such as eu-west-1',
  parse: (name) => (REGIONS.includes(name) ? name : undefined),
};

/** Each setting with its allowed values and its default, in the order of docs/deployment.md. */
export const SETTINGS = {
  /** Default: the region of the AWS profile or of the environment. */
  region: optional(region),
  /** Receives all alarms and budget notices. Production needs it. */
  alarmEmail: optional(matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an email address')),
  /** A pager's topic. Receives the alarms of severity `page` too. */
  alarmTopicArn: optional(
    matching(/^arn:aws:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/, 'the ARN of a standard SNS topic'),
  ),
  /** The budget of the whole account. 0 means no budget. */
  monthlyBudgetUsd: withDefault(integer(0, 100_000), 50),
  /** The host name of the front door. Needs `certificateArn`. */
  domainName: optional(
    matching(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/, 'a host name'),
  ),
  /** The certificate of `domainName`. CloudFront accepts certificates from us-east-1 only. */
  certificateArn: optional(
    matching(
      /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
      'the ARN of an ACM certificate in us-east-1',
    ),
  ),
  /**
   * Whether CloudFront is the front door. Without it callers send the public key, and there is no
   * page.
   */
  edge: withDefault(flag, true),
  /**
   * `true` makes a web ACL for the API, which stops fast addresses before the shared plan. It costs
   * 6 USD a month when idle. An ARN puts the operator's own web ACL before CloudFront instead.
   */
  webAcl: withDefault(flagOrWebAcl, false),
  /** Requests a second of all anonymous callers together. Bounds the cost of an attack. */
  publicRate: withDefault(integer(1, 1_000), 20),
  /** Requests a second of each partner key. */
  partnerRate: withDefault(integer(1, 1_000), 10),
  /** Requests a month of each partner key. */
  partnerRequestsPerMonth: withDefault(integer(1_000, 1_000_000_000), 100_000),
  /**
   * Names of the public API keys: two only while a key is replaced. CloudFront sends the last one.
   */
  publicKeys: withDefault(
    matching(
      /^[a-zA-Z0-9]{1,12}(,[a-zA-Z0-9]{1,12})?$/,
      'one name of letters and digits, or two separated by a comma',
    ),
    '1',
  ),
  /** Markets in a snapshot. */
  maxMarkets: withDefault(integer(1, MAX_MARKETS_LIMIT), MAX_MARKETS_DEFAULT),
  /**
   * Whether a daily job writes Parquet files. The value can also name an existing bucket of the
   * same region for them.
   */
  archive: withDefault(flagOrBucket, false),
  /** Termination protection, an access log, 30 days of logs, all CloudFront locations. */
  production: withDefault(flag, false),
  /** For rehearsals: a simulated upstream replaces all Polymarket hosts. */
  upstreamUrl: optional(matching(/^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/, 'an http or https URL')),
} as const;

export type SettingName = keyof typeof SETTINGS;

/**
 * The values of a stage's settings. Each has the type of its default: `maxMarkets: number`, but
 * `region: string | undefined`, because `region` is optional.
 */
export type StageSettings = {
  readonly [N in SettingName]: (typeof SETTINGS)[N]['default'];
};

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}
