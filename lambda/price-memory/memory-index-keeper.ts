import {
  INDEX_KEY,
  indexItem,
  type MemoryIndex,
  type PieceReference,
  readIndex,
  revisionOf,
} from './memory-items.ts';
import type { MemoryStore } from './memory-store.ts';
import type { NewPiece } from './past-memory.ts';
import type { RosterInUse } from './sample-store.ts';

/** Times that a write is tried when another run has written meanwhile. */
const ATTEMPTS = 3;

/**
 * The index item: read by each run, written when it changes, on the condition that nobody else has. Who loses such a race
 * adds their pieces to what the winner has written.
 */
export class MemoryIndexKeeper {
  readonly #store: MemoryStore;
  readonly #broken = new Set<string>();
  #stored: MemoryIndex | undefined;
  #revision = 0;
  #roster: RosterInUse | undefined;
  #since: number | undefined;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  get since(): number | undefined {
    return this.#since;
  }

  get roster(): RosterInUse | undefined {
    return this.#roster;
  }

  get pieces(): readonly PieceReference[] {
    return this.#stored?.pieces.filter(({ id }) => !this.#broken.has(id)) ?? [];
  }

  /** @param now ms: what has expired is left out */
  async read(now: number, deadline: number): Promise<void> {
    const item = await this.#store.get(INDEX_KEY, deadline);
    const index = readIndex(item);
    this.#revision = revisionOf(item);
    this.#stored = index && {
      ...index,
      pieces: index.pieces.filter((piece) => piece.expiresAt * 1_000 > now),
    };
    if (!index) return;
    this.#since = Math.min(this.#since ?? index.since, index.since);
    if (index.roster && index.roster.writtenAt >= (this.#roster?.writtenAt ?? 0)) this.#roster = index.roster;
  }

  /** Told of a sample that was written. */
  kept(at: number, roster: RosterInUse): void {
    this.#since = Math.min(this.#since ?? at, at);
    this.#roster = roster;
  }

  broken(id: string): void {
    this.#broken.add(id);
  }

  /** Writes the index if it has changed. @throws Error when others were faster each time, or what the store throws */
  async write(now: number, pieces: readonly NewPiece[], deadline: number): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const next = this.#next(pieces);
      if (!next) return;
      if (await this.#store.replace(indexItem(next, this.#revision + 1), this.#revision, deadline)) {
        this.#stored = next;
        this.#revision += 1;
        this.#broken.clear();
        return;
      }
      await this.read(now, deadline);
    }
    throw new Error('The index of the price memory was written by others meanwhile');
  }

  /** @returns undefined where nothing has changed, or nothing is known yet */
  #next(pieces: readonly NewPiece[]): MemoryIndex | undefined {
    const since = this.#since;
    if (since === undefined) return undefined;
    const instead = new Set(pieces.flatMap((piece) => piece.instead));
    const kept = this.pieces.filter(({ id }) => !instead.has(id));
    const same =
      this.#stored?.since === since &&
      this.#stored.roster?.id === this.#roster?.id &&
      pieces.length === 0 &&
      this.#broken.size === 0;
    if (same) return undefined;
    return {
      since,
      ...(this.#roster ? { roster: this.#roster } : {}),
      pieces: [...kept, ...pieces.map(({ reference }) => reference)],
    };
  }
}
