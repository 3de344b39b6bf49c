/**
 * The HTTP server of `npm start`. It invokes the same functions as CloudFront and API Gateway do
 * in AWS, and imitates their limits and errors.
 */
import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { MAX_BODY_CHARACTERS, MIN_COMPRESSION_BYTES } from '../lambda/core/contract/constants.ts';
import {
  ERRORS,
  GATEWAY_ERRORS,
  type GatewayErrorType,
  gatewayErrorHeaders,
} from '../lambda/core/contract/errors.ts';
import { PREFLIGHT_HEADERS } from '../lambda/core/contract/headers.ts';
import {
  ACCEPTS_HTML,
  NOT_FOUND_HTML,
  NOT_FOUND_PAGE_HEADERS,
  SERVED_PATHS,
} from '../lambda/core/contract/not-found-page.ts';
import type { ReadFunctionName } from '../lambda/core/contract/route-table.ts';
import { matchRoute, proxyEvent } from './event.ts';

/** Invokes a function with an event. */
export type Invoke = (
  name: ReadFunctionName,
  event: APIGatewayProxyEvent,
) => Promise<APIGatewayProxyResult>;

/** The response to a caller, before compression. */
type GatewayResponse = Readonly<{
  status: number;
  headers: OutgoingHttpHeaders;
  body: string | Buffer;
  /** The error of a function that failed. */
  error?: unknown;
}>;

/** What the console prints about a request. */
export type ServedRequest = Pick<GatewayResponse, 'status' | 'error'> &
  Readonly<{ method: string; target: string; durationMs: number }>;

const compress = promisify(gzip);
/** Matches an `Accept-Encoding` with gzip. A quality of 0 refuses it (RFC 9110, section 12.4.2). */
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;
/**
 * Longer than clients keep idle connections, so that the server never closes one during a request.
 */
const KEEP_ALIVE_MS = 75_000;

/** Makes the server. @param onServed gets each request after its response was sent */
export function gatewayServer(invoke: Invoke, onServed: (request: ServedRequest) => void): Server {
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const started = performance.now();
    const { status, headers, body, error } = await respond(incoming, invoke);
    const plain = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
    const isZipped =
      plain.length >= MIN_COMPRESSION_BYTES &&
      ACCEPTS_GZIP.test(String(incoming.headers['accept-encoding']));
    const bytes = isZipped ? await compress(plain) : plain;
    const { method = '', url: target = '' } = incoming;
    outgoing.writeHead(status, {
      ...headers,
      ...(bytes.length > 0 ? { 'Content-Length': bytes.length } : {}),
      ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
    });
    outgoing.end(bytes);
    onServed({ method, target, status, durationMs: performance.now() - started, error });
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    // The caller closed the connection.
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.on('clientError', rejectUnparsed);
  return server;
}

/** Responds to bytes that Node cannot parse, and closes the connection. */
function rejectUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const { headers, body } = gatewayError('DEFAULT_4XX', randomUUID());
  const fields = { ...headers, Connection: 'close', 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
  // Otherwise a caller that keeps its side open would keep the socket.
  socket.end(text, () => socket.destroy());
}

/** In bytes. */
const MEBIBYTE = 1_024 * 1_024;
/** Lambda's limit of a result. */
const MAX_RESULT_BYTES = 6 * MEBIBYTE;

/** The response to a request: the function's, or API Gateway's own error. */
async function respond(incoming: IncomingMessage, invoke: Invoke): Promise<GatewayResponse> {
  const { method = 'GET', url = '/', rawHeaders, headers: sent, socket } = incoming;
  const requestId = randomUUID();
  const body = await readBody(incoming);
  // CloudFront's viewer function responds to preflights of any path.
  if (method === 'OPTIONS') return { status: 204, headers: PREFLIGHT_HEADERS, body: '' };
  if (body === undefined) return gatewayError('REQUEST_TOO_LARGE', requestId);
  const [, path = '/', query = ''] = /^([^?]*)\??(.*)$/.exec(url) ?? [];
  // It also sends browsers a page at a wrong address.
  if (method === 'GET' && ACCEPTS_HTML.test(sent.accept ?? '') && !SERVED_PATHS.test(path)) {
    const { status } = ERRORS.not_found;
    return { status, headers: NOT_FOUND_PAGE_HEADERS, body: NOT_FOUND_HTML };
  }
  const match = matchRoute(path);
  if (!match) return gatewayError('MISSING_AUTHENTICATION_TOKEN', requestId);
  const address = socket.remoteAddress ?? '';
  try {
    const event = proxyEvent({ method, path, query, rawHeaders, body, address }, match, requestId);
    const result = await invoke(match.name, event);
    if (result.body.length > MAX_RESULT_BYTES)
      throw new Error('The result is larger than Lambda allows');
    const responseBody = result.isBase64Encoded ? Buffer.from(result.body, 'base64') : result.body;
    return {
      status: result.statusCode,
      headers: result.headers as OutgoingHttpHeaders,
      body: responseBody,
    };
  } catch (error) {
    return { ...gatewayError('INTEGRATION_FAILURE', requestId), error };
  }
}

/** API Gateway's limit of a request body. */
const MAX_BODY_BYTES = 10 * MEBIBYTE;
/**
 * The functions get this part of a request's body. A longer body still has too many characters for
 * them, so they reject it: a character has at most four bytes.
 */
const MAX_KEPT_BYTES = 4 * MAX_BODY_CHARACTERS + 1;

/** Reads a body. @returns the part that the functions need; undefined if it is too large */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let [bytes, keptBytes] = [0, 0];
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Reads the rest too, so that the caller gets the response.
    if (keptBytes >= MAX_KEPT_BYTES) continue;
    chunks.push(chunk);
    keptBytes += chunk.length;
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** An error of API Gateway itself. */
function gatewayError(type: GatewayErrorType, requestId: string): GatewayResponse {
  const { code, error } = GATEWAY_ERRORS[type];
  const headers = { ...gatewayErrorHeaders(type), 'X-Request-Id': requestId };
  return { status: ERRORS[code].status, headers, body: JSON.stringify({ error, code, requestId }) };
}
