import { ApiError } from './errors.ts';
import type { Result } from './result.ts';

/** What to do when the snapshot of a walk is no longer kept (it is for an hour). */
export type WhenGone =
  /** Begin again with the newest snapshot: pages that were seen already come again. */
  | 'restart'
  /** Reject with the service's `snapshot_gone`. */
  | 'throw';

export interface PagesOptions {
  /** @default 'throw' */
  readonly whenGone?: WhenGone;
}

/**
 * Walks over pages by their `next` links. All pages of a walk are of one and the same snapshot, whatever is published
 * meanwhile.
 */
export async function* walk<T>(
  first: () => Promise<Result<T>>,
  follow: (url: string) => Promise<Result<T>>,
  { whenGone = 'throw' }: PagesOptions,
): AsyncGenerator<Result<T>, void, undefined> {
  let page = await first();
  while (true) {
    yield page;
    const { next } = page.links;
    if (next === undefined) return;
    try {
      page = await follow(next);
    } catch (error) {
      if (whenGone === 'throw' || !ApiError.is(error, 'snapshot_gone')) throw error;
      page = await first();
    }
  }
}
