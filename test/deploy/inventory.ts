import { type AwsCall, type Emulator, REGION } from './emulator.ts';

/**
 * Every kind of resource that the stacks create, as far as the emulator creates it: service,
 * operation, the field of the response that has the entries, the field that identifies an entry
 * (undefined: the entry itself).
 */
const KINDS: readonly (readonly [
  service: string,
  operation: string,
  entries: string,
  id: string | undefined,
])[] = [
  ['apigateway', 'get_api_keys', 'items', 'id'],
  ['apigateway', 'get_rest_apis', 'items', 'id'],
  ['apigateway', 'get_usage_plans', 'items', 'id'],
  ['cloudformation', 'list_stacks', 'StackSummaries', 'StackId'],
  ['cloudfront', 'list_distributions', 'DistributionList.Items', 'Id'],
  ['cloudfront', 'list_functions', 'FunctionList.Items', 'Name'],
  ['cloudwatch', 'describe_alarms', 'MetricAlarms', 'AlarmName'],
  ['cloudwatch', 'list_dashboards', 'DashboardEntries', 'DashboardName'],
  ['dynamodb', 'list_tables', 'TableNames', undefined],
  ['iam', 'list_roles', 'Roles', 'RoleName'],
  ['lambda', 'list_functions', 'Functions', 'FunctionName'],
  ['logs', 'describe_log_groups', 'logGroups', 'logGroupName'],
  ['s3', 'list_buckets', 'Buckets', 'Name'],
  ['scheduler', 'list_schedules', 'Schedules', 'Name'],
  ['secretsmanager', 'list_secrets', 'SecretList', 'ARN'],
  ['sns', 'list_topics', 'Topics', 'TopicArn'],
  ['wafv2', 'list_web_acls', 'WebACLs', 'ARN'],
];

/** The resources of the account as `service operation identity`. */
export async function inventory(emulator: Emulator): Promise<ReadonlySet<string>> {
  const responses = await emulator.calls(
    KINDS.map(([service, operation]): AwsCall => {
      if (service === 'wafv2')
        return { service, operation, parameters: { Scope: 'REGIONAL' }, region: REGION };
      return { service, operation, parameters: {}, region: REGION };
    }),
  );
  const found = KINDS.flatMap(([service, operation, entries, id], n) => {
    const response = responses[n];
    if (!response || 'error' in response)
      throw new Error(`${service} ${operation} failed: ${response?.error}`);
    return entriesOf(response.result, entries)
      .filter((entry) => fieldOf(entry, 'StackStatus') !== 'DELETE_COMPLETE')
      .map((entry) => {
        const identity = id === undefined ? entry : fieldOf(entry, id);
        if (typeof identity !== 'string')
          throw new Error(`${service} ${operation}: an entry has no ${id}`);
        return `${service} ${operation} ${identity}`;
      });
  });
  return new Set(found);
}

function entriesOf(result: unknown, path: string): readonly unknown[] {
  const found = path.split('.').reduce<unknown>(fieldOf, result);
  return Array.isArray(found) ? found : [];
}

function fieldOf(entry: unknown, field: string): unknown {
  return typeof entry === 'object' && entry !== null
    ? (entry as Record<string, unknown>)[field]
    : undefined;
}
