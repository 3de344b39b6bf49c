import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { matchRoute, proxyEvent } from '../../local/event.ts';
import type { LocalFunctionName } from '../../local/functions.ts';
import { type LocalService, startLocalService } from '../../local/service.ts';

export type Handler = (event: object, context: object) => Promise<APIGatewayProxyResult>;

/** The service in this process, without a rate limit, with its simulated upstream in another process. */
export interface BenchService extends Omit<LocalService, 'handler'> {
  /** An event as API Gateway sends it. @param target path and query */
  event(target: string): APIGatewayProxyEvent;
  handler(name: LocalFunctionName): Promise<Handler>;
}

export async function startBenchService(): Promise<BenchService> {
  const upstream = await startUpstream();
  const { url } = upstream;
  const service = await startLocalService({ upstream: { gammaUrl: url, clobUrl: url, dataUrl: url } });
  return {
    ...service,
    event(target) {
      const [path = '', query = ''] = target.split('?');
      const match = matchRoute(path);
      if (!match) throw new Error(`No function serves ${target}`);
      const sent = { method: 'GET', path, query, rawHeaders: [], body: '', address: '203.0.113.7' };
      return proxyEvent(sent, match, 'bench');
    },
    async handler(name) {
      return (await service.handler(name)) as Handler;
    },
    async stop() {
      await service.stop();
      upstream.stop();
    },
  };
}

/** The simulator as a program of its own, as slow as the real hosts, so that it takes no time from the service. */
async function startUpstream(): Promise<{ readonly url: string; stop(): void }> {
  const program = new URL('../../local/simulator/main.ts', import.meta.url).pathname;
  const options = ['--port', '0', '--upstream-latency', 'realistic'];
  const child = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill());
  const closed = once(child, 'close').then(() => {
    throw new Error('The simulated upstream did not start');
  });
  const ready = (async () => {
    for await (const line of createInterface(child.stdout)) {
      const url = /^Ready: (\S+)/.exec(line)?.[1];
      if (url !== undefined) return url;
    }
    return await closed;
  })();
  const url = await Promise.race([ready, closed]);
  closed.catch(() => undefined);
  return { url, stop: () => child.kill() };
}
