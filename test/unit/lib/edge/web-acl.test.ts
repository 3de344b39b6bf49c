import { describe, expect, it } from '@jest/globals';
import { COMMON_HEADERS } from '../../../../lambda/contract/headers.ts';
import { ROUTES } from '../../../../lambda/contract/routes.ts';
import { resources, synthesizeStack, synthesizeStacks, synthesizeWaf } from '../../../support/stack.ts';
import { CHANGED, OPERATED, PROD, PROD_WITHOUT_EDGE, type Variant } from '../../../support/variants.ts';

interface Rule {
  readonly Action: {
    Block: {
      CustomResponse: {
        ResponseCode: number;
        CustomResponseBodyKey: string;
        ResponseHeaders: { Name: string; Value: string }[];
      };
    };
  };
  readonly Statement: {
    RateBasedStatement: {
      ScopeDownStatement: { AndStatement: { Statements: Record<string, Record<string, unknown>>[] } };
    };
  };
}

const template = synthesizeWaf(OPERATED);
const [acl] = resources(template, 'AWS::WAFv2::WebACL').map(([, { Properties }]) => Properties);
const [rule, everything] = (acl?.Rules ?? []) as Rule[];

describe('the web ACL', () => {
  const { service, waf } = synthesizeStacks(...OPERATED);

  it('is in us-east-1, for CloudFront, whatever the region of the service', () => {
    expect([waf?.region, service.region]).toEqual(['us-east-1', 'eu-central-1']);
    expect(acl).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } });
  });

  it('guards the distribution, by the output of its stack, which is deployed first', () => {
    const [output = ''] = Object.keys(template.findOutputs('*'));
    synthesizeStack(...OPERATED).hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        WebACLId: {
          'Fn::GetStackOutput': {
            StackName: 'market-data-proxy-prod-waf',
            Region: 'us-east-1',
            OutputName: output,
          },
        },
      },
    });
    expect(service.dependsOn).toEqual(['market-data-proxy-prod-waf']);
  });

  it('has nothing that stays, and no samples, which would show addresses', () => {
    expect(JSON.stringify(template.toJSON())).not.toContain('"Retain"');
    expect(JSON.stringify(template.toJSON())).not.toContain('"SampledRequestsEnabled":true');
  });
});

describe('its other rule', () => {
  it('bounds what one address sends to anything, preflights and free endpoints included', () => {
    expect(acl?.Rules).toHaveLength(2);
    const { RateBasedStatement } = everything?.Statement ?? {};
    expect(RateBasedStatement).toEqual({ Limit: 600, EvaluationWindowSec: 60, AggregateKeyType: 'IP' });
    expect(everything?.Action).toEqual(rule?.Action);
  });
});

it('metrics are named apart for each stage, since their names are the account’s', () => {
  const names = (from: typeof template) =>
    [...JSON.stringify(from.toJSON()).matchAll(/"MetricName":"([^"]+)"/g)].map(([, name]) => name).sort();
  const other = names(synthesizeWaf(CHANGED));
  expect(names(template)).toEqual(['any-rate-prod', 'market-data-proxy-prod', 'per-ip-rate-prod']);
  expect(other.some((name) => names(template).includes(name))).toBe(false);
});

describe('its first rule', () => {
  it('is the limit of the contract for each address', () => {
    expect(rule?.Statement.RateBasedStatement).toMatchObject({
      Limit: 60,
      EvaluationWindowSec: 60,
      AggregateKeyType: 'IP',
    });
  });

  it('counts the counted endpoints, however spelt, and no other', () => {
    const [, path] = rule?.Statement.RateBasedStatement.ScopeDownStatement.AndStatement.Statements ?? [];
    expect(path?.RegexMatchStatement).toMatchObject({
      FieldToMatch: { UriPath: {} },
      TextTransformations: [{ Type: 'URL_DECODE' }, { Type: 'NORMALIZE_PATH' }],
    });
    const pattern = new RegExp(String(path?.RegexMatchStatement?.RegexString));
    for (const { path: of, counted } of Object.values(ROUTES)) {
      expect([of, pattern.test(of), pattern.test(`${of}/`)]).toEqual([of, counted, counted]);
    }
    for (const other of ['/', '/api', '/api/marketsx', '/web/api/markets'])
      expect(pattern.test(other)).toBe(false);
    expect(String(path?.RegexMatchStatement?.RegexString).length).toBeLessThanOrEqual(512);
  });

  it('leaves preflights alone', () => {
    const [method] = rule?.Statement.RateBasedStatement.ScopeDownStatement.AndStatement.Statements ?? [];
    expect(method).toMatchObject({
      NotStatement: {
        Statement: {
          ByteMatchStatement: {
            FieldToMatch: { Method: {} },
            PositionalConstraint: 'EXACTLY',
            SearchString: 'OPTIONS',
          },
        },
      },
    });
  });

  it('responds with 429 and the body of every error', () => {
    const response = rule?.Action.Block.CustomResponse;
    const bodies = acl?.CustomResponseBodies as Record<string, { ContentType: string; Content: string }>;
    const body = bodies[response?.CustomResponseBodyKey ?? ''];
    expect(response?.ResponseCode).toBe(429);
    expect(body?.ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(body?.Content ?? '')).toEqual({
      error: expect.stringMatching(/wait 60 seconds and try again\.$/),
      code: 'rate_limited',
      requestId: 'waf',
    });
  });

  it('responds with the headers of every 429, but Content-Type, which WAF sets by itself', () => {
    const headers = Object.fromEntries(
      (rule?.Action.Block.CustomResponse.ResponseHeaders ?? []).map(({ Name, Value }) => [Name, Value]),
    );
    const { 'Content-Type': _own, ...common } = COMMON_HEADERS;
    expect(headers).toEqual({
      ...common,
      'Retry-After': '60',
      'Cache-Control': 'no-store',
      'X-Request-Id': 'waf',
    });
  });
});

describe('a stage', () => {
  const regions = (...variant: Variant) => {
    const { service, waf } = synthesizeStacks(...variant);
    return [service.region, waf?.region];
  };

  it('has no web ACL unless it says so, and no region then: it goes where the CLI goes', () => {
    const dev = synthesizeStacks();
    expect(dev.waf).toBeUndefined();
    expect(dev.service.region).toBeUndefined();
  });

  it('with a web ACL goes to its own region, else to the CLI’s, else to the web ACL’s', () => {
    expect(regions(...OPERATED)).toEqual(['eu-central-1', 'us-east-1']);
    expect(regions({ stage: 'prod' }, { cliRegion: 'sa-east-1' })).toEqual(['sa-east-1', 'us-east-1']);
    expect(regions(...PROD)).toEqual(['us-east-1', 'us-east-1']);
  });

  it('can be told to have one', () => {
    expect(synthesizeStacks(...CHANGED).waf).toBeDefined();
    expect(synthesizeStacks({ stage: 'prod', waf: 'false' }).waf).toBeUndefined();
    expect(synthesizeStacks(...PROD_WITHOUT_EDGE).waf).toBeUndefined();
  });
});
