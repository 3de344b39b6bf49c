import { LRUCache } from 'lru-cache';
import {
  encodeEntry,
  momentOf,
  NONCE_BYTES,
  type RequestLog,
  ThrottledError,
  textOf,
} from './request-log.ts';
import { allowedIn, isCounted, type RateLimitResult, slidingWindow, WINDOW_MS } from './sliding-window.ts';

export interface ClientCounterOptions {
  /** Requests in any 60 s. */
  readonly limit: number;
  readonly log: RequestLog;
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

/**
 * Entries of a list beyond the limit: room for requests that are too old to count and for refused ones, so that a
 * client who never pauses costs a second write once in so many requests. 80 entries keep an item below 1 KB.
 */
const MARGIN = 20;
/** Refused clients held in memory; the one asked for least recently is forgotten first, and asks the log again. */
const REFUSED_HELD = 10_000;
/** The longest a refusal is repeated without asking the log. */
const CACHED_MS = 5_000;
/** Shorter for a client whose refusal says nothing of what it has used. */
const THROTTLED_CACHED_MS = 1_000;
/** How often a request tries to make room in a full list before the contention of its own client refuses it. */
const ATTEMPTS = 2;

/**
 * The sliding window of each client over all containers. A request is put into its client's log unless that is full;
 * whether it is allowed follows from the entries before it, in the same way for everybody who reads the list. So
 * refused requests in it do no harm and need not be taken out.
 */
export class ClientCounter {
  readonly limit: number;
  readonly #options: ClientCounterOptions;
  readonly #refused = new LRUCache<string, RateLimitResult & { readonly until: number }>({
    max: REFUSED_HELD,
  });

  constructor(options: ClientCounterOptions) {
    this.#options = options;
    this.limit = options.limit;
  }

  /** A refusal that this container remembers. */
  cachedRefusal(clientKey: string): RateLimitResult | undefined {
    const cached = this.#refused.get(clientKey);
    return cached && this.#options.now() < cached.until ? cached : undefined;
  }

  /** @throws whatever the log throws but a ThrottledError, which is evidence against the client: it is refused */
  async count(clientKey: string, signal: AbortSignal): Promise<RateLimitResult> {
    const moment = this.#options.now();
    let cachedMs = CACHED_MS;
    const result = await this.#put(clientKey, moment, signal).catch((error: unknown) => {
      if (!(error instanceof ThrottledError)) throw error;
      cachedMs = THROTTLED_CACHED_MS;
      return refusedAt(moment);
    });
    if (!result.allowed) {
      this.#refused.set(clientKey, { ...result, until: Math.min(result.resetAt, moment + cachedMs) });
    }
    return result;
  }

  async #put(clientKey: string, moment: number, signal: AbortSignal): Promise<RateLimitResult> {
    const { limit, log, randomBytes } = this.#options;
    const entry = encodeEntry(moment, randomBytes(NONCE_BYTES));
    const most = limit + MARGIN;
    // Two windows: by then nothing in the list counts, whatever the clocks.
    const expiresAt = moment + 2 * WINDOW_MS;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { entries } = await log.append(clientKey, entry, { most, expiresAt }, signal);
      const added = this.#resultIn(entries, entry, moment);
      if (added) return added;
      const allowed = allowedOf(limit, entries);
      const result = slidingWindow(limit, moment, allowed.map(momentOf));
      if (!result.allowed) return result;
      // The list is full of what no longer counts.
      const counted = allowed.filter((other) => isCounted(momentOf(other), moment));
      const replacement = { entries: [...counted, entry], expiresAt };
      const replaced = await log.replace(clientKey, entries, replacement, signal);
      const made = this.#resultIn(replaced.entries, entry, moment);
      if (made) return made;
    }
    return refusedAt(moment);
  }

  /**
   * The result of a request that is in the list; undefined where it is not. That it is there says more than whether
   * the last attempt has written: an earlier attempt of the SDK may have, and its response was lost.
   */
  #resultIn(entries: readonly Uint8Array[], entry: Uint8Array, moment: number): RateLimitResult | undefined {
    const position = entries.findIndex((other) => Buffer.compare(other, entry) === 0);
    if (position < 0) return undefined;
    const before = allowedOf(this.limit, entries.slice(0, position));
    return slidingWindow(this.limit, moment, before.map(momentOf));
  }
}

/** The entries of the requests that were allowed. One that the SDK has put down twice counts once. */
function allowedOf(limit: number, entries: readonly Uint8Array[]): Uint8Array[] {
  const distinct = [...new Map(entries.map((entry) => [textOf(entry), entry])).values()];
  return allowedIn(limit, distinct.map(momentOf)).flatMap((position) => distinct[position] ?? []);
}

/** Where nothing is known of what the client has used. */
function refusedAt(moment: number): RateLimitResult {
  return { allowed: false, remaining: 0, resetAt: moment + WINDOW_MS };
}
