import { LRUCache } from 'lru-cache';
import type { ClientCounter } from './client-counter.ts';
import type { RateLimitResult } from './sliding-window.ts';

/** One request in so many is counted for its network: the limit is about this many times that of the samples. */
export const SAMPLED_ONE_IN = 20;
/** Networks that are known to be at their limit. */
const WATCHED_HELD = 1_000;

export interface NetworkLimitOptions {
  /** Counts the samples. */
  readonly samples: ClientCounter;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/**
 * The limit of an IPv6 /48, in which one customer may have 65,536 addresses that are counted apart. It has to keep
 * nobody in check exactly, but must cost nothing in the common case: one request in twenty is counted. A network that
 * a container has seen refused is asked for each time, so that it is not let in again by what is not sampled.
 */
export class NetworkLimit {
  readonly #options: NetworkLimitOptions;
  readonly #watched = new LRUCache<string, true>({ max: WATCHED_HELD });

  constructor(options: NetworkLimitOptions) {
    this.#options = options;
  }

  /** A refusal that this container remembers. */
  cachedRefusal(networkKey: string): RateLimitResult | undefined {
    return this.#options.samples.cachedRefusal(networkKey);
  }

  /** Undefined for a request that is not sampled. @throws whatever the log throws */
  async check(networkKey: string, signal: AbortSignal): Promise<RateLimitResult | undefined> {
    const { samples, random } = this.#options;
    if (!this.#watched.has(networkKey) && random() >= 1 / SAMPLED_ONE_IN) return undefined;
    const result = await samples.count(networkKey, signal);
    if (result.allowed) this.#watched.delete(networkKey);
    else this.#watched.set(networkKey, true);
    return result;
  }
}
