/**
 * With webAcl=true the stack has an AWS WAF web ACL in front of the API. Its one rule stops an
 * address that sends more than 120 requests a minute, before API Gateway counts them for the rate
 * that all callers share. Quotations are from aws-cdk-lib/aws-wafv2/lib/wafv2.generated.d.ts.
 */
import { describe, expect, it } from '@jest/globals';
import { PER_IP_REFUSAL } from '../../../lambda/core/contract/errors.ts';
import { COMMON_HEADERS } from '../../../lambda/core/contract/headers.ts';
import { only, resources, template } from '../templates.ts';
import { VARIANTS, type Variant } from '../variants.ts';

const prod = template('prod');
const { id: aclId, properties: acl } = only(prod, 'AWS::WAFv2::WebACL');
const rules = acl.Rules as readonly Readonly<Record<string, unknown>>[];
const [rateRule] = rules;

describe('the web ACL of the API', () => {
  // The functions allow an address 60 requests a minute.
  it('allows 120 requests a minute, counted by two headers that CloudFront sets', () => {
    // "Use the value of a header in the request as an aggregate key."
    const header = (Name: string) => ({
      Header: { Name, TextTransformations: [{ Priority: 0, Type: 'NONE' }] },
    });
    expect(rateRule?.Statement).toEqual({
      RateBasedStatement: {
        AggregateKeyType: 'CUSTOM_KEYS',
        CustomKeys: [header('x-viewer-network'), header('x-api-key')],
        // "Valid settings are 60, 120, 300, and 600."
        EvaluationWindowSec: 60,
        Limit: 120,
      },
    });
    expect(rules).toHaveLength(1);
    expect(acl).toMatchObject({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
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
    expect(rateRule?.Action).toEqual({
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

  it('has metrics of stopped requests, but no samples, which show the addresses of callers', () => {
    const view = { CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false };
    for (const each of [acl, rateRule]) expect(each?.VisibilityConfig).toMatchObject(view);
  });

  it('protects the stage of the API', () => {
    const { properties } = only(prod, 'AWS::WAFv2::WebACLAssociation');
    const { id: stageId } = only(prod, 'AWS::ApiGateway::Stage');
    const { id: apiId } = only(prod, 'AWS::ApiGateway::RestApi');
    expect(properties.WebACLArn).toEqual({ 'Fn::GetAtt': [aclId, 'Arn'] });
    // "arn:partition:apigateway:region::/restapis/api-id/stages/stage-name"
    expect(properties.ResourceArn).toEqual({
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
