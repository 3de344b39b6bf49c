/** The archive in an S3 bucket. */
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

/** S3 asks for a retry while another writer creates the same file. */
const CREATE_ATTEMPTS = 3;

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

  /** Retries after a 409, as S3's documentation says: another writer creates the same file. */
  async create(path: string, bytes: Uint8Array, attempts = CREATE_ATTEMPTS): Promise<boolean> {
    try {
      await this.#client.send(
        new PutObjectCommand({ ...this.#object(path), Body: bytes, IfNoneMatch: '*' }),
      );
      return true;
    } catch (error) {
      const name = error instanceof S3ServiceException ? error.name : '';
      if (name === 'PreconditionFailed') return false;
      if (name === 'ConditionalRequestConflict' && attempts > 1)
        return await this.create(path, bytes, attempts - 1);
      throw error;
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

  #object(path: string) {
    return { Bucket: this.#bucket, Key: `${this.#folder}${path}` };
  }
}

/** The time of one call. A day's file has a few MB. */
const TIMEOUT_MS = 30_000;

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
