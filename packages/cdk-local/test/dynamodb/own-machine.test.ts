import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { refuseOtherOrigins } from '../../src/dynamodb/own-machine.ts';

const server = createServer((_request, response) => response.writeHead(200).end('data'));

beforeAll(async () => {
  refuseOtherOrigins(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});

function statusWith(headers: Record<string, string>): Promise<number | undefined> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });
}

it.each([
  ['its address', { host: '127.0.0.1:8000' }, 200],
  ['its name', { host: 'localhost' }, 200],
  ['another name that points here', { host: 'attacker.example:8000' }, 403],
  ['a web page', { host: '127.0.0.1:8000', origin: 'https://attacker.example' }, 403],
])('a request by %s gets %s: %s', async (_, headers, status) => {
  expect(await statusWith(headers)).toBe(status);
});
