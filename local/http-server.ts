import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { MIN_COMPRESSION_BYTES } from '../lambda/contract/constants.ts';
import { ERRORS } from '../lambda/contract/errors.ts';
import * as gateway from '../lambda/contract/gateway-errors.ts';
import { PREFLIGHT_HEADERS } from '../lambda/contract/headers.ts';
import type { ReadFunctionName } from '../lambda/contract/routes.ts';
import { matchRoute, proxyEvent } from './event.ts';

/** Calls a function. @throws what the function throws */
export type Invoke = (name: ReadFunctionName, event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

/** `error`: of a function that failed. */
type GatewayResponse = Readonly<{ status: number; headers: OutgoingHttpHeaders; body: string; error?: unknown }>;

/** A served request, for the console. */
export type ServedRequest = Pick<GatewayResponse, 'status' | 'error'> &
  Readonly<{ method: string; target: string; durationMs: number }>;

const compress = promisify(gzip);
/** API Gateway's limit of a request body, and Lambda's limit of a result. */
const [MAX_BODY_BYTES, MAX_RESULT_BYTES] = [10 * 1_024 * 1_024, 6 * 1_024 * 1_024];
/** Longer than clients keep idle connections, so that the server closes none under a request. */
const KEEP_ALIVE_MS = 75_000;
/** gzip or any coding, with a weight above 0 (RFC 9110, section 12.5.3). */
const ACCEPTS_GZIP = /(^|[\s,])(gzip|\*)\s*(;\s*q=(1|0\.0*[1-9])|,|$)/;

/** A server that responds as CloudFront and API Gateway do before the functions. */
export function gatewayServer(invoke: Invoke, onServed: (request: ServedRequest) => void): Server {
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    const started = performance.now();
    const serve = async (): Promise<void> => {
      const { status, headers, body, error } = await respond(incoming, invoke);
      const plain = Buffer.from(body, 'utf8');
      const coding = incoming.headers['accept-encoding'] ?? '';
      const zipped = plain.length >= MIN_COMPRESSION_BYTES && ACCEPTS_GZIP.test(String(coding));
      const bytes = zipped ? await compress(plain) : plain;
      const { method = '', url: target = '' } = incoming;
      const hasBody = status !== 204 && status !== 304 && method !== 'HEAD';
      const length = hasBody ? { 'Content-Length': bytes.length } : {};
      outgoing.writeHead(status, { ...headers, ...length, ...(zipped ? { 'Content-Encoding': 'gzip' } : {}) });
      outgoing.end(hasBody ? bytes : undefined);
      onServed({ method, target, status, durationMs: performance.now() - started, error });
    };
    // The caller closed the connection.
    serve().catch(() => outgoing.destroy());
  });
}

async function respond(incoming: IncomingMessage, invoke: Invoke): Promise<GatewayResponse> {
  const { method = 'GET', url = '/', rawHeaders, socket } = incoming;
  const requestId = randomUUID();
  const body = await readBody(incoming);
  // The viewer function of CloudFront responds to preflights of any path.
  if (method === 'OPTIONS') return { status: 204, headers: PREFLIGHT_HEADERS, body: '' };
  if (body === undefined) return gatewayError('REQUEST_TOO_LARGE', requestId);
  // A request target may name the host as well (RFC 9112, section 3.2.2).
  const [, path = '/', query = ''] = /^(?:https?:\/\/[^/?#]*)?([^?]*)\??(.*)$/i.exec(url) ?? [];
  const match = matchRoute(path);
  if (!match) return gatewayError('MISSING_AUTHENTICATION_TOKEN', requestId);
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
  try {
    const event = proxyEvent({ method, path, query, rawHeaders, body, address }, match, requestId);
    const result = await invoke(match.name, event);
    if (result.body.length > MAX_RESULT_BYTES) throw new Error('The result is larger than Lambda allows');
    return { status: result.statusCode, headers: result.headers as OutgoingHttpHeaders, body: result.body };
  } catch (error) {
    return { ...gatewayError('INTEGRATION_FAILURE', requestId), error };
  }
}

/** Undefined when the body is too large. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // The rest is read all the same, so that the caller gets the response.
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

function gatewayError(type: gateway.GatewayErrorType, requestId: string): GatewayResponse {
  const { code, error } = gateway.GATEWAY_ERRORS[type];
  const headers = { ...gateway.gatewayErrorHeaders(type), 'X-Request-Id': requestId };
  return { status: ERRORS[code].status, headers, body: JSON.stringify({ error, code, requestId }) };
}
