import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { PER_IP_REFUSAL } from '../../../lambda/core/contract/errors.ts';
import { COMMON_HEADERS } from '../../../lambda/core/contract/headers.ts';
import { ROUTES } from '../../../lambda/core/contract/route-table.ts';

const text = readFileSync(new URL('../../../lib/edge/web-acl.json', import.meta.url), 'utf8');
const acl = JSON.parse(text);
const statements = acl.Rules.map((rule: Record<string, never>) => rule.Statement);
const [limited] = statements.map(
  ({ RateBasedStatement: one }: { RateBasedStatement: unknown }) => one,
);

it('the web ACL counts each address near three times the limit on the limited paths, and higher on all', () => {
  // AWS WAF "will apply rate limiting near the limit that you set, but does not guarantee an exact
  // limit match". With 60, it could refuse a client within the documented limit.
  const perAddress = { AggregateKeyType: 'IP', EvaluationWindowSec: 60 };
  expect(statements).toEqual([
    { RateBasedStatement: { ...perAddress, Limit: 180, ScopeDownStatement: expect.anything() } },
    { RateBasedStatement: { ...perAddress, Limit: 600 } },
  ]);
});

it('the web ACL counts exactly the paths that the service limits, and no preflight', () => {
  const [notPreflight, { OrStatement }] = limited.ScopeDownStatement.AndStatement.Statements;
  expect(JSON.stringify(notPreflight)).toMatch(
    /^{"NotStatement":.*"Method":{}.*"EXACTLY","SearchString":"OPTIONS"/,
  );
  const matches = OrStatement.Statements.map(
    ({ ByteMatchStatement }: Record<string, unknown>) => ByteMatchStatement,
  );
  const prefixes: string[] = matches.map(
    ({ SearchString }: { SearchString: string }) => SearchString,
  );
  expect(prefixes).toEqual(['/api/', '/mcp', '/openapi.json', '/llms.txt']);
  for (const { path, limited: isLimited } of Object.values(ROUTES)) {
    expect([path, prefixes.some((prefix) => path.startsWith(prefix))]).toEqual([path, isLimited]);
  }
  for (const match of matches) {
    expect(match).toMatchObject({
      FieldToMatch: { UriPath: {} },
      PositionalConstraint: 'STARTS_WITH',
      // Otherwise `/%61pi/markets` and `/x/../api/markets` would escape the limit.
      TextTransformations: [
        { Priority: 0, Type: 'URL_DECODE' },
        { Priority: 1, Type: 'NORMALIZE_PATH' },
      ],
    });
  }
});

it('the web ACL responds like the service itself', () => {
  expect(JSON.parse(acl.CustomResponseBodies.RateLimited.Content)).toEqual({
    error: PER_IP_REFUSAL,
    code: 'rate_limited',
    requestId: 'waf',
  });
  for (const { Action } of acl.Rules) {
    const { ResponseCode, CustomResponseBodyKey, ResponseHeaders } = Action.Block.CustomResponse;
    expect(ResponseCode).toBe(429);
    expect(CustomResponseBodyKey).toBe('RateLimited');
    expect(
      ResponseHeaders.map(({ Name, Value }: Record<string, string>) => `${Name}: ${Value}`),
    ).toEqual([
      'Access-Control-Allow-Origin: *',
      `Access-Control-Expose-Headers: ${COMMON_HEADERS['Access-Control-Expose-Headers']}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Retry-After: 60',
      'X-Request-Id: waf',
    ]);
  }
});

it('the web ACL keeps no samples, which show the addresses of callers', () => {
  expect(text.match(/"SampledRequestsEnabled": \w+/g)).toEqual(
    Array(3).fill('"SampledRequestsEnabled": false'),
  );
});
