import { beforeEach, describe, expect, it } from '@jest/globals';
import { AccessCheck } from '../../src/api-gateway/access-check.ts';
import type { MethodDefinition } from '../../src/api-gateway/method-definition.ts';
import type { Throttle } from '../../src/api-gateway/throttle.ts';
import type { UsagePlan } from '../../src/api-gateway/usage-plans.ts';

let now = 0;
const KEYS = ['a', 'b', 'off', 'lost'].map((id) => ({
  id,
  logicalId: id,
  name: undefined,
  value: `value-${id}`,
  enabled: id !== 'off',
}));

function method(path: string, httpMethod = 'GET', apiKeyRequired = true): MethodDefinition {
  const integration = { kind: 'lambda' as const, functionArn: 'arn', timeoutMs: 1 };
  return {
    resource: { id: path, path },
    httpMethod,
    apiKeyRequired,
    requiredQuery: [],
    requiredHeaders: [],
    integration,
  };
}

function accessWith(plan: Partial<UsagePlan>, stage: Readonly<Record<string, Throttle>> = {}) {
  const plans = [
    {
      id: 'plan',
      throttle: undefined,
      methodThrottles: {},
      quota: undefined,
      keyIds: new Set(['a', 'b', 'off']),
      ...plan,
    },
  ];
  const throttleOf = (path: string, methods: readonly string[]) =>
    stage[`${path} ${methods[0]}`] ?? stage['*'];
  const accessCheck = new AccessCheck({ name: 'dev', variables: {}, throttleOf }, plans, KEYS, () => now);
  /** `ok`, or why not. */
  return (key: string | undefined, target = method('/x'), sent = 'GET'): string => {
    const headers = key === undefined ? [] : [['X-Api-Key', `value-${key}`] as const];
    const request = {
      method: sent,
      path: '/x',
      query: '',
      headers,
      body: Buffer.alloc(0),
      bodyTooLarge: false,
      sourceIp: '',
    };
    const access = accessCheck.check(target, request);
    return access.allowed ? 'ok' : access.refusal;
  };
}

beforeEach(() => {
  now = Date.UTC(2026, 0, 1);
});

describe('a method that wants a key', () => {
  it('takes one that is enabled and belongs to a plan of the stage', () => {
    const check = accessWith({});
    expect([undefined, 'nonsense', 'off', 'lost', 'a'].map((key) => check(key))).toEqual([
      'INVALID_API_KEY',
      'INVALID_API_KEY',
      'INVALID_API_KEY',
      'INVALID_API_KEY',
      'ok',
    ]);
    expect(check(undefined, method('/x', 'OPTIONS', false))).toBe('ok');
  });
});

describe('throttles', () => {
  it('of a plan bound each key by itself, over all methods', () => {
    const check = accessWith({ throttle: { rateLimit: 1, burstLimit: 2 } });
    expect([check('a', method('/x')), check('a', method('/y')), check('a', method('/z'))]).toEqual([
      'ok',
      'ok',
      'THROTTLED',
    ]);
    expect(check('b')).toBe('ok');
    now += 1_000;
    expect([check('a'), check('a')]).toEqual(['ok', 'THROTTLED']);
  });

  it('of a plan for a method bound that method', () => {
    const check = accessWith({ methodThrottles: { '/x/GET': { rateLimit: 1, burstLimit: 1 } } });
    expect([check('a'), check('a'), check('a', method('/y')), check('b')]).toEqual([
      'ok',
      'THROTTLED',
      'ok',
      'ok',
    ]);
  });

  it('of the stage bound all keys together, and each method by itself', () => {
    const check = accessWith({}, { '*': { rateLimit: 1, burstLimit: 1 } });
    expect([check('a'), check('b'), check('b', method('/y'))]).toEqual(['ok', 'THROTTLED', 'ok']);
  });

  it('for a named method reach ANY', () => {
    const check = accessWith(
      {},
      { '/x GET': { rateLimit: 1, burstLimit: 1 }, '*': { rateLimit: 9, burstLimit: 9 } },
    );
    const any = method('/x', 'ANY');
    expect([check('a', any), check('a', any), check('a', any, 'POST')]).toEqual(['ok', 'THROTTLED', 'ok']);
  });
});

describe('a quota', () => {
  it('is used by allowed requests only', () => {
    const check = accessWith({
      throttle: { rateLimit: 1, burstLimit: 1 },
      quota: { limit: 2, offset: 0, period: 'DAY' },
    });
    expect([check('a'), check('a'), check('a')]).toEqual(['ok', 'THROTTLED', 'THROTTLED']);
    now += 1_000;
    expect([check('a'), check('a')]).toEqual(['ok', 'QUOTA_EXCEEDED']);
    expect(check('b')).toBe('ok');
  });
});
