/**
 * Lists every resource in the account of the emulator of AWS to which `npm run test:deploy`
 * deploys the stack, to show what a deployment adds and what a deletion leaves.
 */
import { type AwsCall, type Emulator, REGION } from './emulator.ts';

/**
 * Every kind of resource that the stacks create, as far as the emulator creates it. A line has the
 * service and the operation of the call that lists all resources of a kind (names of botocore), the
 * field of the response with the list, and the field that identifies an entry. Without such a field
 * the entry is its own id.
 */
const KINDS = `
  apigateway     get_api_keys        items                  id
  apigateway     get_rest_apis       items                  id
  apigateway     get_usage_plans     items                  id
  cloudformation list_stacks         StackSummaries         StackId
  cloudfront     list_distributions  DistributionList.Items Id
  cloudfront     list_functions      FunctionList.Items     Name
  cloudwatch     describe_alarms     MetricAlarms           AlarmName
  cloudwatch     list_dashboards     DashboardEntries       DashboardName
  dynamodb       list_tables         TableNames
  iam            list_roles          Roles                  RoleName
  lambda         list_functions      Functions              FunctionName
  logs           describe_log_groups logGroups              logGroupName
  s3             list_buckets        Buckets                Name
  scheduler      list_schedules      Schedules              Name
  secretsmanager list_secrets        SecretList             ARN
  sns            list_topics         Topics                 TopicArn
  wafv2          list_web_acls       WebACLs                ARN`;

/** The resources of the account, such as `dynamodb list_tables market-data-proxy-dev-snapshots`. */
export async function inventory(emulator: Emulator): Promise<ReadonlySet<string>> {
  const kinds = KINDS.trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/));
  const calls = kinds.map(([service = '', operation = '']): AwsCall => {
    const parameters = service === 'wafv2' ? { Scope: 'REGIONAL' } : {};
    return { service, operation, parameters, region: REGION };
  });
  const responses = await emulator.calls(calls);
  const found = new Set<string>();
  for (const [n, [service, operation, entries = '', id]] of kinds.entries()) {
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
