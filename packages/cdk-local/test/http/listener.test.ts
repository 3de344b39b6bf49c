import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Listener } from '../../src/http/listener.ts';

let listener: Listener;

beforeEach(async () => {
  listener = await Listener.open(0, {
    starting: (requestId) => ({ status: 503, headers: [['X-Id', requestId]], body: Buffer.from('starting') }),
    unreadable: (cause) => ({ status: 400, headers: [['X-Cause', cause]], body: Buffer.from(cause) }),
  });
});
afterEach(() => listener.close());

/** Sends text as it is, and gives all that comes back. */
async function raw(text: string): Promise<string> {
  const socket = connect(listener.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).write(text);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

function serveTargets(): void {
  listener.serve(
    async ({ path, query }) => ({ status: 200, headers: [], body: Buffer.from(`${path} ${query}`) }),
    () => {},
  );
}

it('says that it is starting until it is told how to serve', async () => {
  const response = await fetch(`http://${listener.authority}/`);
  expect([response.status, await response.text()]).toEqual([503, 'starting']);
  expect(response.headers.get('x-id')).toMatch(/^[\da-f-]{36}$/);
});

describe('what the parser refuses', () => {
  it.each([
    ['GET /ä HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_address'],
    ['FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 'malformed'],
    ['GET / HTTP/9.9\r\nHost: a\r\n\r\n', 'malformed'],
    ['GET / HTTP/1.1\r\nHo st: a\r\n\r\n', 'malformed'],
    ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: abc\r\n\r\n', 'malformed'],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'malformed'],
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 'malformed'],
    [`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 'headers_too_large'],
  ])('%.20j gets a response by its cause', async (text, cause) => {
    const response = await raw(text);
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(response).toContain(`\r\nX-Cause: ${cause}\r\n`);
    expect(response).toContain(`\r\nContent-Length: ${cause.length}\r\n`);
    expect(response.endsWith(`\r\n\r\n${cause}`)).toBe(true);
  });
});

it.each([
  ['/a?b=c', '/a b=c'],
  ['http://localhost:3000/a?b=c', '/a b=c'],
  ['http://localhost:3000?b=c', '/ b=c'],
  ['http://localhost:3000', '/ '],
])('the target %s is the path and query %j', async (target, expected) => {
  serveTargets();
  const response = await raw(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(response.endsWith(expected)).toBe(true);
});

it.each([
  ['of HTTP/1.0 needs no Host', 'GET /a HTTP/1.0\r\n\r\n'],
  [
    'that expects what nobody knows',
    'GET /a HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nConnection: close\r\n\r\n',
  ],
])('a request %s is served', async (_, text) => {
  serveTargets();
  expect(await raw(text)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\/a $/);
});

it('a port in use is said in a sentence', async () => {
  await expect(Listener.open(listener.port)).rejects.toThrow(
    `Port ${listener.port} is in use: stop what listens there or choose another with --port.`,
  );
});
