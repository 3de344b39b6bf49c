import { describe, expect, it } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { ROUTES } from '../../../../lambda/contract/routes.ts';
import { resources, synthesizeStack } from '../../../support/stack.ts';
import { CHANGED, NO_EDGE, OPERATED, PROD, PROD_WITHOUT_EDGE } from '../../../support/variants.ts';

interface Behavior {
  readonly PathPattern?: string;
  readonly CachePolicyId: unknown;
  readonly OriginRequestPolicyId: unknown;
  readonly ResponseHeadersPolicyId: unknown;
  readonly AllowedMethods: readonly string[];
  readonly [name: string]: unknown;
}

const template = synthesizeStack();
const config = distributionConfig(template);
const fallback = config.DefaultCacheBehavior as Behavior;
const all = [fallback, ...(config.CacheBehaviors as Behavior[])];
/** Those that lead to the API; the others show the page (market-page.test.ts). */
const behaviors = all.filter(({ TargetOriginId }) => TargetOriginId === fallback.TargetOriginId);

function distributionConfig(from: Template): Record<string, unknown> {
  const [only] = resources(from, 'AWS::CloudFront::Distribution');
  return only?.[1].Properties.DistributionConfig as Record<string, unknown>;
}

function policy(from: Template, type: string): { id: string; config: Record<string, unknown> } {
  const [[id = '', resource] = []] = resources(from, `AWS::CloudFront::${type}`).filter(
    ([name]) => !name.startsWith('FrontDoorPage'),
  );
  return { id, config: resource?.Properties[`${type}Config`] as Record<string, unknown> };
}

describe('the distribution', () => {
  it('has the API’s stage as its origin, over TLS 1.2, and the bucket of the page', () => {
    expect(config.Origins).toMatchObject([
      { CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] } },
      { S3OriginConfig: { OriginAccessIdentity: '' } },
    ]);
    const [stage] = resources(template, 'AWS::ApiGateway::Stage').map(([id]) => id);
    const [origin] = config.Origins as { OriginPath: unknown; DomainName: unknown }[];
    expect(JSON.stringify(origin?.OriginPath)).toContain(`{"Ref":"${stage}"}`);
    expect(JSON.stringify(origin?.DomainName)).toContain('.execute-api.');
  });

  it('routes the paths of the contract, and every other one, to it', () => {
    expect(behaviors.map(({ PathPattern }) => PathPattern)).toEqual([undefined, '/mcp']);
    for (const { path } of Object.values(ROUTES))
      expect(path).toMatch(/^\/api\/|^\/(openapi\.json|llms\.txt|mcp)$/);
    const [origin] = config.Origins as { Id: string }[];
    for (const { TargetOriginId } of behaviors) expect(TargetOriginId).toBe(origin?.Id);
  });

  it('passes every method on, so that 405 and 413 come in JSON', () => {
    for (const { AllowedMethods } of behaviors) {
      expect([...AllowedMethods].sort()).toEqual([
        'DELETE',
        'GET',
        'HEAD',
        'OPTIONS',
        'PATCH',
        'POST',
        'PUT',
      ]);
    }
  });

  it('compresses, speaks HTTP/2 and 3 over IPv4 and IPv6, and only TLS', () => {
    expect(config).toMatchObject({ HttpVersion: 'http2and3', IPV6Enabled: true });
    for (const behavior of behaviors) {
      expect(behavior).toMatchObject({ Compress: true, ViewerProtocolPolicy: 'redirect-to-https' });
    }
  });

  it('keeps no error, not even for ten seconds, and puts no page in the place of one', () => {
    const responses = config.CustomErrorResponses as Record<string, number>[];
    expect(responses.map(({ ErrorCode }) => ErrorCode)).toEqual(
      expect.arrayContaining([400, 403, 404, 405, 500, 502, 503, 504]),
    );
    for (const response of responses) {
      expect(Object.keys(response).sort()).toEqual(['ErrorCachingMinTTL', 'ErrorCode']);
      expect(response.ErrorCachingMinTTL).toBe(0);
    }
  });

  it('is near everybody only where the stage pays for it', () => {
    expect(config.PriceClass).toBe('PriceClass_100');
    expect(distributionConfig(synthesizeStack(...PROD)).PriceClass).toBe('PriceClass_All');
  });

  it('writes no access log: it would hold callers’ addresses', () => {
    expect(config.Logging).toBeUndefined();
  });
});

describe('what is passed on', () => {
  const originRequest = policy(template, 'OriginRequestPolicy');

  it('is the viewer’s address and neither Host nor cookies', () => {
    expect(originRequest.config).toMatchObject({
      HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['CloudFront-Viewer-Address'] },
      CookiesConfig: { CookieBehavior: 'none' },
      QueryStringsConfig: { QueryStringBehavior: 'none' },
    });
    for (const { OriginRequestPolicyId } of behaviors.filter(({ PathPattern }) => PathPattern !== '/mcp')) {
      expect(OriginRequestPolicyId).toEqual({ Ref: originRequest.id });
    }
  });

  it('is, for the tools of agents, what their protocol reads besides', () => {
    const tools = behaviors.find(({ PathPattern }) => PathPattern === '/mcp');
    const agents = resources(template, 'AWS::CloudFront::OriginRequestPolicy').find(
      ([id]) => id === (tools?.OriginRequestPolicyId as { Ref: string } | undefined)?.Ref,
    );
    expect(agents?.[1].Properties.OriginRequestPolicyConfig).toMatchObject({
      HeadersConfig: {
        Headers: [
          'CloudFront-Viewer-Address',
          'Content-Type',
          'Mcp-Protocol-Version',
          'Mcp-Method',
          'Mcp-Name',
        ],
      },
      CookiesConfig: { CookieBehavior: 'none' },
    });
  });

  it('is every query parameter, as part of the cache key, and what chooses between JSON and CSV', () => {
    for (const from of [template, synthesizeStack(...CHANGED)]) {
      expect(policy(from, 'CachePolicy').config).toMatchObject(
        keyed({ HeaderBehavior: 'whitelist', Headers: ['Accept'] }),
      );
    }
  });
});

function keyed(headers: object) {
  return {
    ParametersInCacheKeyAndForwardedToOrigin: {
      QueryStringsConfig: { QueryStringBehavior: 'all' },
      HeadersConfig: headers,
      CookiesConfig: { CookieBehavior: 'none' },
      EnableAcceptEncodingGzip: true,
      EnableAcceptEncodingBrotli: true,
    },
  };
}

function cachePolicy(comment: string, from = template): { id: string; config: Record<string, unknown> } {
  const found = resources(from, 'AWS::CloudFront::CachePolicy').map(([id, { Properties }]) => ({
    id,
    config: Properties.CachePolicyConfig as Record<string, unknown>,
  }));
  const [first] = found.filter(({ config }) => config.Comment === comment);
  if (!first) throw new Error(`No cache policy "${comment}"`);
  return first;
}

describe('what is kept', () => {
  it('is nothing by default', () => {
    const nothing = cachePolicy('Not at all');
    expect(nothing.config).toMatchObject({ MinTTL: 0, DefaultTTL: 0, MaxTTL: 1 });
    expect(behaviors.map(({ CachePolicyId }) => CachePolicyId)).toEqual([
      { Ref: nothing.id },
      { Ref: nothing.id },
    ]);
  });

  it('is for the origin to say, two minutes at most, where the stage has an edge cache', () => {
    const cached = synthesizeStack(...CHANGED);
    expect(cachePolicy('As long as the origin says', cached).config).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 120,
    });
  });

  it('never tells one caller how much another has left', () => {
    expect(policy(template, 'ResponseHeadersPolicy').config).not.toHaveProperty('RemoveHeadersConfig');
    expect(policy(synthesizeStack(...CHANGED), 'ResponseHeadersPolicy').config).toMatchObject({
      RemoveHeadersConfig: { Items: [{ Header: 'RateLimit' }] },
    });
  });
});

describe('every response', () => {
  it('carries the security headers and the API’s own CORS headers', () => {
    const { id, config: headers } = policy(template, 'ResponseHeadersPolicy');
    expect(headers.SecurityHeadersConfig).toEqual({
      StrictTransportSecurity: {
        AccessControlMaxAgeSec: 31_536_000,
        IncludeSubdomains: false,
        Override: true,
      },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY', Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
    });
    expect(headers).not.toHaveProperty('CorsConfig');
    for (const { ResponseHeadersPolicyId } of behaviors) expect(ResponseHeadersPolicyId).toEqual({ Ref: id });
  });
});

it('policies are named apart for each stage and region, since their names are the account’s', () => {
  const types = ['CachePolicy', 'OriginRequestPolicy', 'ResponseHeadersPolicy'];
  const names = [template, synthesizeStack(...OPERATED)].flatMap((from) =>
    types.map((type) => JSON.stringify(policy(from, type).config.Name)),
  );
  expect(new Set(names).size).toBe(6);
  for (const name of names.slice(0, 3)) expect(name).toContain('market-data-proxy-dev-');
  for (const name of names.slice(0, 3)) expect(name).toContain('{"Ref":"AWS::Region"}');
});

describe('the base URL', () => {
  it('is the distribution’s', () => {
    const [id] = resources(template, 'AWS::CloudFront::Distribution').map(([logicalId]) => logicalId);
    template.hasOutput('BaseUrl', {
      Value: { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [id, 'DomainName'] }]] },
    });
  });

  it('is the domain of the deployer, who brings its certificate and gets TLS 1.2 and the name to point it at', () => {
    const own = synthesizeStack(...CHANGED);
    expect(distributionConfig(own)).toMatchObject({
      Aliases: ['markets.example.com'],
      ViewerCertificate: {
        AcmCertificateArn: CHANGED[0]?.certificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
    });
    own.hasOutput('BaseUrl', { Value: 'https://markets.example.com' });
    own.hasOutput('DistributionDomainName', {});
  });

  it('is the API’s without an edge, with its stage and no slash at the end', () => {
    const bare = synthesizeStack(...NO_EDGE);
    const { BaseUrl, ApiUrl } = bare.toJSON().Outputs;
    const [stage] = resources(bare, 'AWS::ApiGateway::Stage').map(([id]) => id);
    expect(BaseUrl.Value).toEqual(ApiUrl.Value);
    expect(BaseUrl.Value['Fn::Join'][1].at(-1)).toEqual({ Ref: stage });
  });
});

it.each([
  ['dev', NO_EDGE],
  ['prod', PROD_WITHOUT_EDGE],
])('without an edge %s has nothing of CloudFront and WAF', (_, variant) => {
  const types = Object.values(
    synthesizeStack(...variant).toJSON().Resources as Record<string, { Type: string }>,
  ).map(({ Type }) => Type);
  expect(types.filter((type) => /CloudFront|WAF/.test(type))).toEqual([]);
  expect(types).toEqual(expect.arrayContaining(['AWS::ApiGateway::ApiKey', 'AWS::SecretsManager::Secret']));
});
