import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REQUESTS_PER_MINUTE } from '../../lambda/contract/constants.ts';
import { Client } from '../../tools/smoke/client.ts';
import { Deployment } from '../../tools/smoke/deployment.ts';
import { readOptions } from '../../tools/smoke/options.ts';
import { table } from '../../tools/smoke/report.ts';
import { type CheckResult, runChecks } from '../../tools/smoke/run-checks.ts';
import { TestService } from './support/test-service.ts';

describe('the smoke test', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
    await service.service.refresh();
  }, 60_000);
  afterAll(() => service?.close());

  it('passes on a service that works, within the limit that it looks at', async () => {
    const client = new Client(new URL(service.service.url));
    const results = await runChecks(new Deployment(client));
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(client.counted).toBeGreaterThan(0);
    expect(client.counted).toBeLessThan(REQUESTS_PER_MINUTE);
  });

  it('finds everything wrong with a server that responds to all with an empty list', async () => {
    const results = await checked((_request, response) => response.end('[]'));
    expect(results.filter(({ outcome }) => outcome === 'passed')).toEqual([]);
    expect(table(results)).toContain('FAILED');
  });

  it('finds a page without a file that it loads', async () => {
    const results = await checked(({ url }, response) => {
      if (url !== '/') response.writeHead(404).end();
      else response.setHeader('Content-Type', 'text/html').end('<script src="/assets/page.js"></script>');
    });
    expect(ofPage(results)).toEqual(['/assets/page.js is 404 instead of 200', '/docs is 404 instead of 200']);
  });

  it('expects a page of a front door, and none of an API alone', async () => {
    const notFound: RequestListener = (_request, response) =>
      response.setHeader('Content-Type', 'application/json').writeHead(404).end('{}');
    expect(ofPage(await checked(notFound))).toEqual(Array(2).fill(expect.stringMatching(/^none: /)));
    const behindFrontDoor = await checked((request, response) =>
      notFound(request, response.setHeader('X-Amz-Cf-Id', 'abc')),
    );
    expect(ofPage(behindFrontDoor)).toEqual(['/ is 404 instead of 200', '/docs is 404 instead of 200']);
  });

  it('says in one sentence that nothing responds', async () => {
    const deployment = new Deployment(new Client(new URL('http://smoke.invalid')));
    await expect(runChecks(deployment)).rejects.toThrow(/^smoke\.invalid cannot be reached: .*\.$/);
  });
});

/** What the checks find in a server that responds like this. */
async function checked(respond: RequestListener): Promise<CheckResult[]> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return await runChecks(new Deployment(new Client(new URL(`http://127.0.0.1:${port}`))));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function ofPage(results: readonly CheckResult[]): string[] {
  return results.filter(({ name }) => name.startsWith('page: ')).map(({ detail }) => detail);
}

describe('its command line', () => {
  it('is an address and what to leave out', () => {
    expect(readOptions(['https://example.org/dev', '--api-key', 'k', '--skip-limits'])).toEqual({
      base: new URL('https://example.org/dev'),
      apiKey: 'k',
      skipLimits: true,
    });
  });

  it('may name the upstreams that the doctor asks first', () => {
    const argv = ['https://example.org', '--doctor', '--clob-url', 'http://127.0.0.1:1/'];
    expect(readOptions(argv).doctor).toMatchObject({
      gamma: 'https://gamma-api.polymarket.com',
      clob: 'http://127.0.0.1:1',
    });
    expect(readOptions(['https://example.org']).doctor).toBeUndefined();
  });

  it.each([
    [[]],
    [['example.org']],
    [['https://a', '--clob-url', 'http://b']],
    [['https://a', '--doctor', '--clob-url', 'b']],
    [['https://a', 'https://b']],
    [['https://a', '--fast']],
  ])('is refused otherwise: %j', (argv) => {
    expect(() => readOptions(argv)).toThrow();
  });
});
