import { describe, expect, it } from '@jest/globals';
import { QuotaCounter } from '../../src/api-gateway/quota-counter.ts';
import { TokenBucket } from '../../src/api-gateway/throttle.ts';

describe('a token bucket', () => {
  let now = 0;
  const take = (bucket: TokenBucket): boolean => {
    const allowed = bucket.allows;
    if (allowed) bucket.take();
    return allowed;
  };

  it('lets a burst through and then the rate', () => {
    const bucket = new TokenBucket({ rateLimit: 2, burstLimit: 3 }, () => now);
    expect([1, 2, 3, 4].map(() => take(bucket))).toEqual([true, true, true, false]);
    now += 499;
    expect(take(bucket)).toBe(false);
    now += 1;
    expect(take(bucket)).toBe(true);
    expect(take(bucket)).toBe(false);
    now += 3_600_000;
    expect([1, 2, 3, 4].map(() => take(bucket))).toEqual([true, true, true, false]);
  });

  it('gains nothing while the clock goes back', () => {
    const bucket = new TokenBucket({ rateLimit: 1, burstLimit: 1 }, () => now);
    expect(take(bucket)).toBe(true);
    now -= 10_000;
    expect(take(bucket)).toBe(false);
    now += 1_000;
    expect(take(bucket)).toBe(true);
  });

  it('of nothing lets nothing through', () => {
    const bucket = new TokenBucket({ rateLimit: 0, burstLimit: 0 }, () => now);
    now += 10_000;
    expect(bucket.allows).toBe(false);
  });
});

describe('a quota', () => {
  it.each([
    ['DAY', '2026-11-21T23:59:59Z', '2026-11-22T00:00:00Z'],
    ['WEEK', '2026-11-22T23:59:59Z', '2026-11-23T00:00:00Z'],
    ['MONTH', '2026-11-30T23:59:59Z', '2026-12-01T00:00:00Z'],
  ] as const)('of a %s begins anew with it', (period, before, after) => {
    let now = Date.parse(before);
    const quota = new QuotaCounter({ limit: 2, offset: 1, period }, () => now);
    expect(quota.exceeded).toBe(false);
    quota.count();
    expect(quota.exceeded).toBe(true);
    now = Date.parse(after);
    expect(quota.exceeded).toBe(false);
    quota.count();
    expect(quota.exceeded).toBe(false);
    quota.count();
    expect(quota.exceeded).toBe(true);
  });
});
