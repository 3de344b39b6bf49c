/**
 * `npm run smoke -- <address>` checks a deployed service from outside, and prints a line for each
 * check: "ok", "FAILED" or "SKIPPED".
 */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EXPOSED_HEADERS } from '../../lambda/core/contract/headers.ts';
import { ROUTES } from '../../lambda/core/contract/route-table.ts';
import { type LocalService, startLocalService } from '../../local/service.ts';
import { type Simulator, startSimulator } from '../../local/simulator/index.ts';
import { listen } from '../../local/simulator/listen.ts';
import { smoke } from '../../tools/smoke.ts';
import { countedApart } from '../../tools/smoke-checks.ts';
import { captureOutput } from '../support/captured-output.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

/** Runs the smoke test. @returns its exit status, its lines, and those of failed checks */
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
    // A line is such as "ok      order book: 20 levels".
    const passed = lines.flatMap((line) => /^ok +(.*?):/.exec(line)?.[1] ?? []);
    expect(passed).toEqual([
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

it('the smoke test fails in four checks for another service, which responds with HTML', async () => {
  const server = createServer((_request, response) => response.end('<html>'));
  const { status, failed } = await run(await listen(server, 0));
  server.close();
  // The checks of the service as a whole. Those of single routes accept any status below 500.
  expect(failed).toHaveLength(4);
  expect(status).toBe(1);
});

it('the smoke test fails if the function of one route does not start', async () => {
  // A route that works rejects the request of this check, which has no parameters, with 400.
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

// Other origins are web pages of other sites, which a browser lets read a response if its headers
// allow it.
describe('a check of errors and of other origins', () => {
  interface Reply {
    readonly status: number;
    readonly code?: string;
    /** In the body. The header has "r1". */
    readonly requestId?: string;
    readonly headers?: object;
  }
  const exposed = { 'access-control-expose-headers': EXPOSED_HEADERS.join(', ') };
  const RIGHT_REPLIES: Readonly<Record<string, Reply>> = {
    'GET /api/nothing': { status: 404, code: 'not_found', headers: exposed },
    'POST /api/markets': { status: 413, code: 'body_too_large' },
    'OPTIONS /api/markets': { status: 204, headers: { 'access-control-allow-origin': '*' } },
    'GET /api/status': { status: 403, code: 'missing_api_key', headers: exposed },
  };

  /**
   * Runs the smoke test for a service that responds rightly except for these replies.
   *
   * @returns the lines, and the API key of each request for the status
   */
  async function linesOf(wrong: Readonly<Record<string, Reply>>, ...args: readonly string[]) {
    const replies = { ...RIGHT_REPLIES, ...wrong };
    const keys: unknown[] = [];
    const server = createServer((request, response) => {
      if (request.url === '/api/status') keys.push(request.headers['x-api-key']);
      const reply = replies[`${request.method} ${request.url}`] ?? { status: 400 };
      const { status, code, requestId = 'r1', headers } = reply;
      response.writeHead(status, { 'x-request-id': 'r1', ...headers });
      response.end(JSON.stringify({ error: 'x', code, requestId }));
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
    // The last request goes to the address of API Gateway.
    expect(new Set(keys.slice(0, -1))).toEqual(new Set(['secret']));
    expect(keys.at(-1)).toBeUndefined();
    // The key of a partner has no limit per address.
    expect(lines.join('\n')).not.toContain('two clients');
  });

  it.each<{ readonly request: string; readonly reply: Reply; readonly problem: string }>([
    {
      request: 'GET /api/nothing',
      reply: { status: 404, code: 'internal' },
      problem: 'not 404 not_found',
    },
    {
      request: 'GET /api/nothing',
      reply: { status: 404, code: 'not_found', requestId: 'r2' },
      problem: 'another X-Request-Id',
    },
    {
      request: 'GET /api/nothing',
      reply: { status: 404, code: 'not_found' },
      problem: `other origins cannot read ${EXPOSED_HEADERS.join(', ')}`,
    },
    {
      request: 'POST /api/markets',
      reply: { status: 400, code: 'body_too_large' },
      problem: 'not 413 body_too_large',
    },
    {
      request: 'OPTIONS /api/markets',
      reply: { ...RIGHT_REPLIES['OPTIONS /api/markets'], status: 403 },
      problem: 'the preflight is rejected',
    },
  ])('fails for $request: $problem', async ({ request, reply, problem }) => {
    const { lines } = await linesOf({ [request]: reply });
    const [, path] = request.split(' ');
    expect(lines).toContainEqual(expect.stringContaining(`FAILED  ${path}: ${problem}`));
  });
});

// The check sends one request over IPv4, two over IPv6, and one over IPv4 again. The limit is 60.
describe('the check that the limit counts two clients apart', () => {
  it('passes if each one has a count of its own', async () => {
    const left = { 4: 60, 6: 60 };
    const line = await countedApart(async (family) => --left[family]);
    expect(line).toMatch(/^ok {6}two clients: IPv4 has 59, then 58/);
  });

  it('fails if they share a count', async () => {
    let left = 60;
    const line = await countedApart(async () => --left);
    expect(line).toMatch(/^FAILED {2}two clients: IPv4 has 59, then 56/);
  });

  it('is skipped without IPv6', async () => {
    const line = await countedApart(async (family) => (family === 4 ? 59 : undefined));
    expect(line).toMatch(/^SKIPPED two clients/);
  });
});
