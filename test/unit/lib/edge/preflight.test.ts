import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { resources, synthesizeStack } from '../../../support/stack.ts';
import { NO_EDGE } from '../../../support/variants.ts';

interface Association {
  readonly EventType: string;
  readonly FunctionARN: { readonly 'Fn::GetAtt': readonly [string, string] };
}

const template = synthesizeStack();
const functions = new Map(resources(template, 'AWS::CloudFront::Function'));
const [config] = resources(template, 'AWS::CloudFront::Distribution').map(
  ([, { Properties }]) =>
    Properties.DistributionConfig as Record<
      'DefaultCacheBehavior',
      { FunctionAssociations: Association[]; TargetOriginId: string }
    > & { CacheBehaviors: { FunctionAssociations?: Association[]; TargetOriginId: string }[] },
);

const [association] = config?.DefaultCacheBehavior.FunctionAssociations ?? [];
const { Properties: edge } = functions.get(association?.FunctionARN['Fn::GetAtt'][0] ?? '') ?? {};
const handle = (method: string): Record<string, unknown> =>
  JSON.parse(
    runInNewContext(
      `${edge?.FunctionCode}\nJSON.stringify(handler({ request: { method: ${JSON.stringify(method)}, uri: '/' } }))`,
    ),
  );

describe('a preflight', () => {
  it('is responded to at the edge, for every path of the API', () => {
    expect(association?.EventType).toBe('viewer-request');
    const ofApi = config?.CacheBehaviors.filter(
      ({ TargetOriginId }) => TargetOriginId === config.DefaultCacheBehavior.TargetOriginId,
    );
    expect(ofApi?.length).toBeGreaterThan(0);
    for (const { FunctionAssociations } of ofApi ?? []) expect(FunctionAssociations).toEqual([association]);
  });

  it('allows what every endpoint allows, and is remembered for two hours', () => {
    expect(handle('OPTIONS')).toMatchObject({
      statusCode: 204,
      headers: {
        'access-control-allow-origin': { value: '*' },
        'access-control-allow-methods': { value: 'GET,HEAD,OPTIONS' },
        'access-control-allow-headers': { value: '*' },
        'access-control-max-age': { value: '7200' },
      },
    });
  });

  it.each(['GET', 'HEAD', 'POST', 'DELETE'])('is not what %s is: that is passed on as it is', (method) => {
    expect(handle(method)).toEqual({ method, uri: '/' });
  });
});

it('preflights that the API itself responds to are few, in any stage', () => {
  for (const from of [template, synthesizeStack(...NO_EDGE)]) {
    const [stage] = resources(from, 'AWS::ApiGateway::Stage').map(([, { Properties }]) => Properties);
    const settings = ((stage?.MethodSettings ?? []) as Record<string, unknown>[]).filter(
      ({ HttpMethod }) => HttpMethod === 'OPTIONS',
    );
    const preflights = resources(from, 'AWS::ApiGateway::Method').filter(
      ([, { Properties }]) => Properties.HttpMethod === 'OPTIONS',
    );
    expect(settings).toHaveLength(preflights.length);
    const total = settings.reduce((sum, { ThrottlingRateLimit }) => sum + Number(ThrottlingRateLimit), 0);
    expect(total).toBeLessThanOrEqual(100);
  }
});
