import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createNodeFetch } from '../../../../lambda/http-client/node-fetch.ts';
import { readText } from '../../../../lambda/http-client/read-text.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(respond: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(respond);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const options = (signal: AbortSignal = new AbortController().signal) =>
  ({ method: 'GET', headers: { accept: 'application/json' }, redirect: 'error', signal }) as const;
const TEXT = '{"question":"Will it rain in Zürich?"}';
const MOST = 1_000_000;

describe('a response', () => {
  it.each([
    ['plain', undefined, Buffer.from(TEXT)],
    ['gzipped', 'gzip', gzipSync(TEXT)],
  ])('that is %s is read as text', async (_, encoding, body) => {
    const url = await serve((_request, response) =>
      response.writeHead(200, encoding ? { 'content-encoding': encoding } : {}).end(body),
    );
    const response = await createNodeFetch()(url, options());
    expect(response).toMatchObject({ ok: true, status: 200 });
    expect(await readText(response, MOST)).toEqual({ text: TEXT, complete: true });
  });

  it('has headers by names in any case, several of a kind as one list', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(429, { 'Retry-After': '7', 'Set-Cookie': ['a=1', 'b=2'] }).end(),
    );
    const { ok, headers } = await createNodeFetch()(url, options());
    expect([ok, headers.get('retry-after'), headers.get('Set-Cookie'), headers.get('age')]).toEqual([
      false,
      '7',
      'a=1, b=2',
      null,
    ]);
    expect([headers.has('Retry-After'), headers.has('age')]).toEqual([true, false]);
  });

  it('that unpacks to more than is wanted is not read to its end', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5_000_000))),
    );
    const { text, complete } = await readText(await createNodeFetch()(url, options()), 100_000);
    expect(complete).toBe(false);
    expect(text.length).toBeLessThanOrEqual(100_000);
  });
});

it('a body is sent as it is, and gzip is asked for', async () => {
  const seen: unknown[] = [];
  const url = await serve((request, response) => {
    request.setEncoding('utf8').once('data', (body) => {
      seen.push(request.method, request.headers['accept-encoding'], body);
      response.end();
    });
  });
  await createNodeFetch()(url, { ...options(), method: 'POST', body: '["ü"]' });
  expect(seen).toEqual(['POST', 'gzip', '["ü"]']);
});

it('a connection is kept for the next request', async () => {
  const ports = new Set<number | undefined>();
  const url = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('{}');
  });
  const fetch = createNodeFetch();
  for (let n = 0; n < 3; n++) await readText(await fetch(url, options()), MOST);
  expect(ports.size).toBe(1);
});

describe('a request fails', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['that is redirected', (response) => response.writeHead(302, { location: '/' }).end()],
    [
      'whose response is encoded otherwise',
      (response) => response.writeHead(200, { 'content-encoding': 'br' }).end(),
    ],
    ['whose connection breaks', (response) => response.destroy()],
    [
      'whose connection switches to another protocol',
      (response) => response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end(),
    ],
  ])('%s', async (_, respond) => {
    const url = await serve((_request, response) => respond(response));
    await expect(createNodeFetch()(url, options())).rejects.toThrow();
  });

  it.each([undefined, 'gzip'])(
    'while its body is read, when the connection breaks (%s)',
    async (encoding) => {
      const whole = encoding ? gzipSync('x'.repeat(100_000)) : Buffer.from('x'.repeat(100_000));
      const url = await serve((_request, response) => {
        response.writeHead(200, {
          'content-length': whole.length,
          ...(encoding && { 'content-encoding': encoding }),
        });
        response.write(whole.subarray(0, 50), () => response.destroy());
      });
      const response = await createNodeFetch()(url, options());
      await expect(readText(response, MOST)).rejects.toThrow();
    },
  );

  it.each(['headers', 'body'])('when its signal aborts before the %s are there', async (part) => {
    const abort = new AbortController();
    const url = await serve((_request, response) => {
      if (part === 'body') response.writeHead(200).write('{');
      setImmediate(() => abort.abort());
    });
    const reading = createNodeFetch()(url, options(abort.signal)).then((response) =>
      readText(response, MOST),
    );
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});
