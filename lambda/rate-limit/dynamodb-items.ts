import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../platform/dynamodb/item.ts';

/** The table's attribute names; the stack builds the table from the same ones. */
export const RATE_LIMIT_KEYS = { partition: 'pk', ttl: 'expiresAt' } as const;

/** The list of an item: one entry for each request, in the order in which they were put down. */
export const ENTRIES = 'requests';

/** The item that holds the secret of the client keys; no client's own item, whose keys are longer. */
export const SECRET_ITEM_KEY: Item = itemKey('HASH-SECRET');

/** @param clientKey the keyed hash of an address, never the address itself */
export function itemKey(clientKey: string): Item {
  return { [RATE_LIMIT_KEYS.partition]: { S: clientKey } };
}

export function encodeEntries(entries: readonly Uint8Array[]): AttributeValue {
  return { L: entries.map((entry) => ({ B: entry })) };
}

export function readEntries(item: Item | undefined): readonly Uint8Array[] {
  return (item?.[ENTRIES]?.L ?? []).flatMap(({ B: entry }) => entry ?? []);
}
