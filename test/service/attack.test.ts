import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { snapshotEntry } from '../support/snapshot-entry.ts';
import { TestService } from './support/test-service.ts';

const FLOOD_MS = 10_000;
const UNDISTURBED_MS = 5_000;
/** Nobody notices it, however short the quiet time before was. */
const UNNOTICED_MS = 120;
const CALLERS = 8;
/** Requests of each caller in each of the two halves: together below their sixty a minute. */
const REQUESTS = 28;

let service: TestService;
let attempt = 0;
beforeAll(async () => {
  service = await TestService.start();
  await service.publish(Array.from({ length: 500 }, (_, n) => snapshotEntry(n)));
}, 60_000);
afterAll(() => service?.close());

// A neighbour on this machine can spoil the comparison; the addresses of another attempt have their whole allowance.
jest.retryTimes(2);
beforeEach(() => {
  attempt += 1;
});

/** One request from an address: its status and how long it took, in ms. */
async function call(agent: Agent): Promise<{ status: number; ms: number }> {
  const began = performance.now();
  const request = get(`${service.service.url}/api/markets?limit=20`, { agent });
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode, ms: performance.now() - began };
}

/** All callers at their own pace for a while. */
async function work(agents: readonly Agent[], durationMs: number) {
  const responses: { status: number; ms: number }[] = [];
  const caller = async (agent: Agent, n: number) => {
    await wait((n / CALLERS) * (durationMs / REQUESTS));
    for (let request = 0; request < REQUESTS; request++) {
      responses.push(await call(agent));
      await wait(durationMs / REQUESTS);
    }
  };
  await Promise.all(agents.map(caller));
  const times = responses.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    statuses: [...new Set(responses.map(({ status }) => status))],
    p99: times[Math.ceil(0.99 * times.length) - 1] ?? 0,
    median: times[Math.floor(times.length / 2)] ?? 0,
  };
}

describe('one IP that floods the service at full speed', () => {
  it('is refused, and does no harm to others', async () => {
    const agents = Array.from(
      { length: CALLERS },
      (_, n) => new Agent({ keepAlive: true, localAddress: `127.0.${attempt}.${n + 10}` }),
    );
    await Promise.all(agents.map(call)); // containers are there, as they are in a service that is used
    const undisturbed = await work(agents, UNDISTURBED_MS);

    const flood = new Worker(new URL('./support/flood.ts', import.meta.url), {
      workerData: { url: `${service.service.url}/api/markets`, from: `127.0.${attempt}.2`, connections: 8 },
    });
    await once(flood, 'message'); // it is refused from here on
    const disturbed = await work(agents, FLOOD_MS);
    flood.postMessage('stop');
    const [statuses]: Record<number, number>[] = await once(flood, 'message');
    await flood.terminate();
    for (const agent of agents) agent.destroy();

    const total = Object.values(statuses ?? {}).reduce((sum, count) => sum + count, 0);
    console.log(
      `Flood: ${total} requests in ${FLOOD_MS / 1_000} s, ${JSON.stringify(statuses)}. ` +
        `The others: p99 ${undisturbed.p99.toFixed(1)} ms undisturbed, ${disturbed.p99.toFixed(1)} ms disturbed ` +
        `(medians ${undisturbed.median.toFixed(1)} and ${disturbed.median.toFixed(1)} ms).`,
    );
    expect(statuses?.[200]).toBe(60);
    expect(total).toBeGreaterThan(1_000);
    expect(disturbed.statuses).toEqual([200]);
    expect(disturbed.p99).toBeLessThanOrEqual(Math.max(3 * undisturbed.p99, UNNOTICED_MS));
  }, 60_000);
});
