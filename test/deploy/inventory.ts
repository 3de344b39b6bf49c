/**
 * Lists every resource in the account of the emulator of AWS to which `npm run test:deploy`
 * deploys the stack, to show what a deployment adds and what a deletion leaves.
 */
import { type AwsCall, type Emulator, REGION } from './emulator.ts';

/** A kind of resource, and the call that lists all of its entries in the account. */
interface Kind {
  /** Names of botocore. */
  readonly service: string;
  readonly operation: string;
  readonly parameters?: AwsCall['parameters'];
  /** The field of the response that has the entries. */
  readonly entries: string;
  /** The field that identifies an entry; without it, the entry is its own id. */
  readonly id?: string;
}

/** Every kind of resource that the stacks create, as far as the emulator creates it. */
const KINDS: readonly Kind[] = [
  { service: 'apigateway', operation: 'get_api_keys', entries: 'items', id: 'id' },
  { service: 'apigateway', operation: 'get_rest_apis', entries: 'items', id: 'id' },
  { service: 'apigateway', operation: 'get_usage_plans', entries: 'items', id: 'id' },
  {
    service: 'cloudformation',
    operation: 'list_stacks',
    entries: 'StackSummaries',
    id: 'StackId',
  },
  {
    service: 'cloudfront',
    operation: 'list_distributions',
    entries: 'DistributionList.Items',
    id: 'Id',
  },
  { service: 'cloudfront', operation: 'list_functions', entries: 'FunctionList.Items', id: 'Name' },
  {
    service: 'cloudwatch',
    operation: 'describe_alarms',
    entries: 'MetricAlarms',
    id: 'AlarmName',
  },
  {
    service: 'cloudwatch',
    operation: 'list_dashboards',
    entries: 'DashboardEntries',
    id: 'DashboardName',
  },
  { service: 'dynamodb', operation: 'list_tables', entries: 'TableNames' },
  { service: 'iam', operation: 'list_roles', entries: 'Roles', id: 'RoleName' },
  { service: 'lambda', operation: 'list_functions', entries: 'Functions', id: 'FunctionName' },
  { service: 'logs', operation: 'describe_log_groups', entries: 'logGroups', id: 'logGroupName' },
  { service: 's3', operation: 'list_buckets', entries: 'Buckets', id: 'Name' },
  { service: 'scheduler', operation: 'list_schedules', entries: 'Schedules', id: 'Name' },
  { service: 'secretsmanager', operation: 'list_secrets', entries: 'SecretList', id: 'ARN' },
  { service: 'sns', operation: 'list_topics', entries: 'Topics', id: 'TopicArn' },
  {
    service: 'wafv2',
    operation: 'list_web_acls',
    parameters: { Scope: 'REGIONAL' },
    entries: 'WebACLs',
    id: 'ARN',
  },
];

/** The resources of the account, such as `dynamodb list_tables market-data-proxy-dev-snapshots`. */
export async function inventory(emulator: Emulator): Promise<ReadonlySet<string>> {
  const calls = KINDS.map(
    ({ service, operation, parameters = {} }): AwsCall => ({
      service,
      operation,
      parameters,
      region: REGION,
    }),
  );
  const responses = await emulator.calls(calls);
  const found = new Set<string>();
  for (const [n, { service, operation, entries, id }] of KINDS.entries()) {
    const response = responses[n];
    if (!response || 'error' in response)
      throw new Error(`${service} ${operation} failed: ${response?.error}`);
    for (const entry of entriesOf(response.result, entries)) {
      if (fieldOf(entry, 'StackStatus') === 'DELETE_COMPLETE') continue;
      const identity = id === undefined ? entry : fieldOf(entry, id);
      if (typeof identity !== 'string')
        throw new Error(`${service} ${operation}: an entry has no ${id}`);
      found.add(`${service} ${operation} ${identity}`);
    }
  }
  return found;
}

/** @param path a field, or a field in a field: `DistributionList.Items` */
function entriesOf(result: unknown, path: string): readonly unknown[] {
  const found = path.split('.').reduce<unknown>(fieldOf, result);
  return Array.isArray(found) ? found : [];
}

function fieldOf(entry: unknown, field: string): unknown {
  return typeof entry === 'object' && entry !== null
    ? (entry as Record<string, unknown>)[field]
    : undefined;
}
