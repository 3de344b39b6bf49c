import {
  GetObjectCommand,
  type GetObjectCommandInput,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  NoSuchKey,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { S3Store } from '../../../../lambda/io/archive/s3-store.ts';

// The archive stores its files in a folder of a bucket of S3. `S3Store` reads, writes and lists them
// by their paths in that folder. It also creates files: of several writers, only one succeeds.

/** Keys in one page of a list. S3 has 1,000 a page. */
const PAGE_SIZE = 2;

function failure(name: string): S3ServiceException {
  return new S3ServiceException({ name, message: name, $fault: 'client', $metadata: {} });
}

/** A bucket in memory, which responds as S3 does. */
class FakeBucket {
  readonly objects = new Map<string, Uint8Array>();
  /** While it is true, all calls fail. */
  isDenied = false;
  /** How many of the next creations fail because another writer creates the same file just then. */
  conflicts = 0;

  async send(command: object) {
    if (this.isDenied) throw failure('AccessDenied');
    if (command instanceof ListObjectsV2Command) return this.#list(command.input);
    if (command instanceof GetObjectCommand) return this.#get(command.input);
    if (command instanceof PutObjectCommand) return this.#put(command.input);
    throw new Error('The archive makes no other calls');
  }

  #list({ Bucket, Prefix = '', ContinuationToken = '0' }: ListObjectsV2CommandInput) {
    expect(Bucket).toBe('bucket');
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(Prefix)).sort();
    const start = Number(ContinuationToken);
    const end = start + PAGE_SIZE;
    const Contents = keys.slice(start, end).map((Key) => ({ Key }));
    return end < keys.length ? { Contents, NextContinuationToken: String(end) } : { Contents };
  }

  #get({ Bucket, Key = '' }: GetObjectCommandInput) {
    expect(Bucket).toBe('bucket');
    const bytes = this.objects.get(Key);
    if (!bytes) throw new NoSuchKey({ message: 'no such key', $metadata: {} });
    return { Body: { transformToByteArray: async () => bytes } };
  }

  #put({ Bucket, Key = '', Body, IfNoneMatch }: PutObjectCommandInput) {
    expect(Bucket).toBe('bucket');
    const isCreation = IfNoneMatch === '*';
    if (isCreation && this.conflicts > 0) {
      this.conflicts -= 1;
      throw failure('ConditionalRequestConflict');
    }
    if (isCreation && this.objects.has(Key)) throw failure('PreconditionFailed');
    this.objects.set(Key, Body as Uint8Array);
    return {};
  }
}

describe('an archive in a bucket', () => {
  let bucket: FakeBucket;
  let store: S3Store;
  beforeEach(() => {
    bucket = new FakeBucket();
    store = new S3Store(bucket as unknown as S3Client, 'bucket', 'archive/');
  });
  const [first, second] = [Buffer.from('first'), Buffer.from('second')];

  it('reads what it wrote, below its folder', async () => {
    await store.write('index.json', first);
    expect([...bucket.objects.keys()]).toEqual(['archive/index.json']);
    expect(await store.read('index.json')).toEqual(first);
    expect(await store.read('other.json')).toBeUndefined();
  });

  it('replaces a file, but creates it only once', async () => {
    await store.write('file', first);
    await store.write('file', second);
    expect(await store.create('file', first)).toBe(false);
    expect(await store.read('file')).toEqual(second);
    expect(await store.create('new', first)).toBe(true);
    expect(await store.read('new')).toEqual(first);
  });

  it('does not create a file if, after a conflict, the other writer has written it', async () => {
    await store.write('file', second);
    bucket.conflicts = 1;
    expect(await store.create('file', first)).toBe(false);
  });

  it('creates a file if, after two conflicts, no other writer has written it', async () => {
    bucket.conflicts = 2;
    expect(await store.create('file', first)).toBe(true);
  });

  it('gives up after three conflicts', async () => {
    bucket.conflicts = 3;
    await expect(store.create('file', first)).rejects.toThrow('ConditionalRequestConflict');
  });

  it('lists all paths that begin with a text, page after page', async () => {
    expect(await store.list('manifest/')).toEqual([]);
    const paths = [1, 2, 3, 4, 5].map((n) => `manifest/date=2026-11-0${n}.json`);
    for (const path of [...paths, 'index.json']) await store.write(path, first);
    // A file outside of the archive's folder.
    bucket.objects.set('manifest/elsewhere', first);
    expect(await store.list('manifest/')).toEqual(paths);
  });

  it('throws every other error of S3', async () => {
    bucket.isDenied = true;
    await expect(store.read('file')).rejects.toThrow('AccessDenied');
    await expect(store.create('file', first)).rejects.toThrow('AccessDenied');
    await expect(store.write('file', first)).rejects.toThrow('AccessDenied');
    await expect(store.list('')).rejects.toThrow('AccessDenied');
  });
});
