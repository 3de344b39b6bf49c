import { describe, expect, it } from '@jest/globals';
import { MAX_RESPONSE_BYTES } from '../../../../lambda/core/contract/constants.ts';
import { ERRORS, GATEWAY_ERRORS, gatewayErrorHeaders } from '../../../../lambda/core/contract/errors.ts';
import { COMMON_HEADERS } from '../../../../lambda/core/contract/headers.ts';
import { ROUTES, type Route } from '../../../../lambda/core/contract/route-table.ts';

/** Facts of the tables that other tests take from the tables themselves. */
describe('the contract', () => {
  it('lets web pages read the headers that clients need', () => {
    const exposed = (COMMON_HEADERS['Access-Control-Expose-Headers'] ?? '').split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['ETag', 'Link', 'RateLimit', 'Retry-After', 'X-Snapshot-Id', 'X-Total-Count']),
    );
  });

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

  it('gives 1 GB to each counted function that holds the markets', () => {
    const holders = Object.values<Route>(ROUTES).filter(({ counted, source }) => counted && source === 'snapshot');
    expect(holders.length).toBeGreaterThan(5);
    for (const { memoryMb } of holders) expect(memoryMb).toBe(1_024);
  });
});
