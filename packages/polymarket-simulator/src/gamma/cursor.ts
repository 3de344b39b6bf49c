import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Keyset cursors in upstream's own form (recordings/envelopes): 32 bytes of signature, then
 * `{"v":1,"k":"markets","oh":<hash of the order>,"keys":[{"t":"string","v":"540817"}]}`, in base64url.
 */

const SECRET = 'simulated upstream';
const SIGNATURE_BYTES = 32;

interface Payload {
  readonly v: 1;
  /** What it lists: markets or events. */
  readonly k: string;
  readonly oh: string;
  readonly keys: readonly { readonly t: string; readonly v: number | string }[];
}

/** A cursor to the market after the one with these sort values; with none, to page 1. */
export function encodeCursor(
  kind: string,
  order: readonly string[],
  values: readonly (number | string)[],
): string {
  const payload: Payload = {
    v: 1,
    k: kind,
    oh: orderHash(order),
    keys: values.map((v) => ({ t: typeof v, v })),
  };
  const text = Buffer.from(JSON.stringify(payload));
  return Buffer.concat([sign(text), text]).toString('base64url');
}

/** The sort values in a cursor; undefined for one that was not made here or belongs to another list or order. */
export function decodeCursor(
  kind: string,
  cursor: string,
  order: readonly string[],
): readonly (number | string)[] | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= SIGNATURE_BYTES) return undefined;
  const text = bytes.subarray(SIGNATURE_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(text))) return undefined;
  // The signature is ours, so the shape is too.
  const payload = JSON.parse(text.toString()) as Payload;
  return payload.k === kind && payload.oh === orderHash(order) ? payload.keys.map((key) => key.v) : undefined;
}

function sign(text: Buffer): Buffer {
  return createHmac('sha256', SECRET).update(text).digest();
}

function orderHash(order: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(order)).digest('hex');
}
