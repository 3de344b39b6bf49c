import type {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { NoSuchKey, S3ServiceException } from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { S3Store } from '../../../../lambda/io/archive/s3-store.ts';

type Input = (GetObjectCommand | ListObjectsV2Command | PutObjectCommand)['input'] & {
  IfNoneMatch?: string;
};

/** Pages of two keys, so that a list has more than one. */
const PAGE = 2;

function failure(name: string): S3ServiceException {
  return new S3ServiceException({ name, message: name, $fault: 'client', $metadata: {} });
}

describe('an archive in a bucket', () => {
  /** A bucket in memory. It can deny all calls, or answer some creations with a conflict. */
  const objects = new Map<string, Uint8Array>();
  let denied = false;
  let conflicts = 0;
  const client = {
    send: async ({ input }: { input: Input }) => {
      if (denied) throw failure('AccessDenied');
      expect(input.Bucket).toBe('bucket');
      if ('Prefix' in input) {
        const keys = [...objects.keys()].filter((key) => key.startsWith(input.Prefix ?? '')).sort();
        const start = Number(input.ContinuationToken ?? 0);
        const Contents = keys.slice(start, start + PAGE).map((key) => ({ Key: key }));
        return keys.length > start + PAGE
          ? { Contents, NextContinuationToken: `${start + PAGE}` }
          : { Contents };
      }
      const { Key = '', Body, IfNoneMatch } = input as PutObjectCommand['input'];
      if (Body === undefined) {
        const bytes = objects.get(Key);
        if (!bytes) throw new NoSuchKey({ message: 'no such key', $metadata: {} });
        return { Body: { transformToByteArray: async () => bytes } };
      }
      if (IfNoneMatch === '*' && conflicts > 0) {
        conflicts -= 1;
        throw failure('ConditionalRequestConflict');
      }
      if (IfNoneMatch === '*' && objects.has(Key)) throw failure('PreconditionFailed');
      objects.set(Key, Body as Uint8Array);
      return {};
    },
  };
  const store = new S3Store(client as unknown as S3Client, 'bucket', 'archive/');
  const [first, second] = [Buffer.from('first'), Buffer.from('second')];

  beforeEach(() => {
    objects.clear();
    denied = false;
    conflicts = 0;
  });

  it('reads what it wrote, below its folder', async () => {
    await store.write('index.json', first);
    expect([...objects.keys()]).toEqual(['archive/index.json']);
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

  it('creates no file that another writer has written after a conflict', async () => {
    await store.write('file', second);
    conflicts = 1;
    expect(await store.create('file', first)).toBe(false);
  });

  it('creates a file that another writer has given up after two conflicts', async () => {
    conflicts = 2;
    expect(await store.create('file', first)).toBe(true);
  });

  it('gives up after three conflicts', async () => {
    conflicts = 3;
    await expect(store.create('file', first)).rejects.toThrow('ConditionalRequestConflict');
  });

  it('lists all paths that begin with a text, page after page', async () => {
    expect(await store.list('manifest/')).toEqual([]);
    const paths = [1, 2, 3, 4, 5].map((n) => `manifest/date=2026-11-0${n}.json`);
    for (const path of [...paths, 'index.json']) await store.write(path, first);
    objects.set('manifest/elsewhere', first);
    expect(await store.list('manifest/')).toEqual(paths);
  });

  it('throws every other error of S3', async () => {
    denied = true;
    await expect(store.read('file')).rejects.toThrow('AccessDenied');
    await expect(store.create('file', first)).rejects.toThrow('AccessDenied');
    await expect(store.write('file', first)).rejects.toThrow('AccessDenied');
    await expect(store.list('')).rejects.toThrow('AccessDenied');
  });
});
