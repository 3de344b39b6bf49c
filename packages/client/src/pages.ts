import { ApiError } from './errors.ts';
import type { Result } from './result.ts';

export interface PagesOptions {
  /**
   * What happens when the snapshot of an iteration expires, after an hour. `throw` rejects with `snapshot_gone`. `restart`
   * begins again with the newest snapshot, so that the caller gets some entries twice. @default 'throw'
   */
  readonly whenGone?: WhenGone;
}
export type WhenGone = 'restart' | 'throw';

/** Where a page begins, and in which snapshot; undefined: the newest. */
export interface PageStart {
  readonly offset: number;
  readonly snapshot: string | undefined;
}

/**
 * Reads page after page. All pages belong to the snapshot of the first one, although the service publishes newer
 * snapshots meanwhile. The iteration needs no `Link`: a page can be shorter than its `limit`, so that the next page begins
 * where this one ended.
 */
export async function* iteratePages<T extends readonly unknown[]>(
  read: (start: PageStart) => Promise<Result<T>>,
  first: PageStart,
  { whenGone = 'throw' }: PagesOptions,
): AsyncGenerator<Result<T>, void, undefined> {
  let start = first;
  while (true) {
    let page: Result<T>;
    try {
      page = await read(start);
    } catch (error) {
      const isBound = start !== first;
      if (whenGone === 'throw' || !isBound || !ApiError.is(error, 'snapshot_gone')) throw error;
      start = first;
      continue;
    }
    yield page;
    const offset = start.offset + page.data.length;
    if (page.data.length === 0 || offset >= (page.total ?? 0)) return;
    start = { offset, snapshot: page.snapshot };
  }
}
