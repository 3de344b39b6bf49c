import { describe, expect, it } from '@jest/globals';
import { MAX_RESPONSE_BYTES } from '../../../../lambda/core/contract/constants.ts';
import { ERRORS, GATEWAY_ERRORS, gatewayErrorHeaders } from '../../../../lambda/core/contract/errors.ts';

/** Facts of the tables that other tests take from the tables themselves. */
describe('the contract', () => {
  it.each([
    ['THROTTLED', 'rate_limited', '60'],
    ['QUOTA_EXCEEDED', 'quota_exceeded', '3600'],
  ] as const)('says 429 and when to retry: %s', (type, code, seconds) => {
    expect(GATEWAY_ERRORS[type].code).toBe(code);
    expect(ERRORS[code].status).toBe(429);
    expect(gatewayErrorHeaders(type)).toHaveProperty('Retry-After', seconds);
  });

  it('leaves 64 KB of a Lambda result to the headers', () => {
    expect(MAX_RESPONSE_BYTES).toBeLessThanOrEqual(6 * 1_024 * 1_024 - 65_536);
  });
});
