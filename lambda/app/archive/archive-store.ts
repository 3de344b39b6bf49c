/** A bucket or a folder. Paths have no slash at the beginning. */
export interface ArchiveStore {
  /** @returns undefined if the file does not exist */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Replaces a file as a whole: a reader finds the old or the new bytes. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Writes a file that must not exist. @returns false for an existing file, which stays unchanged */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  /** The paths that begin with a text, ascending. */
  list(prefix: string): Promise<string[]>;
}
