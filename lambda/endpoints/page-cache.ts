import { LRUCache } from 'lru-cache';
import type { Page, Room } from '../domain/paging.ts';

/** What of a response follows from a snapshot and a query alone, not from the caller or the time. */
export interface MadePage {
  readonly body: string;
  /** Of the body's content. */
  readonly tag: string;
  /** Matches on all pages. */
  readonly total: number;
  readonly page: Page;
  readonly room: Room;
}

/** Queries of a snapshot that are remembered, and UTF-16 units of their bodies together. */
const PAGES_HELD = 64;
const CHARACTERS_HELD = 4_000_000;

/**
 * Pages that were made a moment ago, each for as long as its snapshot is held: most callers ask for the same few, once a
 * minute, and a page's lines need neither be joined nor hashed again for each of them.
 */
export class PageCache<S extends object> {
  readonly #bySnapshot = new WeakMap<S, LRUCache<string, MadePage>>();

  get(snapshot: S, query: string, make: () => MadePage): MadePage {
    let pages = this.#bySnapshot.get(snapshot);
    if (!pages) {
      pages = new LRUCache({
        max: PAGES_HELD,
        maxSize: CHARACTERS_HELD,
        sizeCalculation: ({ body }) => body.length,
      });
      this.#bySnapshot.set(snapshot, pages);
    }
    const known = pages.get(query) ?? make();
    pages.set(query, known);
    return known;
  }
}
