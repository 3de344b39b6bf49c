/** The files of the archive in an S3 bucket, and the client of S3 that reads and writes them. */
import {
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { BACKGROUND_ATTEMPTS } from '../platform/dynamodb.ts';
import type { ArchiveStore } from './archive-store.ts';

/** The time-out of one call. A day's file has a few MB. */
const TIMEOUT_MS = 30_000;
/** While another writer creates the same file, S3 returns 409 and asks for a retry. */
const CREATE_ATTEMPTS = 3;

/**
 * Makes the archive's store with a client of S3.
 *
 * @param options `endpoint`: an emulator that has one host for all buckets; undefined for AWS
 */
export function createS3Store(options: {
  bucket: string;
  folder: string;
  endpoint: string | undefined;
}): S3Store {
  const { bucket, folder, endpoint } = options;
  const client = new S3Client({
    maxAttempts: BACKGROUND_ATTEMPTS,
    requestHandler: { requestTimeout: TIMEOUT_MS, throwOnRequestTimeout: true },
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
  });
  return new S3Store(client, bucket, folder);
}

/** The archive in a folder of an S3 bucket. Methods throw what the SDK throws. */
export class S3Store implements ArchiveStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #folder: string;

  /** @param folder with a trailing slash */
  constructor(client: S3Client, bucket: string, folder: string) {
    this.#client = client;
    this.#bucket = bucket;
    this.#folder = folder;
  }

  /** @returns undefined if the file does not exist */
  async read(path: string): Promise<Uint8Array | undefined> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#object(path)));
      return await Body?.transformToByteArray();
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#client.send(new PutObjectCommand({ ...this.#object(path), Body: bytes }));
  }

  /** @returns false if the file exists */
  async create(path: string, bytes: Uint8Array): Promise<boolean> {
    const input = { ...this.#object(path), Body: bytes, IfNoneMatch: '*' };
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#client.send(new PutObjectCommand(input));
        return true;
      } catch (error) {
        const name = error instanceof S3ServiceException ? error.name : '';
        if (name === 'PreconditionFailed') return false;
        if (name !== 'ConditionalRequestConflict' || attempt === CREATE_ATTEMPTS) throw error;
      }
    }
  }

  async list(prefix: string): Promise<string[]> {
    const paths: string[] = [];
    let ContinuationToken: string | undefined;
    do {
      const input = { Bucket: this.#bucket, Prefix: `${this.#folder}${prefix}`, ContinuationToken };
      const { Contents = [], NextContinuationToken } = await this.#client.send(
        new ListObjectsV2Command(input),
      );
      paths.push(...Contents.map(({ Key = '' }) => Key.slice(this.#folder.length)));
      ContinuationToken = NextContinuationToken;
    } while (ContinuationToken !== undefined);
    return paths;
  }

  /** The bucket and the key of a file. */
  #object(path: string) {
    return { Bucket: this.#bucket, Key: `${this.#folder}${path}` };
  }
}
