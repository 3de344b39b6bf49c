import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ClientCounter } from '../../../../lambda/rate-limit/client-counter.ts';
import { NetworkLimit } from '../../../../lambda/rate-limit/network-limit.ts';
import { MemoryRequestLog } from '../../../support/memory-request-log.ts';

const START = Date.parse('2026-11-21T12:00:00Z');
const NETWORK = '2001:db8:1::/48';
const { signal } = new AbortController();

/** A limit of one sample, and the die of the test's choice. */
function rig() {
  const time = { now: START };
  const die = { next: 0 };
  const now = () => time.now;
  const log = new MemoryRequestLog({ now });
  const samples = new ClientCounter({ limit: 1, log, now, randomBytes });
  return { time, die, log, limit: new NetworkLimit({ samples, random: () => die.next }) };
}

describe('the sample of a network', () => {
  it.each([
    [0, true],
    [0.049_999, true],
    [0.05, false],
    [0.999_999, false],
  ])('is one request in twenty: the die shows %d, counted: %s', async (shown, counted) => {
    const { die, log, limit } = rig();
    die.next = shown;
    expect((await limit.check(NETWORK, signal)) !== undefined).toBe(counted);
    expect(log.units).toBe(counted ? 1 : 0);
  });

  it('is every request while the network is refused, and one in twenty once it is allowed again', async () => {
    const { time, die, limit } = rig();
    await limit.check(NETWORK, signal);
    expect(await limit.check(NETWORK, signal)).toMatchObject({ allowed: false });
    die.next = 0.9;
    expect(await limit.check(NETWORK, signal)).toMatchObject({ allowed: false });
    expect(await limit.check('2001:db8:2::/48', signal)).toBeUndefined();
    time.now = START + 60_000;
    expect(await limit.check(NETWORK, signal)).toMatchObject({ allowed: true });
    expect(await limit.check(NETWORK, signal)).toBeUndefined();
  });

  it('is remembered as a refusal for the requests that follow', async () => {
    const { limit } = rig();
    await limit.check(NETWORK, signal);
    expect(limit.cachedRefusal(NETWORK)).toBeUndefined();
    await limit.check(NETWORK, signal);
    expect(limit.cachedRefusal(NETWORK)).toMatchObject({ allowed: false, resetAt: START + 60_000 });
    expect(limit.cachedRefusal('2001:db8:2::/48')).toBeUndefined();
  });
});
