import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

let server: Server;
let respond = { status: 200, body: '{"status":"ok"}', headers: {} };
let requested: string | undefined;
let handler: () => Promise<void>;

beforeAll(async () => {
  server = createServer((request, response) => {
    requested = request.url;
    response.writeHead(respond.status, respond.headers).end(respond.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.env.FRONT_DOOR_URL = `http://127.0.0.1:${port}/`;
  ({ handler } = await import('../../../lambda/handlers/watch-front-door.ts'));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('the watch of the front door', () => {
  it.each(['ok', 'stale', 'empty'])('accepts the status %s', async (status) => {
    respond = { status: 200, body: JSON.stringify({ status }), headers: {} };
    await handler();
    expect(requested).toBe('/api/status');
  });

  it.each([
    ['an error of the web ACL', { status: 403, body: '{"status":"ok"}', headers: {} }],
    ['a redirect', { status: 302, body: '{"status":"ok"}', headers: { location: '/' } }],
    ['a page', { status: 200, body: '<html>', headers: {} }],
    ['another JSON', { status: 200, body: '{"message":"Forbidden"}', headers: {} }],
    ['no object', { status: 200, body: 'null', headers: {} }],
  ])('fails for %s', async (_what, other) => {
    respond = other;
    await expect(handler()).rejects.toThrow();
  });

  it('fails when nothing responds', async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(handler()).rejects.toThrow();
  });
});
