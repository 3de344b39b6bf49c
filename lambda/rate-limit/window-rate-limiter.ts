import type { Clock } from '../platform/clock.ts';
import { withTimeout } from '../platform/timeout.ts';
import type { ClientCounter } from './client-counter.ts';
import type { ClientKeys } from './client-key.ts';
import type { NetworkLimit } from './network-limit.ts';
import type { ClientAddress, RateLimiter } from './rate-limiter.ts';
import type { RateLimitResult } from './sliding-window.ts';

export interface WindowRateLimiterOptions {
  readonly keys: ClientKeys;
  readonly addresses: ClientCounter;
  readonly networks: NetworkLimit;
  readonly clock: Clock;
  /** Told of each request that could not be counted. */
  readonly onUnavailable: (error: unknown) => void;
  /** Told of each refusal; `cached`: without asking the table. */
  readonly onRefused: (clientKey: string, cached: boolean) => void;
}

/** Time the table has before a request is served uncounted (design 2.5). */
const BUDGET_MS = 500;

/** The per-IP limit, and for IPv6 that of the network around it, over all containers. */
export class WindowRateLimiter implements RateLimiter {
  readonly limit: number;
  readonly #options: WindowRateLimiterOptions;

  constructor(options: WindowRateLimiterOptions) {
    this.#options = options;
    this.limit = options.addresses.limit;
  }

  /**
   * Makes ready while the container starts, where Lambda lends a full CPU: the secret of the keys is there then, and a
   * connection to the table. A failure is met again by the first request. Never rejects.
   */
  async prepare(): Promise<void> {
    const { keys, clock } = this.#options;
    await withTimeout(clock, BUDGET_MS, () => keys.load()).catch(() => undefined);
  }

  cachedRefusal({ address, network }: ClientAddress): RateLimitResult | undefined {
    const { keys, addresses, networks, onRefused } = this.#options;
    const key = keys.knownKeyOf(address);
    if (key === undefined) return undefined;
    const networkKey = network && keys.knownKeyOf(network);
    const cached = addresses.cachedRefusal(key) ?? (networkKey && networks.cachedRefusal(networkKey));
    if (!cached) return undefined;
    onRefused(key, true);
    return cached;
  }

  async check({ address, network }: ClientAddress): Promise<RateLimitResult | undefined> {
    const { addresses, networks, onRefused } = this.#options;
    const [own, around] = await Promise.all([
      this.#counted(address, (key, signal) => addresses.count(key, signal)),
      network && this.#counted(network, (key, signal) => networks.check(key, signal)),
    ]);
    const refused = [own, around || undefined].find((checked) => checked?.result?.allowed === false);
    if (refused) onRefused(refused.key, false);
    return refused?.result ?? own?.result;
  }

  /** Whatever goes wrong: a limit that cannot be kept must not take the service down with it. */
  async #counted(
    client: string,
    count: (clientKey: string, signal: AbortSignal) => Promise<RateLimitResult | undefined>,
  ): Promise<{ readonly key: string; readonly result: RateLimitResult | undefined } | undefined> {
    const { keys, clock, onUnavailable } = this.#options;
    try {
      return await withTimeout(clock, BUDGET_MS, async (signal) => {
        const key = await keys.keyOf(client);
        return { key, result: await count(key, signal) };
      });
    } catch (error) {
      onUnavailable(error);
      return undefined;
    }
  }
}
