import { describe, expect, it } from '@jest/globals';
import { PER_IP_REFUSAL } from '../../../lambda/core/contract/errors.ts';
import { COMMON_HEADERS } from '../../../lambda/core/contract/headers.ts';
import { only, resources, template } from '../templates.ts';
import { VARIANTS, type Variant } from '../variants.ts';

const prod = template('prod');
const [aclId, { Properties: acl }] = only(prod, 'AWS::WAFv2::WebACL');
const [rule, another] = acl.Rules as readonly Readonly<Record<string, unknown>>[];

/** The sentences are those of aws-cdk-lib/aws-wafv2/lib/wafv2.generated.d.ts. */
describe('the web ACL of the API', () => {
  it('counts by two headers of CloudFront, twice the limit of the functions in a minute', () => {
    // "Use the value of a header in the request as an aggregate key."
    const header = (Name: string) => ({
      Header: { Name, TextTransformations: [{ Priority: 0, Type: 'NONE' }] },
    });
    expect(rule?.Statement).toEqual({
      RateBasedStatement: {
        AggregateKeyType: 'CUSTOM_KEYS',
        CustomKeys: [header('x-viewer-network'), header('x-api-key')],
        // "Valid settings are 60, 120, 300, and 600."
        EvaluationWindowSec: 60,
        Limit: 120,
      },
    });
    expect(another).toBeUndefined();
    expect([acl.Scope, acl.DefaultAction]).toEqual(['REGIONAL', { Allow: {} }]);
  });

  it('responds like the service itself', () => {
    const bodies = acl.CustomResponseBodies as Record<string, Record<string, string>>;
    expect(bodies.RateLimited?.ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(bodies.RateLimited?.Content ?? '')).toEqual({
      error: PER_IP_REFUSAL,
      code: 'rate_limited',
      requestId: 'waf',
    });
    // "You can specify any header name except for content-type."
    const header = (Name: string, Value: string) => ({ Name, Value });
    const exposed = COMMON_HEADERS['Access-Control-Expose-Headers'];
    expect(rule?.Action).toEqual({
      Block: {
        CustomResponse: {
          ResponseCode: 429,
          CustomResponseBodyKey: 'RateLimited',
          ResponseHeaders: [
            header('Access-Control-Allow-Origin', '*'),
            header('Access-Control-Expose-Headers', exposed),
            header('X-Content-Type-Options', 'nosniff'),
            header('Cache-Control', 'no-store'),
            header('Retry-After', '60'),
            header('X-Request-Id', 'waf'),
          ],
        },
      },
    });
    // The API of WAF accepts 255 characters.
    expect(exposed.length).toBeLessThanOrEqual(255);
  });

  it('counts what it stops, but keeps no samples, which show the addresses of callers', () => {
    const view = { CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false };
    for (const each of [acl, rule]) expect(each?.VisibilityConfig).toMatchObject(view);
  });

  it('protects the stage of the API', () => {
    const [, { Properties }] = only(prod, 'AWS::WAFv2::WebACLAssociation');
    const [stageId] = only(prod, 'AWS::ApiGateway::Stage');
    const [apiId] = only(prod, 'AWS::ApiGateway::RestApi');
    expect(Properties.WebACLArn).toEqual({ 'Fn::GetAtt': [aclId, 'Arn'] });
    // "arn:partition:apigateway:region::/restapis/api-id/stages/stage-name"
    expect(Properties.ResourceArn).toEqual({
      'Fn::Join': [
        '',
        ['arn:aws:apigateway:eu-west-1::/restapis/', { Ref: apiId }, '/stages/', { Ref: stageId }],
      ],
    });
  });

  it('exists only with webAcl=true', () => {
    const others = (Object.keys(VARIANTS) as Variant[]).filter((variant) => variant !== 'prod');
    for (const variant of others)
      expect(resources(template(variant), 'AWS::WAFv2::WebACL')).toEqual([]);
  });
});
