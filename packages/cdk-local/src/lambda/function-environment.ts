import type { Assembly } from '../template/assembly.ts';
import type { Properties } from '../template/properties.ts';
import type { Stack } from '../template/stack.ts';

/** What a function of the template finds around it. */
export interface FunctionContext {
  readonly stack: Stack;
  readonly assembly: Assembly;
  readonly dynamodbUrl: string;
  /** Replace variables of the template's environment, in functions that have them. */
  readonly overrides: Readonly<Record<string, string>>;
}

/**
 * What a function finds in `process.env`: the template's variables and those that Lambda's runtime sets, nothing
 * of this process. The credentials are not real: the embedded DynamoDB accepts any.
 */
export function functionEnvironment(
  properties: Properties,
  { stack, dynamodbUrl, overrides }: FunctionContext,
  own: { readonly name: string; readonly memoryMb: number; readonly folder: string },
): Record<string, string> {
  const variables = properties.object('Environment')?.strings('Variables') ?? {};
  for (const [name, value] of Object.entries(overrides)) {
    if (name in variables) variables[name] = value;
  }
  const logging = properties.object('LoggingConfig');
  const logLevel = logging?.optionalString('ApplicationLogLevel');
  return {
    ...variables,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl,
    AWS_REGION: stack.place.region,
    AWS_DEFAULT_REGION: stack.place.region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_EXECUTION_ENV: `AWS_Lambda_${properties.string('Runtime')}`,
    AWS_LAMBDA_FUNCTION_NAME: own.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(own.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: logging?.optionalString('LogGroup') ?? `/aws/lambda/${own.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local/[$LATEST]',
    ...(logLevel === undefined ? {} : { AWS_LAMBDA_LOG_LEVEL: logLevel }),
    LAMBDA_TASK_ROOT: own.folder,
    LAMBDA_RUNTIME_DIR: '/var/runtime',
    _HANDLER: properties.string('Handler'),
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
  };
}
