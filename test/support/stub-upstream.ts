import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll } from '@jest/globals';
import { inTime } from './in-time.ts';

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Undefined without a body. */
  readonly body: unknown;
}

export type Reply = (response: ServerResponse, request: ReceivedRequest) => void;

/**
 * A real HTTP server whose responses a test defines. It closes after the tests of the file. For
 * example, the first call fails, and all later ones succeed:
 *
 *     const stub = await startStubUpstream();
 *     it('tries again after an error', async () => {
 *       stub.reply(send('busy', 503), send({ bids: [], asks: [] }));
 *       await clientOf(stub.url).book('7');
 *       expect(stub.urls).toEqual(['/book?token_id=7', '/book?token_id=7']);
 *     });
 */
export interface StubUpstream {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** Path and query of each request. */
  readonly urls: readonly string[];
  /**
   * Resolves when the server has received this many requests. Rejects after 30 s, with those that it
   * has received.
   */
  received(count: number): Promise<void>;
  /**
   * The replies to the requests that follow, in turn. The last one is repeated. Forgets earlier
   * requests.
   */
  reply(...replies: Reply[]): void;
}

export async function startStubUpstream(): Promise<StubUpstream> {
  const requests: ReceivedRequest[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  let replies: Reply[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: text === '' ? undefined : JSON.parse(text) };
    requests.push(request);
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    reply?.(response, request);
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
    waiting = waiting.filter(({ count }) => requests.length < count);
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get urls() {
      return requests.map(({ url }) => url);
    },
    received: (count) => {
      const arrives = new Promise<void>((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      });
      return inTime(arrives, () => {
        const urls = requests.map(({ method, url }) => `${method} ${url}`);
        return `The upstream received ${requests.length} of ${count} requests: ${urls.join(', ') || 'none'}`;
      });
    },
    reply: (...next) => {
      replies = next;
      requests.length = 0;
    },
  };
}

export function send(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = text.startsWith('<') ? 'text/html' : 'application/json';
  return (response) => response.writeHead(status, { 'content-type': type, ...headers }).end(text);
}

export function sendGzipped(text: string): Reply {
  return (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
}

export const reset: Reply = (response) => response.socket?.resetAndDestroy();
export const hang: Reply = () => undefined;
export const hangInBody: Reply = (response) => response.writeHead(200).write('{"bids":[');
/** A body without an end, as fast as the client reads it. */
export const endless: Reply = (response) => {
  const piece = Buffer.alloc(65_536, '0');
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.writeHead(200).on('drain', write);
  response.write('{"bids":["');
  write();
};
