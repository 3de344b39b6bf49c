/**
 * A thread that floods a URL from one address until it is stopped. Posts `refused` with the first response that is 429,
 * and at its end how many responses of each status it got.
 */
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { url, from, connections }: { url: string; from: string; connections: number } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress: from });
const statuses: Record<number, number> = {};
let stopped = false;

function once(): Promise<void> {
  return new Promise((resolve) => {
    const request = get(url, { agent }, (response) => {
      const status = response.statusCode ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 429 && statuses[status] === 1) parentPort?.postMessage('refused');
      response
        .resume()
        .on('end', resolve)
        .on('error', () => resolve());
    });
    request.on('error', () => resolve());
  });
}

async function flood(): Promise<void> {
  while (!stopped) await once();
}

parentPort?.once('message', () => {
  stopped = true;
});
await Promise.all(Array.from({ length: connections }, flood));
agent.destroy();
parentPort?.postMessage(statuses);
