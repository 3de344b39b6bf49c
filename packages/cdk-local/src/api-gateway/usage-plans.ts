import { TemplateError } from '../template/json.ts';
import type { Properties } from '../template/properties.ts';
import type { Stack } from '../template/stack.ts';
import type { Throttle } from './throttle.ts';

export interface ApiKey {
  /** What `Ref` gives: `requestContext.identity.apiKeyId`. */
  readonly id: string;
  readonly logicalId: string;
  readonly name: string | undefined;
  readonly value: string;
  readonly enabled: boolean;
}

export interface Quota {
  readonly limit: number;
  readonly offset: number;
  readonly period: 'DAY' | 'WEEK' | 'MONTH';
}

/** A usage plan as it applies to the stage that is served. */
export interface UsagePlan {
  readonly id: string;
  readonly throttle: Throttle | undefined;
  /** By `<resource path>/<HTTP method>`, for example `/api/markets/GET`. */
  readonly methodThrottles: Readonly<Record<string, Throttle>>;
  readonly quota: Quota | undefined;
  readonly keyIds: ReadonlySet<string>;
}

/** The template's API keys, with the values that dynamic references give them. */
export function readApiKeys(stack: Stack): ApiKey[] {
  return stack.resources('AWS::ApiGateway::ApiKey').map(({ id, properties }) => ({
    id: stack.ref(id),
    logicalId: id,
    name: properties.optionalString('Name'),
    // API Gateway makes a value up where the template gives none.
    value: properties.optionalString('Value') ?? crypto.randomUUID().replaceAll('-', ''),
    enabled: properties.boolean('Enabled'),
  }));
}

/** The usage plans of one stage of one API. */
export function readUsagePlans(stack: Stack, apiId: string, stageName: string): UsagePlan[] {
  const links = stack.resources('AWS::ApiGateway::UsagePlanKey');
  return stack.resources('AWS::ApiGateway::UsagePlan').flatMap(({ id, properties }) => {
    const apiStage = properties
      .objects('ApiStages')
      .find((stage) => stage.string('ApiId') === apiId && stage.string('Stage') === stageName);
    if (apiStage === undefined) return [];
    const planId = stack.ref(id);
    const keyIds = links.filter((link) => link.properties.string('UsagePlanId') === planId);
    const methods = apiStage.object('Throttle');
    return [
      {
        id: planId,
        throttle: throttleOf(properties.object('Throttle')),
        methodThrottles: Object.fromEntries(
          (methods?.names() ?? []).flatMap((name) => {
            const throttle = throttleOf(methods?.object(name));
            return throttle === undefined ? [] : [[name, throttle]];
          }),
        ),
        quota: quotaOf(properties.object('Quota')),
        keyIds: new Set(keyIds.map((link) => link.properties.string('KeyId'))),
      },
    ];
  });
}

function throttleOf(properties: Properties | undefined): Throttle | undefined {
  if (!properties?.has('RateLimit') && !properties?.has('BurstLimit')) return undefined;
  return {
    rateLimit: properties.optionalNumber('RateLimit') ?? 0,
    burstLimit: properties.optionalNumber('BurstLimit') ?? 0,
  };
}

function quotaOf(properties: Properties | undefined): Quota | undefined {
  if (!properties?.has('Limit')) return undefined;
  const period = properties.string('Period');
  if (period !== 'DAY' && period !== 'WEEK' && period !== 'MONTH') {
    throw new TemplateError(`${properties.where('Period')}: there is no period ${period}`);
  }
  return { limit: properties.number('Limit'), offset: properties.optionalNumber('Offset') ?? 0, period };
}
