import type { IncomingMessage } from 'node:http';
import type { Header } from '../api-gateway/messages.ts';

/** A request as it came in. */
export interface SentRequest {
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
  readonly bodyTooLarge: boolean;
  readonly peer: { readonly address: string; readonly port: number };
}

/** API Gateway's limit of a request body. */
const MAX_BODY_BYTES = 10 * 1_024 * 1_024;

/** Reads a request to its end. Rejects when the caller goes away before. */
export async function readRequest(incoming: IncomingMessage): Promise<SentRequest> {
  const { remoteAddress = '', remotePort = 0 } = incoming.socket;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  const bodyTooLarge = bytes > MAX_BODY_BYTES;
  const [path = '/', ...query] = originForm(incoming.url ?? '/').split('?');
  return {
    method: incoming.method ?? 'GET',
    path,
    query: query.join('?'),
    headers: headersOf(incoming.rawHeaders),
    body: bodyTooLarge ? Buffer.alloc(0) : Buffer.concat(chunks),
    bodyTooLarge,
    peer: { address: remoteAddress.replace(/^::ffff:(?=\d+\.)/, ''), port: remotePort },
  };
}

/** Path and query of a request target, which may name the host as well (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/i.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Node gives names and values in turn. */
function headersOf(raw: readonly string[]): Header[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}
