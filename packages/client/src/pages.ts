import { ApiError } from './errors.ts';
import type { Result } from './result.ts';

export interface PagesOptions {
  /**
   * If the iteration's snapshot expires (after an hour): `throw` rejects with `snapshot_gone`. `restart` begins again
   * with the newest one, and repeats some entries. @default 'throw'
   */
  readonly whenGone?: WhenGone;
}
export type WhenGone = 'restart' | 'throw';

/** The newest snapshot if undefined. */
export interface PageStart {
  readonly offset: number;
  readonly snapshot: string | undefined;
}

/**
 * All pages belong to the first one's snapshot. A page can be shorter than its `limit`, so the next one begins where it
 * ended.
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
