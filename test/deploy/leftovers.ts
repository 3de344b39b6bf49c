import type { AwsCall, Emulator } from './emulator.ts';
import { ACCOUNT } from './sandbox.ts';

/** Everything the stack makes: service, call that lists it, and the field of the response with the list. */
const LISTS = [
  ['apigateway', 'get_api_keys', 'items'],
  ['apigateway', 'get_rest_apis', 'items'],
  ['apigateway', 'get_usage_plans', 'items'],
  ['cloudwatch', 'describe_alarms', 'MetricAlarms'],
  ['cloudwatch', 'list_dashboards', 'DashboardEntries'],
  ['dynamodb', 'list_tables', 'TableNames'],
  ['iam', 'list_roles', 'Roles'],
  ['lambda', 'list_functions', 'Functions'],
  ['logs', 'describe_log_groups', 'logGroups'],
  ['scheduler', 'list_schedules', 'Schedules'],
  ['secretsmanager', 'list_secrets', 'SecretList'],
  ['sns', 'list_topics', 'Topics'],
  ['sqs', 'list_queues', 'QueueUrls'],
] as const;

/** Resources by kind, as text. */
export type Inventory = ReadonlyMap<string, readonly string[]>;

/** What there is in the account, without what bootstrapping makes: that serves all stacks and stays. */
export async function inventory(emulator: Emulator): Promise<Inventory> {
  const calls = LISTS.map(([service, operation]): AwsCall => ({ service, operation, parameters: {} }));
  const responses = await emulator.calls(calls);
  const entries = LISTS.map(([service, operation, field], n) => {
    const response = responses[n];
    if (!response || 'error' in response)
      throw new Error(`${service} ${operation} was refused: ${response?.error}`);
    const found = (response.result[field] as readonly unknown[] | undefined) ?? [];
    return [`${service} ${field}`, found.map((one) => JSON.stringify(one)).filter(isOurs)] as const;
  });
  return new Map(entries);
}

/** The kinds of which there is something, each with how many. */
export function summaryOf(resources: Inventory): string {
  const kinds = [...resources].filter(([, found]) => found.length > 0);
  return kinds.map(([kind, found]) => `${found.length} ${kind}`).join(', ');
}

function isOurs(resource: string): boolean {
  return !resource.includes(`role/cdk-hnb659fds-`) || !resource.includes(ACCOUNT);
}
