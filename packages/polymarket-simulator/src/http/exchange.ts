import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { bodyText, CONTENT_TYPES, type SimulatedResponse } from './response.ts';

const gzipped = promisify(gzip);
/** Bodies above this are refused: 500 tokens take 45 KB. */
const BODY_CAP = 1_000_000;
/** Time for the first half of a body to reach the client before the connection breaks. */
const HALF_SENT_MS = 30;
/** What an endless body repeats: white space, which leaves the JSON before it without an end. */
const ENDLESS_PART = Buffer.alloc(65_536, ' ');

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
  readonly mode?: 'reset-body' | 'endless' | undefined;
  readonly text?: ((text: string) => string) | undefined;
  /** Headers that win over all others. */
  readonly mislabelled?: Readonly<Record<string, string>> | undefined;
}

/** Writes a response, whole or as a fault wants it, and returns the bytes of its body before compression. */
export async function send(
  response: ServerResponse,
  result: SimulatedResponse,
  sending: Sending,
): Promise<number> {
  const whole = bodyText(result);
  const plain = Buffer.from(sending.text?.(whole) ?? whole);
  const endless = sending.mode === 'endless';
  // Level 1: the simulator shares its machine with what it is there to exercise.
  const compressed = sending.gzip && !endless;
  const bytes = compressed ? await gzipped(plain, { level: constants.Z_BEST_SPEED }) : plain;
  const headers: Record<string, string | number> = {
    'content-type': CONTENT_TYPES[result.type],
    vary: 'Accept-Encoding',
    ...sending.headers,
    ...result.headers,
  };
  if (!endless) headers['content-length'] = bytes.length;
  if (compressed) headers['content-encoding'] = 'gzip';
  response.writeHead(result.status, { ...headers, ...sending.mislabelled });
  if (endless) return sendForEver(response, bytes);
  if (sending.mode === 'reset-body') {
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
    setTimeout(() => response.destroy(), HALF_SENT_MS);
  } else {
    response.end(bytes);
  }
  return plain.length;
}

/** Half a body, then white space until the client hangs up; returns the bytes it took. */
async function sendForEver(response: ServerResponse, bytes: Buffer): Promise<number> {
  const gone = new Promise((resolve) => response.once('close', resolve));
  let sent = Math.floor(bytes.length / 2);
  response.write(bytes.subarray(0, sent));
  while (!response.destroyed) {
    sent += ENDLESS_PART.length;
    if (!response.write(ENDLESS_PART)) await Promise.race([once(response, 'drain'), gone]);
  }
  return sent;
}
