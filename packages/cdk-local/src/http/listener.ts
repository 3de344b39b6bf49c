import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ErrorBody } from '../../../../lambda/contract/errors.ts';
import { COMMON_HEADERS, ERROR_HEADERS } from '../../../../lambda/contract/headers.ts';
import type { GatewayAnswer, Header } from '../api-gateway/messages.ts';
import { codeOf, messageOf } from '../error-message.ts';
import { StartError } from '../start-error.ts';
import { readRequest, type SentRequest } from './sent-request.ts';

/** Makes the answer to one request. Must not reject. */
export type Serve = (request: SentRequest) => Promise<GatewayAnswer>;

/** An answered request, for the log. */
export interface AnsweredRequest {
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
const STARTING: GatewayAnswer = {
  status: 503,
  headers: [
    ['Content-Type', 'application/json'],
    ['Retry-After', '5'],
    ['Cache-Control', 'no-store'],
  ],
  body: Buffer.from('{"error":"The service is starting","code":"starting"}'),
};

const UNREADABLE_BODY = JSON.stringify({
  error: 'The request cannot be read: percent-encode what is not ASCII in its address.',
  code: 'bad_request',
  requestId: 'none',
} satisfies ErrorBody);
/** For what is no HTTP to the parser, such as raw UTF-8 in an address or a method nobody knows. */
const UNREADABLE = [
  'HTTP/1.1 400 Bad Request',
  ...Object.entries({ ...COMMON_HEADERS, ...ERROR_HEADERS }).map(([name, value]) => `${name}: ${value}`),
  `Content-Length: ${Buffer.byteLength(UNREADABLE_BODY)}`,
  'Connection: close',
  '',
  UNREADABLE_BODY,
].join('\r\n');

/** An HTTP server on this machine's loopback address. It holds its port from the start, and answers 503 until it is told how to serve. */
export class Listener {
  readonly #server: Server;
  #serve: Serve = () => Promise.resolve(STARTING);
  #onAnswered: ((answered: AnsweredRequest) => void) | undefined;

  /** @throws {StartError} when the port cannot be had */
  static async open(port: number): Promise<Listener> {
    const listener = new Listener();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    listener.#server.once('error', (error) =>
      reject(new StartError(portProblem(port, error), { cause: error })),
    );
    listener.#server.listen(port, HOST, resolve);
    await promise;
    return listener;
  }

  private constructor() {
    this.#server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
      void this.#answer(incoming, outgoing);
    });
    this.#server.on('clientError', (_error, socket) => {
      if (socket.writable) socket.end(UNREADABLE);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Host and port as in a URL. */
  get authority(): string {
    return `${HOST}:${this.port}`;
  }

  serve(serve: Serve, onAnswered: (answered: AnsweredRequest) => void): void {
    this.#serve = serve;
    this.#onAnswered = onAnswered;
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const started = performance.now();
    try {
      const answer = await this.#serve(await readRequest(incoming));
      const { method = '', url = '' } = incoming;
      const bytes = send(outgoing, method, answer);
      const durationMs = performance.now() - started;
      this.#onAnswered?.({ method, target: url, status: answer.status, bytes, durationMs });
    } catch {
      outgoing.destroy(); // the caller went away
    }
  }
}

/** Gives the number of bytes of the body that were sent. */
function send(outgoing: ServerResponse, method: string, { status, headers, body }: GatewayAnswer): number {
  const bodiless = status === 204 || status === 304 || status < 200;
  // A HEAD answer whose function left the body out says nothing of the length that GET would have.
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
