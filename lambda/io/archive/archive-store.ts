/** A bucket or a folder with the files of the archive. Paths have no leading slash. */
export interface ArchiveStore {
  /** @returns undefined if absent */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Atomic: a reader gets the old or the new bytes. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Writes a file that must not exist. @returns false if the file exists; it stays unchanged */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  /** The paths that begin with `prefix`, in ascending order. */
  list(prefix: string): Promise<string[]>;
}

export function encodeJson(value: unknown, indent = 2): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, indent)}\n`);
}

export async function readJson<T>(store: ArchiveStore, path: string): Promise<T | undefined> {
  const bytes = await store.read(path);
  return bytes && JSON.parse(Buffer.from(bytes).toString());
}
