import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTES } from '../../lambda/core/contract/route-table.ts';
import { type LocalService, startLocalService } from '../../local/service.ts';
import { type Simulator, startSimulator } from '../../local/simulator/index.ts';
import { listen } from '../../local/simulator/listen.ts';
import { countedApart, smoke } from '../../tools/smoke.ts';
import { captureOutput } from '../support/captured-output.ts';

async function run(...args: readonly string[]) {
  const lines: string[] = [];
  const status = await smoke(args, (line) => lines.push(line));
  return { status, lines, failed: lines.filter((line) => line.startsWith('FAILED')) };
}

describe('the smoke test', () => {
  let upstream: Simulator;
  let service: LocalService;
  beforeAll(async () => {
    captureOutput();
    upstream = await startSimulator({ markets: 150, lifecycle: false });
    const { url } = upstream;
    service = await startLocalService({
      upstream: { gammaUrl: url, clobUrl: url, dataUrl: url },
      rateLimit: 60,
    });
    await service.refresh('full');
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  it('passes for the local service, except that it needs no key', async () => {
    const { status, lines, failed } = await run(service.url, '--api-url', service.url);
    expect(failed).toEqual([
      expect.stringContaining('FAILED  /api/status: not 403 missing_api_key: 200 {'),
    ]);
    expect(
      lines.filter((line) => line.startsWith('ok')).map((line) => line.split(':')[0]?.slice(8)),
    ).toEqual([
      'status',
      'list',
      'search',
      'order book',
      'history of a day',
      'an unknown path',
      'a long body',
      'other origins',
      ...Object.values(ROUTES).map(({ path }) => path),
    ]);
    expect(status).toBe(1);
  });

  it('rejects wrong options', async () => {
    await expect(run()).rejects.toThrow('The address of one deployment is needed.');
    await expect(run(service.url, '--colour')).rejects.toThrow('--colour');
  });
});

it('fails in each check of another service', async () => {
  const server = createServer((_request, response) => response.end('<html>'));
  const { status, failed } = await run(await listen(server, 0));
  server.close();
  expect(failed).toHaveLength(4);
  expect(status).toBe(1);
});

it('fails if the function of one route does not start', async () => {
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/api/tags' ? 502 : 400).end('{"message":"Internal server error"}');
  });
  const { failed } = await run(await listen(server, 0));
  server.close();
  expect(failed).toContain(
    'FAILED  /api/tags: the function of this route fails: 502 {"message":"Internal server error"}',
  );
  expect(failed.filter((line) => line.includes('the function'))).toHaveLength(1);
});

describe('two clients', () => {
  const counter = (clientOf: (family: number) => number) => {
    const counts = new Map<number, number>();
    return async (family: number) => {
      const count = (counts.get(clientOf(family)) ?? 0) + 1;
      counts.set(clientOf(family), count);
      return 60 - count;
    };
  };

  it.each([
    [
      'passes for a limit that counts them apart',
      counter((family) => family),
      'ok      two clients: IPv4 has 59, then 58',
    ],
    [
      'fails for a limit that counts them as one',
      counter(() => 0),
      'FAILED  two clients: IPv4 has 59, then 56',
    ],
    [
      'is skipped without IPv6',
      async (family: number) => (family === 4 ? 59 : undefined),
      'SKIPPED two clients',
    ],
  ])('%s', async (_what, remaining, start) => {
    expect(await countedApart(remaining)).toMatch(new RegExp(`^${start}`));
  });
});
