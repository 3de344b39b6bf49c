import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface RunningService {
  readonly url: string;
  stop(): void;
}

/**
 * `npm start` on a port of its own without the per-IP limit and the public plan: they are not what is checked here.
 *
 * @throws Error when it ends before it is ready
 */
export async function startService(markets: number): Promise<RunningService> {
  console.log('Starting the service …');
  const limits = ['--rate-limit', 'off', '-c', 'publicRate=5000'];
  const service = spawn('npm', ['start', '--', '--port', '0', '--markets', String(markets), ...limits], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: service.stdout })) {
    const url = /^Ready: (\S+)$/.exec(line)?.[1];
    if (!url) continue;
    service.stdout.resume(); // what it prints of each request is not of interest here
    return { url, stop: () => service.kill('SIGTERM') };
  }
  throw new Error('The service ended before it was ready');
}
