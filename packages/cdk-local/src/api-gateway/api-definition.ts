import { TemplateError } from '../template/json.ts';
import type { Stack } from '../template/stack.ts';
import { GatewayResponses } from './gateway-responses.ts';
import { type MethodDefinition, readMethods } from './method-definition.ts';
import { readStage, type StageDefinition } from './stage-definition.ts';
import { type ApiKey, readApiKeys, readUsagePlans, type UsagePlan } from './usage-plans.ts';

/** The REST API of a stack, everything read and checked. */
export interface ApiDefinition {
  readonly id: string;
  readonly stage: StageDefinition;
  readonly methods: readonly MethodDefinition[];
  readonly keys: readonly ApiKey[];
  readonly plans: readonly UsagePlan[];
  readonly responses: GatewayResponses;
  /** Bytes; `undefined` when responses are not compressed. */
  readonly minimumCompressionSize: number | undefined;
}

/** Properties of an API that would change what it does in ways that are not reproduced here. */
const UNSUPPORTED = ['Body', 'BodyS3Location', 'Policy', 'BinaryMediaTypes', 'CloneFrom'];

/** @throws {TemplateError} naming the first thing that the local server cannot do */
export function readApi(stack: Stack): ApiDefinition {
  const [restApi, another] = stack.resources('AWS::ApiGateway::RestApi');
  if (restApi === undefined || another !== undefined)
    throw new TemplateError('The stack must have one REST API');
  const { properties } = restApi;
  for (const name of UNSUPPORTED) {
    if (properties.has(name))
      throw new TemplateError(`${properties.where(name)}: the local server does not know it`);
  }
  if ((properties.optionalString('ApiKeySourceType') ?? 'HEADER') !== 'HEADER') {
    throw new TemplateError(`${properties.where('ApiKeySourceType')}: only HEADER is known`);
  }
  const id = stack.ref(restApi.id);
  const stage = readStage(stack, restApi);
  return {
    id,
    stage,
    methods: readMethods(stack, restApi),
    keys: readApiKeys(stack),
    plans: readUsagePlans(stack, id, stage.name),
    responses: new GatewayResponses(stack),
    minimumCompressionSize: properties.optionalNumber('MinimumCompressionSize'),
  };
}
