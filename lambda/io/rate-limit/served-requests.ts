import { LRUCache } from 'lru-cache';
import type { UnixMs } from '../../core/domain/time.ts';
import { LIMIT_WINDOW_MS, type RequestWindowOptions } from './request-window.ts';

/** The clients that a process remembers. It forgets the oldest ones first. */
const CLIENTS_CACHE_SIZE = 10_000;

type ServedRequestsOptions = Pick<RequestWindowOptions, 'clock' | 'limit'>;

/**
 * What this process alone served each client in the last minute, under way or done. Clients within
 * the limit never have more, so the process refuses the rest without the table: a flood cannot
 * switch the limit off.
 */
export class ServedRequests {
  readonly #options: ServedRequestsOptions;
  /** The times of each client's requests, oldest first. */
  readonly #times = new LRUCache<string, UnixMs[]>({ max: CLIENTS_CACHE_SIZE });

  constructor(options: ServedRequestsOptions) {
    this.#options = options;
  }

  /** @returns when the client has room again; undefined if it has room now */
  fullUntil(key: string): UnixMs | undefined {
    const { clock, limit } = this.#options;
    const times = this.#times.get(key) ?? [];
    const oldestCounted = clock.now() - LIMIT_WINDOW_MS;
    while (times[0] !== undefined && times[0] <= oldestCounted) times.shift();
    const [oldest] = times;
    if (oldest === undefined || times.length < limit) return undefined;
    return oldest + LIMIT_WINDOW_MS;
  }

  /** Counts a request. @returns its time */
  add(key: string): UnixMs {
    const now = this.#options.clock.now();
    const times = this.#times.get(key) ?? [];
    times.push(now);
    this.#times.set(key, times);
    return now;
  }

  /** Removes a request that the table refused. */
  remove(key: string, time: UnixMs): void {
    const times = this.#times.get(key);
    const index = times?.indexOf(time) ?? -1;
    if (index >= 0) times?.splice(index, 1);
  }
}
