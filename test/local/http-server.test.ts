/**
 * The HTTP server of `npm start` replaces API Gateway: it invokes a function for each request and
 * sends the result. Here one function in this file replaces those of the service.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { gatewayServer, type ServedRequest } from '../../local/http-server.ts';
import { listen } from '../../local/simulator/listen.ts';

/** The function returns this. A test can set it, and each test begins with 2,000 letters. */
let result: () => APIGatewayProxyResult;
/** The events of the test's requests. */
let events: APIGatewayProxyEvent[] = [];
/** What the server reported of these requests, for the console. */
let served: ServedRequest[] = [];
const server = gatewayServer(
  async (_name, event) => {
    events.push(event);
    return result();
  },
  (request) => served.push(request),
);
const url = await listen(server, 0);
beforeEach(() => {
  events = [];
  served = [];
  result = () => ({
    statusCode: 200,
    headers: { 'Content-Type': 'text/plain', Link: 'x' },
    body: 'é'.repeat(2_000),
  });
});
afterAll(() => {
  server.close();
  // Connections that are not idle yet would keep Jest's process alive.
  server.closeAllConnections();
});

/** Sends bytes as they are, and reads the response until the connection ends. */
async function exchange(sent: string): Promise<{ status: number; headers: Headers; body: string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // A request that the server accepts leaves the connection open.
  socket.write(sent.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  const text = Buffer.concat(await socket.toArray()).toString('latin1');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [statusLine = '', ...fields] = head.split('\r\n');
  const headers = new Headers();
  for (const field of fields) {
    const [name = '', value = ''] = field.split(': ');
    headers.append(name, value);
  }
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}

describe('gatewayServer', () => {
  it('sends the result of the function', async () => {
    const response = await fetch(`${url}/api/markets?limit=1`);
    expect(response.status).toBe(200);
    expect(response.headers.get('link')).toBe('x');
    // Most clients close an idle connection earlier, so they use none that the server just closed.
    expect(response.headers.get('keep-alive')).toBe('timeout=75');
    expect(await response.text()).toHaveLength(2_000);
    expect(events[0]).toMatchObject({
      resource: '/api/markets',
      queryStringParameters: { limit: '1' },
    });
    expect(events[0]?.headers['x-viewer-ip']).toBe('127.0.0.1');
    expect(served).toMatchObject([{ method: 'GET', target: '/api/markets?limit=1', status: 200 }]);
  });

  it.each([
    { accepted: 'deflate, gzip;q=0.5', bytes: 4_000, coding: 'gzip' },
    // From 1 KB on.
    { accepted: 'gzip', bytes: 1_024, coding: 'gzip' },
    { accepted: 'gzip', bytes: 1_022, coding: null },
    { accepted: 'gzip; q=0.0, deflate', bytes: 4_000, coding: null },
    { accepted: '', bytes: 4_000, coding: null },
  ])('for Accept-Encoding "$accepted" encodes $bytes bytes as $coding', async (row) => {
    const { accepted, bytes, coding } = row;
    // é has two bytes.
    result = () => ({ statusCode: 200, headers: {}, body: 'é'.repeat(bytes / 2) });
    const response = await fetch(`${url}/api/markets`, {
      headers: { 'accept-encoding': accepted },
    });
    expect(response.headers.get('content-encoding')).toBe(coding);
    // `fetch` decompresses, and waits for as many bytes as the header names.
    expect((await response.arrayBuffer()).byteLength).toBe(bytes);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
  });

  it('sends the bytes of a picture', async () => {
    const bytes = Uint8Array.from([0x89, 0x50, 0xff, 0x00]);
    const body = Buffer.from(bytes).toString('base64');
    result = () => ({ statusCode: 200, headers: {}, body, isBase64Encoded: true });
    const response = await fetch(`${url}/`);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  // If the server did not handle the error, Jest would fail the test.
  it('survives a caller that goes away within its request', async () => {
    const accepted = once(server, 'connection');
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const sent = 'POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx';
    socket.write(sent, () => socket.destroy());
    const [serverSide] = await accepted;
    await once(serverSide, 'close');
    expect(events).toHaveLength(0);
  });

  it('responds to preflights of any path itself', async () => {
    const response = await fetch(`${url}/nothing`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toBe('GET,HEAD,OPTIONS');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Total-Count');
    expect(events).toHaveLength(0);
  });

  it('responds to unknown paths with 404 in the form of every error', async () => {
    const response = await fetch(`${url}/api/nothing`);
    const body = (await response.json()) as Record<string, string>;
    expect(response.status).toBe(404);
    expect(body).toMatchObject({
      code: 'not_found',
      requestId: response.headers.get('x-request-id'),
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    {
      what: 'letters that are not encoded',
      sent: 'GET /api/markets?q=Türkiye HTTP/1.1\r\nHost: x\r\n\r\n',
      expected: 400,
    },
    {
      what: '20 KB of headers',
      sent: `GET /api/status HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      expected: 431,
    },
    { what: 'bytes that are no request', sent: 'nonsense\r\n\r\n', expected: 400 },
  ])('responds to $what in the form of every error', async ({ sent, expected }) => {
    const { status, headers, body } = await exchange(sent);
    expect(status).toBe(expected);
    expect(JSON.parse(body)).toEqual({
      error: expect.any(String),
      code: 'bad_request',
      requestId: headers.get('x-request-id'),
    });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('content-length')).toBe(String(body.length));
    expect(events).toHaveLength(0);
  });

  it('closes a connection after bytes that it cannot parse', async () => {
    const accepted = once(server, 'connection');
    // The caller keeps its side open.
    const { hostname: host, port } = new URL(url);
    const socket = connect({ host, port: Number(port), allowHalfOpen: true });
    socket.resume().write('nonsense\r\n\r\n');
    const [serverSide] = await accepted;
    await once(serverSide, 'close');
    socket.destroy();
    expect(serverSide.destroyed).toBe(true);
  });

  it('accepts HTTP/1.0 without a host', async () => {
    expect((await exchange('GET /api/markets HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it('passes on the beginning of a long POST, which shows that it is too long', async () => {
    for (const length of [1_000, 5_000_000])
      await fetch(`${url}/mcp`, { method: 'POST', body: 'x'.repeat(length) });
    const [short, long] = events.map(({ body }) => body?.length);
    expect(short).toBe(1_000);
    // The function accepts 20,000 characters, which are at most 80,000 bytes.
    expect(long).toBeGreaterThan(80_000);
    expect(long).toBeLessThan(1_000_000);
  });

  it('responds with 413 to bodies above 10 MB, and passes smaller ones on', async () => {
    const post = (bytes: number) =>
      fetch(`${url}/mcp`, { method: 'POST', body: 'x'.repeat(bytes) });
    const limit = 10 * 1_024 * 1_024;
    const large = await post(limit + 1);
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ code: 'body_too_large' });
    expect((await post(limit)).status).toBe(200);
    expect(events).toHaveLength(1);
  });

  it.each<{ readonly what: string; readonly failing: () => APIGatewayProxyResult }>([
    { what: 'throws', failing: () => JSON.parse('secret') },
    {
      // Lambda allows 6 MB.
      what: 'returns more than Lambda allows',
      failing: () => ({ statusCode: 200, headers: {}, body: 'x'.repeat(6 * 1_024 * 1_024 + 1) }),
    },
  ])('responds with 500 when the function $what', async ({ failing }) => {
    result = failing;
    const response = await fetch(`${url}/api/markets`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    expect(served[0]?.error).toBeInstanceOf(Error);
  });
});
