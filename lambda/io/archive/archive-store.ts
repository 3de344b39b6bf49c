/** Where the archive's files are: a bucket or a folder. Paths have no leading slash. */
export interface ArchiveStore {
  /** Reads a file. @returns undefined if it does not exist */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Writes a file atomically: a reader gets the old or the new bytes. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Writes a file that must not exist. @returns false if the file exists; it stays unchanged */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  /** The paths that begin with `prefix`, in ascending order. */
  list(prefix: string): Promise<string[]>;
}

/** A value as the bytes of a JSON file. @param indent 0 for one line */
export function encodeJson(value: unknown, indent = 2): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, indent)}\n`);
}

/** Reads a JSON file. @returns undefined if it does not exist */
export async function readJson<T>(store: ArchiveStore, path: string): Promise<T | undefined> {
  const bytes = await store.read(path);
  return bytes && JSON.parse(Buffer.from(bytes).toString());
}
