import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { bodyText, CONTENT_TYPES, type SimulatedResponse } from './response.ts';

const gzipped = promisify(gzip);
/** Bodies above this are refused: 500 tokens take 45 KB. */
const BODY_CAP = 1_000_000;
/** Time for the first half of a body to reach the client before the connection breaks. */
const HALF_SENT_MS = 30;

export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** The body of a request as text. @throws BodyTooLarge */
export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    // Read to the end all the same: leaving the loop early would take the connection down before the response.
    if (size <= BODY_CAP) parts.push(part);
  }
  if (size > BODY_CAP) throw new BodyTooLarge();
  return Buffer.concat(parts).toString();
}

/** A parsed JSON body, or undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Sending {
  readonly headers: Readonly<Record<string, string>>;
  readonly gzip: boolean;
  readonly mode?: 'truncate' | 'reset-body' | undefined;
}

/** Writes a response, whole or as a fault wants it, and returns the bytes of its body before compression. */
export async function send(
  response: ServerResponse,
  result: SimulatedResponse,
  sending: Sending,
): Promise<number> {
  const whole = bodyText(result);
  const text = sending.mode === 'truncate' ? whole.slice(0, Math.floor(whole.length / 2)) : whole;
  const plain = Buffer.from(text);
  // Level 1: the simulator shares its machine with what it is there to exercise.
  const bytes = sending.gzip ? await gzipped(plain, { level: constants.Z_BEST_SPEED }) : plain;
  const headers: Record<string, string | number> = {
    'content-type': CONTENT_TYPES[result.type],
    vary: 'Accept-Encoding',
    ...sending.headers,
    ...result.headers,
    'content-length': bytes.length,
  };
  if (sending.gzip) headers['content-encoding'] = 'gzip';
  response.writeHead(result.status, headers);
  if (sending.mode === 'reset-body') {
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
    setTimeout(() => response.destroy(), HALF_SENT_MS);
  } else {
    response.end(bytes);
  }
  return plain.length;
}
