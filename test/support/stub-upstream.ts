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
export async function startStubUpstream(): Promise<StubUpstream> {
  const stub = new StubUpstream();
  const server = createServer((incoming, response) => stub.receive(incoming, response));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return stub;
}

export class StubUpstream {
  url = '';
  readonly requests: ReceivedRequest[] = [];
  #replies: Reply[] = [];
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  /** Path and query of each request. */
  get urls(): readonly string[] {
    return this.requests.map(({ url }) => url);
  }

  /**
   * Sets the replies to the next requests, in turn. The last one is repeated. Forgets earlier
   * requests.
   */
  reply(...replies: Reply[]): void {
    this.#replies = replies;
    this.requests.length = 0;
  }

  /** Records a request, and replies to it. */
  async receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: text === '' ? undefined : JSON.parse(text) };
    this.requests.push(request);
    const reply = this.#replies.length > 1 ? this.#replies.shift() : this.#replies[0];
    reply?.(response, request);
    for (const { count, resolve } of this.#waiting) if (this.requests.length >= count) resolve();
  }

  /**
   * Resolves when the server has received this many requests. Rejects after 30 s, and names those
   * that it has received.
   */
  received(count: number): Promise<void> {
    const arrives = new Promise<void>((resolve) => {
      if (this.requests.length >= count) resolve();
      else this.#waiting.push({ count, resolve });
    });
    return inTime(arrives, () => {
      const calls = this.requests.map(({ method, url }) => `${method} ${url}`).join(', ');
      return `Received ${this.requests.length} of ${count} requests: ${calls || 'none'}`;
    });
  }
}

/** Replies with a text, or with a value as JSON. */
export function send(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = text.startsWith('<') ? 'text/html' : 'application/json';
  return (response) => response.writeHead(status, { 'content-type': type, ...headers }).end(text);
}

/** Replies with a compressed text. */
export function sendGzipped(text: string): Reply {
  return (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
}

/** Ends the connection without a response. */
export const reset: Reply = (response) => response.socket?.resetAndDestroy();
/** Never replies. */
export const hang: Reply = () => undefined;
/** Begins a response, and never ends it. */
export const hangInBody: Reply = (response) => response.writeHead(200).write('{"bids":[');
/** Sends a body without an end, as fast as the client reads it. */
export const endless: Reply = (response) => {
  const piece = Buffer.alloc(65_536, '0');
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.writeHead(200).on('drain', write);
  response.write('{"bids":["');
  write();
};
