import { TemplateError } from '../template/json.ts';
import type { Properties } from '../template/properties.ts';
import type { Resource, Stack } from '../template/stack.ts';
import { type MockIntegration, readMockIntegration } from './mock-integration.ts';
import { type ApiResource, readResources } from './routes.ts';

/** A method of the API as the template defines it. */
export interface MethodDefinition {
  readonly resource: ApiResource;
  /** `GET`, …, or `ANY`. */
  readonly httpMethod: string;
  readonly apiKeyRequired: boolean;
  /** Parameters that a request validator wants, in the template's order. */
  readonly requiredQuery: readonly string[];
  readonly requiredHeaders: readonly string[];
  readonly integration: LambdaIntegration | MockIntegration;
}

export interface LambdaIntegration {
  readonly kind: 'lambda';
  readonly functionArn: string;
  readonly timeoutMs: number;
}

/** API Gateway waits no longer for an integration, unless it is told to. */
const INTEGRATION_TIMEOUT_MS = 29_000;

/** The API's methods. @throws {TemplateError} naming whatever this server cannot do */
export function readMethods(stack: Stack, restApi: Resource): MethodDefinition[] {
  const resources = readResources(stack, restApi);
  const validators = new Map(
    stack
      .resources('AWS::ApiGateway::RequestValidator')
      .map(({ id, properties }) => [stack.ref(id), properties]),
  );
  return stack.resources('AWS::ApiGateway::Method').map(({ id, properties }) => {
    const resource = resources.get(properties.string('ResourceId'));
    if (resource === undefined) throw new TemplateError(`${id}.ResourceId is not a resource of the API`);
    const authorization = properties.optionalString('AuthorizationType') ?? 'NONE';
    if (authorization !== 'NONE') {
      throw new TemplateError(`${id}.AuthorizationType: the local server does not know ${authorization}`);
    }
    const validatorId = properties.optionalString('RequestValidatorId');
    const validator = validatorId === undefined ? undefined : validators.get(validatorId);
    return {
      resource,
      httpMethod: properties.string('HttpMethod'),
      apiKeyRequired: properties.boolean('ApiKeyRequired'),
      ...requiredParameters(properties, validator),
      integration: readIntegration(properties, id),
    };
  });
}

function requiredParameters(
  properties: Properties,
  validator: Properties | undefined,
): { requiredQuery: string[]; requiredHeaders: string[] } {
  if (
    validator?.boolean('ValidateRequestBody') &&
    Object.keys(properties.strings('RequestModels')).length > 0
  ) {
    throw new TemplateError(
      `${properties.where('RequestModels')}: the local server does not validate bodies`,
    );
  }
  if (!validator?.boolean('ValidateRequestParameters')) return { requiredQuery: [], requiredHeaders: [] };
  const required = Object.entries(properties.strings('RequestParameters')).filter(
    ([, value]) => value === 'true',
  );
  const under = (prefix: string): string[] =>
    required.filter(([name]) => name.startsWith(prefix)).map(([name]) => name.slice(prefix.length));
  return {
    requiredQuery: under('method.request.querystring.'),
    requiredHeaders: under('method.request.header.'),
  };
}

function readIntegration(method: Properties, id: string): LambdaIntegration | MockIntegration {
  const integration = method.object('Integration');
  if (integration === undefined) throw new TemplateError(`${id} has no Integration`);
  const type = integration.string('Type');
  if (type === 'MOCK') return readMockIntegration(integration);
  const functionArn = /:lambda:path\/2015-03-31\/functions\/(arn:[^/]+)\/invocations$/.exec(
    integration.optionalString('Uri') ?? '',
  )?.[1];
  if (type !== 'AWS_PROXY' || functionArn === undefined) {
    throw new TemplateError(
      `${id}.Integration: the local server does not know the integration ${type} of this method`,
    );
  }
  return {
    kind: 'lambda',
    functionArn,
    timeoutMs: integration.optionalNumber('TimeoutInMillis') ?? INTEGRATION_TIMEOUT_MS,
  };
}
