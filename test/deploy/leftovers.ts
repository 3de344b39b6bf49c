import { ACCOUNT, type AwsCall, type Emulator, REGION } from './emulator.ts';

/** One list for each kind of resource that the stacks create: service, operation, field of the response, region. */
const EDGE_REGION = 'us-east-1';
const LISTS: readonly (readonly [service: string, operation: string, field: string, region?: string])[] = [
  ['apigateway', 'get_api_keys', 'items'],
  ['apigateway', 'get_rest_apis', 'items'],
  ['apigateway', 'get_usage_plans', 'items'],
  ['cloudformation', 'describe_stacks', 'Stacks'],
  ['cloudformation', 'describe_stacks', 'Stacks', EDGE_REGION],
  ['cloudfront', 'list_distributions', 'DistributionList.Items'],
  ['cloudfront', 'list_functions', 'FunctionList.Items'],
  ['cloudwatch', 'describe_alarms', 'MetricAlarms'],
  ['cloudwatch', 'describe_alarms', 'MetricAlarms', EDGE_REGION],
  ['cloudwatch', 'list_dashboards', 'DashboardEntries'],
  ['dynamodb', 'list_tables', 'TableNames'],
  ['iam', 'list_roles', 'Roles'],
  ['lambda', 'list_functions', 'Functions'],
  ['logs', 'describe_log_groups', 'logGroups'],
  ['s3', 'list_buckets', 'Buckets'],
  ['scheduler', 'list_schedules', 'Schedules'],
  ['secretsmanager', 'list_secrets', 'SecretList'],
  ['sns', 'list_topics', 'Topics'],
  ['sns', 'list_topics', 'Topics', EDGE_REGION],
  ['sqs', 'list_queues', 'QueueUrls'],
  ['wafv2', 'list_web_acls', 'WebACLs', EDGE_REGION],
];

/** The resources of the account by kind, as JSON, without those of the bootstrap, which all stacks share. */
export async function inventory(emulator: Emulator): Promise<ReadonlyMap<string, readonly string[]>> {
  const calls = LISTS.map(([service, operation, , region = REGION]): AwsCall => {
    const parameters = service === 'wafv2' ? { Scope: 'CLOUDFRONT' } : {};
    return { service, operation, parameters, region };
  });
  const responses = await emulator.calls(calls);
  return new Map(
    LISTS.map(([service, operation, field, region = REGION], n) => {
      const response = responses[n];
      if (!response || 'error' in response) throw new Error(`${service} ${operation} failed: ${response?.error}`);
      const found = field
        .split('.')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], response.result);
      const entries = (found as readonly unknown[] | undefined) ?? [];
      return [`${service} ${field} ${region}`, entries.map((one) => JSON.stringify(one)).filter(isOurs)] as const;
    }),
  );
}

function isOurs(resource: string): boolean {
  return !/"CDKToolkit"|cdk-hnb659fds-/.test(resource) || !resource.includes(ACCOUNT);
}
