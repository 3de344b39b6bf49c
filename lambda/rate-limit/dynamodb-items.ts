import type { AttributeValue } from '@aws-sdk/client-dynamodb';

type Item = Record<string, AttributeValue>;

/** The table's attribute names; the stack builds the table from the same ones. */
export const RATE_LIMIT_KEYS = { partition: 'pk', ttl: 'expiresAt' } as const;

/** The set of an item: one entry for each request. */
export const ENTRIES = 'requests';

/** The item that holds the secret of the client keys; no client's own item, whose keys are longer. */
export const SECRET_ITEM_KEY: Item = itemKey('HASH-SECRET');

/** @param clientKey the keyed hash of an address, never the address itself */
export function itemKey(clientKey: string): Item {
  return { [RATE_LIMIT_KEYS.partition]: { S: clientKey } };
}

const MOMENT_BYTES = 6;
/** Two requests within a millisecond must not become one entry: with 4 bytes that is one chance in 4 billion. */
export const NONCE_BYTES = 4;

/** An entry: the request's moment in milliseconds since 1970, and a nonce. 10 bytes keep an item of 90 below 1 KB. */
export function encodeEntry(moment: number, nonce: Uint8Array): Uint8Array {
  const entry = Buffer.alloc(MOMENT_BYTES + NONCE_BYTES);
  entry.writeUIntBE(moment, 0, MOMENT_BYTES);
  entry.set(nonce, MOMENT_BYTES);
  return entry;
}

export function momentOf(entry: Uint8Array): number {
  return Buffer.from(entry).readUIntBE(0, MOMENT_BYTES);
}

export function readEntries(item: Item | undefined): readonly Uint8Array[] {
  return item?.[ENTRIES]?.BS ?? [];
}
