/** The part of the rate limit that needs no table: what this process alone has served. */
import { LRUCache } from 'lru-cache';
import type { UnixMs } from '../../core/domain/time.ts';
import { LIMIT_WINDOW_MS, type RequestWindowOptions } from './request-window.ts';

/** The clients that a process remembers. It forgets the oldest ones first. */
const CLIENTS_CACHE_SIZE = 10_000;

type ServedRequestsOptions = Pick<RequestWindowOptions, 'clock' | 'limit'>;

/**
 * Counts the requests, under way or done, that this process served each client in the last minute.
 * A client that reaches the limit here has reached it in total. So the process refuses it without
 * the table, and a flood that overloads the table does not switch the limit off.
 */
export class ServedRequests {
  readonly #options: ServedRequestsOptions;
  /** The times of each client's requests, oldest first. */
  readonly #times = new LRUCache<string, UnixMs[]>({ max: CLIENTS_CACHE_SIZE });

  constructor(options: ServedRequestsOptions) {
    this.#options = options;
  }

  /**
   * When a client that has reached the limit may make its next request.
   *
   * @returns undefined if it may make one now
   */
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
