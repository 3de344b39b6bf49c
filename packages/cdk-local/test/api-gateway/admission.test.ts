import { beforeEach, describe, expect, it } from '@jest/globals';
import { Gatekeeper } from '../../src/api-gateway/admission.ts';
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

function gatekeeper(plan: Partial<UsagePlan>, stage: Readonly<Record<string, Throttle>> = {}) {
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
  const keeper = new Gatekeeper({ name: 'dev', variables: {}, throttleOf }, plans, KEYS, () => now);
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
    const admission = keeper.admit(target, request);
    return admission.admitted ? 'ok' : admission.refusal;
  };
}

beforeEach(() => {
  now = Date.UTC(2026, 0, 1);
});

describe('a method that wants a key', () => {
  it('takes one that is enabled and belongs to a plan of the stage', () => {
    const admit = gatekeeper({});
    expect([undefined, 'nonsense', 'off', 'lost', 'a'].map((key) => admit(key))).toEqual([
      'INVALID_API_KEY',
      'INVALID_API_KEY',
      'INVALID_API_KEY',
      'INVALID_API_KEY',
      'ok',
    ]);
    expect(admit(undefined, method('/x', 'OPTIONS', false))).toBe('ok');
  });
});

describe('throttles', () => {
  it('of a plan bound each key by itself, over all methods', () => {
    const admit = gatekeeper({ throttle: { rateLimit: 1, burstLimit: 2 } });
    expect([admit('a', method('/x')), admit('a', method('/y')), admit('a', method('/z'))]).toEqual([
      'ok',
      'ok',
      'THROTTLED',
    ]);
    expect(admit('b')).toBe('ok');
    now += 1_000;
    expect([admit('a'), admit('a')]).toEqual(['ok', 'THROTTLED']);
  });

  it('of a plan for a method bound that method', () => {
    const admit = gatekeeper({ methodThrottles: { '/x/GET': { rateLimit: 1, burstLimit: 1 } } });
    expect([admit('a'), admit('a'), admit('a', method('/y')), admit('b')]).toEqual([
      'ok',
      'THROTTLED',
      'ok',
      'ok',
    ]);
  });

  it('of the stage bound all keys together, and each method by itself', () => {
    const admit = gatekeeper({}, { '*': { rateLimit: 1, burstLimit: 1 } });
    expect([admit('a'), admit('b'), admit('b', method('/y'))]).toEqual(['ok', 'THROTTLED', 'ok']);
  });

  it('for a named method reach ANY', () => {
    const admit = gatekeeper(
      {},
      { '/x GET': { rateLimit: 1, burstLimit: 1 }, '*': { rateLimit: 9, burstLimit: 9 } },
    );
    const any = method('/x', 'ANY');
    expect([admit('a', any), admit('a', any), admit('a', any, 'POST')]).toEqual(['ok', 'THROTTLED', 'ok']);
  });
});

describe('a quota', () => {
  it('is used by admitted requests only', () => {
    const admit = gatekeeper({
      throttle: { rateLimit: 1, burstLimit: 1 },
      quota: { limit: 2, offset: 0, period: 'DAY' },
    });
    expect([admit('a'), admit('a'), admit('a')]).toEqual(['ok', 'THROTTLED', 'THROTTLED']);
    now += 1_000;
    expect([admit('a'), admit('a')]).toEqual(['ok', 'QUOTA_EXCEEDED']);
    expect(admit('b')).toBe('ok');
  });
});
