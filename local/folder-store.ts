/** Keeps the files of the archive in a local folder. In AWS they are in an S3 bucket. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { ArchiveStore } from '../lambda/io/archive/archive-store.ts';

/** Whether an error of the file system has this code. */
const isCode = (error: unknown, code: string): boolean =>
  (error as NodeJS.ErrnoException).code === code;

/** The archive's store in a folder. Its methods throw the errors of the file system. */
export class FolderStore implements ArchiveStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(join(this.#folder, path));
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#place(path, bytes, rename);
  }

  async create(path: string, bytes: Uint8Array): Promise<boolean> {
    try {
      await this.#place(path, bytes, link);
      return true;
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false;
      throw error;
    }
  }

  async list(prefix: string): Promise<string[]> {
    await mkdir(this.#folder, { recursive: true });
    const paths = await readdir(this.#folder, { recursive: true });
    return paths
      .map((path) => path.replaceAll(sep, '/'))
      .filter((path) => path.startsWith(prefix))
      .sort();
  }

  /**
   * Writes a draft beside the file, and moves it into place when it is finished. So readers never
   * get part of a file, even if the disk is full.
   *
   * @param move `rename` replaces an existing file; `link` fails with EEXIST if there is one
   */
  async #place(
    path: string,
    bytes: Uint8Array,
    move: (from: string, to: string) => Promise<void>,
  ): Promise<void> {
    const target = join(this.#folder, path);
    const draft = `${target}.${randomUUID()}.draft`;
    await mkdir(dirname(target), { recursive: true });
    try {
      await writeFile(draft, bytes, { flush: true });
      await move(draft, target);
    } finally {
      await rm(draft, { force: true });
    }
  }
}
