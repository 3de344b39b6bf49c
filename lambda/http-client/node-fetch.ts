import type { IncomingMessage } from 'node:http';
import { PassThrough, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { HttpAgents, httpRequest } from '../platform/http-request.ts';
import type { Fetch, ResponseHeaders } from './fetch.ts';

/** Unpacked at a time: a page of the catalogue has 0.8 MB, and each piece passes through two streams. */
const UNPACKED_BYTES = 131_072;

/**
 * A `fetch` by Node's own HTTP client: the standard one loads an HTTP implementation of its own (65 ms of CPU in a cold
 * start, as much as all the rest of an empty function) and carries each body through two kinds of streams. Connections
 * are kept for the next request; gzip is asked for and unpacked; redirects are errors.
 */
export function createNodeFetch(): Fetch {
  const agents = new HttpAgents();
  return async (url, { method, headers, body, signal }) => {
    const { status, message } = await httpRequest(new URL(url), {
      method,
      headers: { ...headers, 'accept-encoding': 'gzip' },
      body,
      signal,
      agents,
    });
    if (status >= 300 && status < 400 && message.headers.location !== undefined) {
      message.destroy();
      throw new Error(`Redirected by ${status}`);
    }
    return { ok: status >= 200 && status < 300, status, headers: headersOf(message), body: decoded(message) };
  };
}

function headersOf({ headers }: IncomingMessage): ResponseHeaders {
  const sent = (name: string) => headers[name.toLowerCase()];
  return {
    get: (name) => [sent(name) ?? []].flat().join(', ') || null,
    has: (name) => sent(name) !== undefined,
  };
}

/** @throws Error for an encoding that was not asked for */
function decoded(message: IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = message.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return message;
  if (encoding !== 'gzip') {
    message.destroy();
    throw new Error(`Encoded as ${encoding}`);
  }
  // An error of either ends both; who reads is told of it.
  return pipeline(message, createGunzip({ chunkSize: UNPACKED_BYTES }), new PassThrough(), () => undefined);
}
