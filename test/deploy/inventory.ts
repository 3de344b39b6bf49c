import { type AwsCall, type Emulator, REGION } from './emulator.ts';

export const EDGE_REGION = 'us-east-1';

/** A list of one kind of resource. The fields of a response that hold the entries, and what identifies an entry. */
interface Kind {
  readonly service: string;
  readonly operation: string;
  readonly entries: string;
  /** Undefined: an entry is its own identity. */
  readonly id?: string;
  readonly regions?: readonly string[];
}

const BOTH_REGIONS = [REGION, EDGE_REGION];

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
    regions: BOTH_REGIONS,
  },
  { service: 'cloudfront', operation: 'list_distributions', entries: 'DistributionList.Items', id: 'Id' },
  { service: 'cloudfront', operation: 'list_functions', entries: 'FunctionList.Items', id: 'Name' },
  {
    service: 'cloudwatch',
    operation: 'describe_alarms',
    entries: 'MetricAlarms',
    id: 'AlarmName',
    regions: BOTH_REGIONS,
  },
  { service: 'cloudwatch', operation: 'list_dashboards', entries: 'DashboardEntries', id: 'DashboardName' },
  { service: 'dynamodb', operation: 'list_tables', entries: 'TableNames' },
  { service: 'iam', operation: 'list_roles', entries: 'Roles', id: 'RoleName' },
  { service: 'lambda', operation: 'list_functions', entries: 'Functions', id: 'FunctionName' },
  { service: 'logs', operation: 'describe_log_groups', entries: 'logGroups', id: 'logGroupName' },
  { service: 's3', operation: 'list_buckets', entries: 'Buckets', id: 'Name' },
  { service: 'scheduler', operation: 'list_schedules', entries: 'Schedules', id: 'Name' },
  { service: 'secretsmanager', operation: 'list_secrets', entries: 'SecretList', id: 'ARN' },
  { service: 'sns', operation: 'list_topics', entries: 'Topics', id: 'TopicArn', regions: BOTH_REGIONS },
  { service: 'wafv2', operation: 'list_web_acls', entries: 'WebACLs', id: 'ARN', regions: [EDGE_REGION] },
];

/** The resources of the account as `service operation region identity`. */
export async function inventory(emulator: Emulator): Promise<ReadonlySet<string>> {
  const lists = KINDS.flatMap((kind) => (kind.regions ?? [REGION]).map((region) => ({ ...kind, region })));
  const responses = await emulator.calls(
    lists.map(({ service, operation, region }): AwsCall => {
      const parameters = service === 'wafv2' ? { Scope: 'CLOUDFRONT' } : {};
      return { service, operation, parameters, region };
    }),
  );
  const found = lists.flatMap(({ service, operation, entries, id, region }, n) => {
    const response = responses[n];
    if (!response || 'error' in response) throw new Error(`${service} ${operation} failed: ${response?.error}`);
    return entriesOf(response.result, entries)
      .filter((entry) => fieldOf(entry, 'StackStatus') !== 'DELETE_COMPLETE')
      .map((entry) => {
        const identity = id === undefined ? entry : fieldOf(entry, id);
        if (typeof identity !== 'string') throw new Error(`${service} ${operation}: an entry has no ${id}`);
        return `${service} ${operation} ${region} ${identity}`;
      });
  });
  return new Set(found);
}

/** How many resources of each kind there are more, for people. */
export function summary(resources: ReadonlySet<string>): string {
  const counts = new Map<string, number>();
  for (const resource of resources) {
    const kind = resource.split(' ').slice(0, 2).join(' ');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${count} ${kind.replace(/(get|list|describe)_/, '')}`).join(', ');
}

function entriesOf(result: unknown, path: string): readonly unknown[] {
  const found = path.split('.').reduce<unknown>(fieldOf, result);
  return Array.isArray(found) ? found : [];
}

function fieldOf(entry: unknown, field: string): unknown {
  return typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>)[field] : undefined;
}
