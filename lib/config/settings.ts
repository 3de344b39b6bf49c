import { REQUESTS_PER_MINUTE, SNAPSHOT_MARKETS_DEFAULT } from '../../lambda/contract/constants.ts';
import { UPSTREAMS } from '../../lambda/contract/upstreams.ts';
import {
  email,
  hostName,
  integer,
  keyNames,
  oneOf,
  region,
  type SettingKind,
  type SettingValue,
  trueOrFalse,
  url,
  usEast1Certificate,
} from './setting-kinds.ts';

interface Setting<T extends SettingValue> {
  readonly kind: SettingKind<T>;
  /** What it does, in a sentence: for the editor, the command line and docs/deployment.md. */
  readonly about: string;
}

interface WithDefault<T extends SettingValue> extends Setting<T> {
  readonly default: T;
}

interface Optional<T extends SettingValue> extends Setting<T> {
  /** What happens without it. */
  readonly unset: string;
}

function setting<T extends SettingValue>(kind: SettingKind<T>, byDefault: NoInfer<T>, about: string) {
  return { kind, default: byDefault, about } satisfies WithDefault<T>;
}

function optional<T extends SettingValue>(kind: SettingKind<T>, unset: string, about: string) {
  return { kind, unset, about } satisfies Optional<T>;
}

/** The prices of all are read every minute, and a run holds them all. */
const RUN_REASON = 'more do not fit into a run';

/**
 * Everything that may differ between two deployments, each once: the type `Settings`, the schema of the stage files,
 * what `-c` takes, `npm run settings` and the table of docs/deployment.md are all made from these rows.
 */
export const SETTINGS = {
  region: optional(region, 'where the CDK CLI deploys to', 'The AWS region of the service.'),
  alarmEmail: optional(email, 'nobody is told', 'Where alarms and the budget write to.'),
  monthlyBudgetUsd: setting(
    integer(0, 100_000),
    50,
    'What a month of the whole account may cost before AWS Budgets writes to `alarmEmail`; 0: no budget.',
  ),
  runbookUrl: optional(
    url,
    'docs/runbook.md of the repository that git calls origin',
    'Address of the runbook for the links in alarm mails; it must open on a phone.',
  ),
  domainName: optional(
    hostName,
    "CloudFront's own name",
    'The domain of the edge; `certificateArn` goes with it.',
  ),
  certificateArn: optional(
    usEast1Certificate,
    "CloudFront's own certificate",
    'The certificate of `domainName`, in us-east-1.',
  ),
  edge: setting(
    trueOrFalse,
    true,
    'Whether CloudFront stands before the API. Without it a deployment takes a minute, and callers send the public key themselves.',
  ),
  page: setting(
    trueOrFalse,
    true,
    'Whether the front door shows the web page. No plan and no throttle bounds what its files cost under attack: docs/costs.md.',
  ),
  edgeCache: setting(
    trueOrFalse,
    false,
    'Whether CloudFront may keep responses for as long as they are fresh; those it keeps are not counted by the per-IP limit.',
  ),
  waf: setting(
    trueOrFalse,
    false,
    'Whether a web ACL guards the edge: a second stack, in us-east-1, and some USD a month when idle.',
  ),
  priceClass: setting(
    oneOf('PRICE_CLASS_100', 'PRICE_CLASS_200', 'PRICE_CLASS_ALL'),
    'PRICE_CLASS_100',
    'Where in the world CloudFront responds: North America and Europe, most of the rest too, or everywhere.',
  ),
  publicRate: setting(
    integer(
      REQUESTS_PER_MINUTE,
      5_000,
      `one caller may send ${REQUESTS_PER_MINUTE} at once, and must not use up what all share`,
    ),
    75,
    'Requests a second of all anonymous callers together. It is a fuse: it bounds what an hour of attack costs.',
  ),
  publicRequestsPerDay: setting(
    integer(10_000, 100_000_000),
    500_000,
    'Requests a day of all anonymous callers together: the fuse behind the fuse. When it has blown, they get 429 until midnight UTC.',
  ),
  publicKeys: setting(
    keyNames,
    '1',
    'Names of the public keys, the one that CloudFront sends last: two with a comma between while the key is replaced.',
  ),
  partnerRate: setting(
    integer(1, 1_000),
    10,
    'Requests a second of each partner with a key of their own; twice as many at once.',
  ),
  partnerRequestsPerMonth: setting(
    integer(1_000, 1_000_000_000),
    100_000,
    'Requests a month of each partner.',
  ),
  proxyRate: setting(
    integer(1, 25, 'with its burst, more would be beyond what the upstream takes from one address'),
    25,
    'Requests a second of each live route (order book, price history) and method, whoever calls: protects the upstream.',
  ),
  refreshMinutes: setting(
    integer(1, 60),
    2,
    'Minutes between two refreshes; data is fresh for as long, and for two minutes at least.',
  ),
  maxMarkets: setting(
    integer(1, 50_000, RUN_REASON),
    SNAPSHOT_MARKETS_DEFAULT,
    'Markets in a snapshot. Beyond 4,000 it fills within minutes of the first run; beyond 10,000 the facts of the tail are up to 15 minutes old.',
  ),
  staleIfErrorSeconds: setting(
    integer(0, 86_400),
    0,
    'Age in seconds up to which old data is served rather than 502; 0: never.',
  ),
  terminationProtection: setting(
    trueOrFalse,
    false,
    'Whether CloudFormation refuses to delete the stacks until somebody switches this off.',
  ),
  reserveRefresher: setting(
    trueOrFalse,
    false,
    "Whether two of the account's concurrent executions are the refresher's own, so that no flood of readers stops it. AWS refuses it where the quota is below 102.",
  ),
  apiAccessLog: setting(
    trueOrFalse,
    false,
    "Whether the API writes an access log. It takes over the account's one logging role for API Gateway, and leaves it behind.",
  ),
  logRetentionDays: setting(oneOf(7, 30), 7, 'Days that logs are kept.'),
  gammaUrl: setting(url, UPSTREAMS.gamma.url, 'Another upstream for the catalogue; `clobUrl` goes with it.'),
  clobUrl: setting(
    url,
    UPSTREAMS.clob.url,
    'Another upstream for prices, books and histories; `gammaUrl` goes with it.',
  ),
  dataUrl: setting(
    url,
    UPSTREAMS.data.url,
    'Another upstream for the histories that `clobUrl` does not give.',
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<S> = S extends { readonly kind: SettingKind<infer T> } ? T : never;
type RequiredName = {
  [N in SettingName]: (typeof SETTINGS)[N] extends { readonly default: SettingValue } ? N : never;
}[SettingName];

/** The settings of a deployment, complete. */
export type Settings = { readonly [N in RequiredName]: ValueOf<(typeof SETTINGS)[N]> } & {
  readonly [N in Exclude<SettingName, RequiredName>]?: ValueOf<(typeof SETTINGS)[N]> | undefined;
};

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** @returns undefined for a setting that is left out unless somebody sets it */
export function defaultOf(name: SettingName): SettingValue | undefined {
  const row: object = SETTINGS[name];
  return 'default' in row ? (row.default as SettingValue) : undefined;
}

/** What happens without a value, for a setting that has no default. */
export function unsetOf(name: SettingName): string {
  const row: object = SETTINGS[name];
  return 'unset' in row ? String(row.unset) : '';
}
