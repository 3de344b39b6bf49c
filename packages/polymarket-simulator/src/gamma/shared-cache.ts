import { hashText } from '../dataset/hash.ts';

/** Gamma's shared cache keeps a list this long (upstream.md). */
export const CACHE_SECONDS = 300;
const MOST_ADDRESSES = 5_000;

/**
 * What readers notice of the cache in front of Gamma's lists: how old a copy is, and whether it carries the CORS
 * header, which depends on who asked first. Nothing is stored: prices are functions of time, so the copy of a
 * moment can be made again.
 */
export class SharedCache {
  readonly #cors = new Map<string, { readonly copy: number; readonly cors: boolean }>();

  /** Seconds since this address was last fetched afresh; each address has its own moment, so pages differ. */
  ageSeconds(address: string, nowMs: number): number {
    return Math.floor(nowMs / 1_000 + (hashText(address) % CACHE_SECONDS)) % CACHE_SECONDS;
  }

  /** Whether the copy allows other origins: it does if the first to ask for it sent an `Origin`. */
  allowsOrigins(address: string, nowMs: number, hasOrigin: boolean): boolean {
    const copy = Math.floor((nowMs / 1_000 + (hashText(address) % CACHE_SECONDS)) / CACHE_SECONDS);
    const known = this.#cors.get(address);
    if (known?.copy === copy) return known.cors;
    if (this.#cors.size >= MOST_ADDRESSES) this.#cors.clear();
    this.#cors.set(address, { copy, cors: hasOrigin });
    return hasOrigin;
  }
}
