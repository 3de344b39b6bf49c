/** Paths have no slash at the beginning. */
export interface ArchiveStore {
  /** @returns undefined if absent */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Atomic: a reader finds the old or the new bytes. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** @returns false for an existing file, which stays unchanged */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Ascending. */
  list(prefix: string): Promise<string[]>;
}

export function encodeJson(value: unknown, indent = 2): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, indent)}\n`);
}

export async function readJson<T>(store: ArchiveStore, path: string): Promise<T | undefined> {
  const bytes = await store.read(path);
  return bytes && JSON.parse(Buffer.from(bytes).toString());
}
