/**
 * The CloudFront distribution is the public address of the service. It sends each request to the
 * API with the public API key, which callers do not have, and stores the files of the page.
 */
import { describe, expect, it } from '@jest/globals';
import { idsOf, only, resources, template } from '../templates.ts';
import { VARIANTS, type Variant } from '../variants.ts';

function distribution(variant: Variant): Readonly<Record<string, unknown>> {
  const { properties } = only(template(variant), 'AWS::CloudFront::Distribution');
  return properties.DistributionConfig as Record<string, unknown>;
}

/** The identifiers of AWS-managed policies. */
const CACHING_OPTIMIZED = '658327ea-f89d-4fab-a63d-7e88639e58f6';
const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const ALL_VIEWER_EXCEPT_HOST_HEADER = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';
const SECURITY_HEADERS = '67f7725c-6f97-4210-82d7-5512b31e9d03';

describe('the distribution', () => {
  const config = distribution('dev');
  const behavior = config.DefaultCacheBehavior as Readonly<Record<string, unknown>>;

  it('stores the files of the page, and nothing that depends on the viewer', () => {
    const cached = config.CacheBehaviors as readonly Readonly<Record<string, unknown>>[];
    expect(cached.map(({ PathPattern }) => PathPattern)).toEqual([
      '/docs',
      '/market/*',
      '/event/*',
      '/assets/*',
    ]);
    for (const each of cached) {
      expect(each).toMatchObject({
        CachePolicyId: CACHING_OPTIMIZED,
        ResponseHeadersPolicyId: SECURITY_HEADERS,
        ViewerProtocolPolicy: 'redirect-to-https',
        FunctionAssociations: behavior.FunctionAssociations,
        TargetOriginId: behavior.TargetOriginId,
        // The web ACL of the API needs a header of the viewer function on these paths too.
        OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST_HEADER,
      });
    }
  });

  // CloudFront's flat-rate plans allow no more: the default behaviour and four others.
  it('has at most five behaviours, with AWS-managed policies only', () => {
    expect((config.CacheBehaviors as readonly unknown[]).length).toBeLessThanOrEqual(4);
    expect(behavior).toMatchObject({
      CachePolicyId: CACHING_DISABLED,
      OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST_HEADER,
      ResponseHeadersPolicyId: SECURITY_HEADERS,
      ViewerProtocolPolicy: 'redirect-to-https',
    });
    const types = Object.values(template('dev').Resources).map(({ Type }) => Type);
    expect(types.filter((type) => /^AWS::CloudFront::.*Policy$/.test(type))).toEqual([]);
  });

  it('stores no error response and replaces none by a page', () => {
    const errors = config.CustomErrorResponses as readonly { readonly ErrorCode: number }[];
    const statuses = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];
    expect(errors).toEqual(statuses.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })));
  });

  it('lets POST through, speaks HTTP/3, and keeps its connections to the API', () => {
    expect(behavior.AllowedMethods).toContain('POST');
    expect(config.HttpVersion).toBe('http2and3');
    expect(config.Origins).toMatchObject([{ CustomOriginConfig: { OriginKeepaliveTimeout: 60 } }]);
  });

  // While the operator replaces the public key, there are two: publicKeys=1,2.
  it.each([
    { variant: 'dev', keys: 'only', value: 'PublicKeyValue9D84004A' },
    { variant: 'changed', keys: 'second', value: 'PublicKey2Value' },
  ] as const)('sends the $keys public key to its only origin: $variant', ({ variant, value }) => {
    const origins = distribution(variant).Origins as Record<string, unknown>[];
    expect(origins).toMatchObject([{ OriginCustomHeaders: [{ HeaderName: 'x-api-key' }] }]);
    expect(JSON.stringify(origins)).toContain(value);
  });

  it('is updated after the usage plan has both keys', () => {
    const changed = template('changed');
    const { id } = only(changed, 'AWS::CloudFront::Distribution');
    const planKeys = idsOf(changed, 'AWS::ApiGateway::UsagePlanKey');
    expect(changed.Resources[id]?.DependsOn).toEqual(expect.arrayContaining([...planKeys]));
  });

  it('serves from all locations only in production', () => {
    // North America and Europe.
    expect(config.PriceClass).toBe('PriceClass_100');
    expect(distribution('prod').PriceClass).toBe('PriceClass_All');
  });

  it('has no access log, which would hold the addresses of callers', () => {
    expect(config).not.toHaveProperty('Logging');
  });

  it('has the domain and the web ACL that the settings name', () => {
    for (const absent of ['WebACLId', 'Aliases']) expect(config).not.toHaveProperty(absent);
    // With webAcl=true the stack makes a web ACL for the API instead.
    expect(distribution('prod')).not.toHaveProperty('WebACLId');
    expect(distribution('changed')).toMatchObject({
      WebACLId: VARIANTS.changed.webAcl,
      Aliases: ['markets.example.com'],
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021' },
    });
  });

  it('does not exist where the stage has no edge', () => {
    const noEdge = template('noEdge');
    expect(resources(noEdge, 'AWS::CloudFront::Distribution')).toEqual([]);
    expect(noEdge.Outputs.BaseUrl?.Value).toEqual(noEdge.Outputs.ApiUrl?.Value);
  });
});
