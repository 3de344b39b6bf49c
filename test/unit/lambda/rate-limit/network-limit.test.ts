import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ClientCounter } from '../../../../lambda/rate-limit/client-counter.ts';
import { NetworkLimit, SAMPLED_ONE_IN } from '../../../../lambda/rate-limit/network-limit.ts';
import { Dice } from '../../../support/dice.ts';
import { MemoryRequestLog } from '../../../support/memory-request-log.ts';
import { mostWithin } from '../../../support/most-within.ts';

const LIMIT = 60;
const START = Date.parse('2026-11-21T12:00:00Z');
const { signal } = new AbortController();

function rig(containers: number) {
  const time = { now: START };
  const now = () => time.now;
  const log = new MemoryRequestLog({ now });
  const dice = new Dice(1);
  const limits = Array.from({ length: containers }, () => {
    const samples = new ClientCounter({ limit: LIMIT, log, now, randomBytes });
    return new NetworkLimit({ samples, random: () => dice.random() });
  });
  return { time, log, limits };
}

async function passes(limit: NetworkLimit | undefined, network: string): Promise<boolean> {
  if (limit?.cachedRefusal(network)) return false;
  return (await limit?.check(network, signal))?.allowed !== false;
}

describe('the limit of a /48', () => {
  it('keeps a flood of its 65,536 networks to about 20 addresses’ worth in any 60 s, over all containers', async () => {
    const { time, limits } = rig(10);
    const served: number[] = [];
    for (let request = 0; request < 100 * 180; request += 1) {
      time.now = START + request * 10; // 100 a second for three minutes
      if (await passes(limits[request % 10], 'flooded')) served.push(time.now);
    }
    const most = mostWithin(served, 60_000);
    expect(most).toBeGreaterThan(0.6 * LIMIT * SAMPLED_ONE_IN);
    expect(most).toBeLessThan(1.4 * LIMIT * SAMPLED_ONE_IN);
    expect(await passes(limits[0], 'another')).toBe(true);
  });

  it('costs a twentieth of a write unit for a request that it lets pass', async () => {
    const { time, log, limits } = rig(4);
    for (let request = 0; request < 2_000; request += 1) {
      time.now = START + request * 1_000;
      expect(await passes(limits[request % 4], 'quiet')).toBe(true);
    }
    expect(log.units).toBeLessThan((2_000 / SAMPLED_ONE_IN) * 1.4);
  });
});
