/** Where the archive is: a bucket, or a folder. Paths have slashes and no slash at the beginning. */
export interface ArchiveStore {
  /** @returns undefined when there is no such file */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Replaces a file as a whole: a reader finds the old or the new bytes. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Writes a file that must not exist. @returns false when it exists; it is unchanged then */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  /** The paths that begin with a text, ascending. */
  list(prefix: string): Promise<string[]>;
}
