import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Header, HttpResponse } from '../api-gateway/messages.ts';
import { codeOf, messageOf } from '../error-message.ts';
import { StartError } from '../start-error.ts';
import { readRequest, type SentRequest } from './sent-request.ts';
import { type UnreadableCause, unreadableCause } from './unreadable.ts';

/** Makes the response to one request. Must not reject. */
export type Serve = (request: SentRequest) => Promise<HttpResponse>;

/** A served request, for the log. */
export interface ServedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly status: number;
  /** Of the body as sent, compressed or not. */
  readonly bytes: number;
  readonly durationMs: number;
}

const HOST = '127.0.0.1';
/** Longer than clients keep idle connections, so that none is closed under a request. */
const KEEP_ALIVE_MS = 75_000;

/** What the listener says by itself. The defaults are plain texts. */
export interface OwnResponses {
  /** As long as it has not been told how to serve. */
  readonly starting: (requestId: string) => HttpResponse;
  /** For what is no HTTP to the parser, such as raw UTF-8 in an address or a method that nobody knows. */
  readonly unreadable: (cause: UnreadableCause, requestId: string) => HttpResponse;
}

const UNREADABLE_STATUS = { malformed: 400, invalid_address: 400, headers_too_large: 431, timeout: 408 };
const PLAIN: OwnResponses = {
  starting: () => ({ status: 503, headers: [['Retry-After', '5']], body: Buffer.from('Starting\n') }),
  unreadable: (cause) => ({ status: UNREADABLE_STATUS[cause], headers: [], body: Buffer.alloc(0) }),
};

/** An HTTP server on this machine's loopback address. It holds its port from the start, before anything serves. */
export class Listener {
  readonly #server: Server;
  #serve: Serve;
  #onServed: ((served: ServedRequest) => void) | undefined;

  /** @throws {StartError} when the port cannot be had */
  static async open(port: number, own: OwnResponses = PLAIN): Promise<Listener> {
    const listener = new Listener(own);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    listener.#server.once('error', (error) =>
      reject(new StartError(portProblem(port, error), { cause: error })),
    );
    listener.#server.listen(port, HOST, resolve);
    await promise;
    return listener;
  }

  private constructor(own: OwnResponses) {
    this.#serve = async () => own.starting(randomUUID());
    const respond = (incoming: IncomingMessage, outgoing: ServerResponse) => {
      // Node itself would refuse it without a body.
      if (incoming.httpVersion === '1.1' && incoming.headers.host === undefined) {
        send(outgoing, incoming.method ?? '', own.unreadable('malformed', randomUUID()));
      } else void this.#respond(incoming, outgoing);
    };
    this.#server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false }, respond);
    // So would it refuse an `Expect` that it does not know, which a server may ignore.
    this.#server.on('checkExpectation', respond);
    this.#server.on('clientError', (error, socket) => {
      if (socket.writable) socket.end(rawResponse(own.unreadable(unreadableCause(error), randomUUID())));
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Host and port as in a URL. */
  get authority(): string {
    return `${HOST}:${this.port}`;
  }

  serve(serve: Serve, onServed: (served: ServedRequest) => void): void {
    this.#serve = serve;
    this.#onServed = onServed;
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }

  async #respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const started = performance.now();
    try {
      const response = await this.#serve(await readRequest(incoming));
      const { method = '', url = '' } = incoming;
      const bytes = send(outgoing, method, response);
      const durationMs = performance.now() - started;
      this.#onServed?.({ method, target: url, status: response.status, bytes, durationMs });
    } catch {
      outgoing.destroy(); // the caller went away
    }
  }
}

/** As it goes over the wire where there is no request to respond to. The connection is closed after it. */
function rawResponse({ status, headers, body }: HttpResponse): Buffer {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

/** Gives the number of bytes of the body that were sent. */
function send(outgoing: ServerResponse, method: string, { status, headers, body }: HttpResponse): number {
  const bodiless = status === 204 || status === 304 || status < 200;
  // A HEAD response whose function left the body out says nothing of the length that GET would have.
  const unknown = bodiless || (method === 'HEAD' && body.length === 0);
  const all: Header[] = unknown ? [...headers] : [...headers, ['Content-Length', String(body.length)]];
  outgoing.writeHead(status, all.flat());
  const sent = bodiless || method === 'HEAD' ? Buffer.alloc(0) : body;
  outgoing.end(sent);
  return sent.length;
}

function portProblem(port: number, error: Error): string {
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop what listens there or choose another with --port.`;
  if (code === 'EACCES') return `Port ${port} may not be used by this account: choose another with --port.`;
  return `Cannot listen on port ${port}: ${messageOf(error)}.`;
}
