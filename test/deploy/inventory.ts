import { type AwsCall, type Emulator, REGION } from './emulator.ts';

export const EDGE_REGION = 'us-east-1';

const HERE = [REGION];
const EDGE = [EDGE_REGION];

/**
 * Every kind of resource that the stacks create, as far as the emulator creates it: service, operation, the field of the
 * response that has the entries, the field that identifies an entry (undefined: the entry itself), regions.
 */
const KINDS: readonly (readonly [string, string, entries: string, id: string | undefined, readonly string[]])[] = [
  ['apigateway', 'get_api_keys', 'items', 'id', HERE],
  ['apigateway', 'get_rest_apis', 'items', 'id', HERE],
  ['apigateway', 'get_usage_plans', 'items', 'id', HERE],
  ['cloudformation', 'list_stacks', 'StackSummaries', 'StackId', HERE],
  ['cloudfront', 'list_distributions', 'DistributionList.Items', 'Id', HERE],
  ['cloudfront', 'list_functions', 'FunctionList.Items', 'Name', HERE],
  ['cloudwatch', 'describe_alarms', 'MetricAlarms', 'AlarmName', HERE],
  ['cloudwatch', 'list_dashboards', 'DashboardEntries', 'DashboardName', HERE],
  ['dynamodb', 'list_tables', 'TableNames', undefined, HERE],
  ['iam', 'list_roles', 'Roles', 'RoleName', HERE],
  ['lambda', 'list_functions', 'Functions', 'FunctionName', HERE],
  ['logs', 'describe_log_groups', 'logGroups', 'logGroupName', HERE],
  ['s3', 'list_buckets', 'Buckets', 'Name', HERE],
  ['scheduler', 'list_schedules', 'Schedules', 'Name', HERE],
  ['secretsmanager', 'list_secrets', 'SecretList', 'ARN', HERE],
  ['sns', 'list_topics', 'Topics', 'TopicArn', HERE],
  ['wafv2', 'list_web_acls', 'WebACLs', 'ARN', EDGE],
];

/** The resources of the account as `service operation region identity`. */
export async function inventory(emulator: Emulator): Promise<ReadonlySet<string>> {
  const lists = KINDS.flatMap(([service, operation, entries, id, regions]) =>
    regions.map((region) => ({ service, operation, entries, id, region })),
  );
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

function entriesOf(result: unknown, path: string): readonly unknown[] {
  const found = path.split('.').reduce<unknown>(fieldOf, result);
  return Array.isArray(found) ? found : [];
}

function fieldOf(entry: unknown, field: string): unknown {
  return typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>)[field] : undefined;
}
