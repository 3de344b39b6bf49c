import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXPOSED_HEADERS } from '../../lambda/core/contract/headers.ts';
import { ROUTES } from '../../lambda/core/contract/route-table.ts';
import { type LocalService, startLocalService } from '../../local/service.ts';
import { type Simulator, startSimulator } from '../../local/simulator/index.ts';
import { listen } from '../../local/simulator/listen.ts';
import { smoke } from '../../tools/smoke.ts';
import { countedApart } from '../../tools/smoke-checks.ts';
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
    const { status, lines, failed } = await run(`${service.url}/`, '--api-url', service.url);
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
    expect(lines.at(-2)).toMatch(/^SKIPPED two clients/);
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

describe('a check of errors and of other origins', () => {
  type Reply = Readonly<{ status: number; code?: string; id?: string; headers?: object }>;
  const exposed = { 'access-control-expose-headers': EXPOSED_HEADERS.join(', ') };
  const RIGHT: Readonly<Record<string, Reply>> = {
    'GET /api/nothing': { status: 404, code: 'not_found', headers: exposed },
    'POST /api/markets': { status: 413, code: 'body_too_large' },
    'OPTIONS /api/markets': { status: 204, headers: { 'access-control-allow-origin': '*' } },
    'GET /api/status': { status: 403, code: 'missing_api_key', headers: exposed },
  };

  /** The lines about a service that responds rightly except for these replies. */
  async function linesOf(wrong: Readonly<Record<string, Reply>>, ...args: readonly string[]) {
    const keys: unknown[] = [];
    const server = createServer(({ method, url, headers: { 'x-api-key': key } }, response) => {
      const replies = { ...RIGHT, ...wrong };
      const { status, code, id = 'r1', headers } = replies[`${method} ${url}`] ?? { status: 400 };
      if (url === '/api/status') keys.push(key);
      response.writeHead(status, { 'x-request-id': 'r1', ...headers });
      response.end(JSON.stringify({ error: 'x', code, requestId: id }));
    });
    const address = await listen(server, 0);
    const { lines } = await run(address, '--api-url', address, ...args);
    server.close();
    return { lines, keys };
  }

  it('passes if they are right, and sends the key to the public address only', async () => {
    const { lines, keys } = await linesOf({}, '--api-key', 'secret');
    for (const line of [
      'an unknown path: 404 in JSON',
      'a long body: 413',
      'other origins: may read',
      'a caller without a key: 403',
    ])
      expect(lines).toContain(`ok      ${line}`);
    expect(new Set(keys.slice(0, -1))).toEqual(new Set(['secret']));
    expect(keys.at(-1)).toBeUndefined();
    // The key of a partner has no limit per address.
    expect(lines.join('\n')).not.toContain('two clients');
  });

  it.each<[string, Reply, string]>([
    ['GET /api/nothing', { status: 404, code: 'internal' }, 'not 404 not_found'],
    ['GET /api/nothing', { status: 404, code: 'not_found', id: 'r2' }, 'another X-Request-Id'],
    ['POST /api/markets', { status: 400, code: 'body_too_large' }, 'not 413 body_too_large'],
    [
      'OPTIONS /api/markets',
      { ...RIGHT['OPTIONS /api/markets'], status: 403 },
      'the preflight is rejected',
    ],
    [
      'GET /api/nothing',
      { status: 404, code: 'not_found' },
      `other origins cannot read ${EXPOSED_HEADERS.join(', ')}`,
    ],
  ])('fails for a wrong %s: %j', async (request, reply, problem) => {
    const { lines } = await linesOf({ [request]: reply });
    const [, path] = request.split(' ');
    expect(lines).toContainEqual(expect.stringContaining(`FAILED  ${path}: ${problem}`));
  });
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
