/**
 * Where the files of the archive are: a bucket or a folder. The archive has the snapshots of each
 * day as files for researchers. Paths have no leading slash.
 */
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

/** A value as the bytes of a JSON file that people read: each field has a line. */
export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** A value as the bytes of a JSON file that only programs read: all of it in one line. */
export function encodeJsonLine(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** Reads a JSON file. @returns undefined if it does not exist */
export async function readJson<T>(store: ArchiveStore, path: string): Promise<T | undefined> {
  const bytes = await store.read(path);
  return bytes && JSON.parse(Buffer.from(bytes).toString());
}
