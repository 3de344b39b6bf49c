import { OrderBooks } from '../../lambda/io/polymarket/clob-books.ts';
import { liveRead } from '../../lambda/io/polymarket/live-read.ts';
import { MarketLookup } from '../../lambda/io/polymarket/market-lookup.ts';
import { PriceHistories } from '../../lambda/io/polymarket/price-histories.ts';
import { Resolutions } from '../../lambda/io/polymarket/resolutions.ts';
import { Upstream } from '../../lambda/io/upstream/client.ts';
import { callOnce } from '../../lambda/io/upstream/http-call.ts';
import type { UpstreamName } from '../../lambda/io/upstream/upstreams.ts';
import { inTime } from './in-time.ts';
import { ManualClock } from './manual-clock.ts';

/**
 * Makes clients of a stub, with a manual clock and with the warnings that they log. For example:
 *
 *     const { clock, warnings, upstream } = upstreamRig(stub.url);
 *     const book = new OrderBooks(upstream('clob'), clock).book('7', clock.now() + 4_000);
 *
 * @param random the random number for the pauses between retries, 0 to 1
 * @param call makes one HTTP call
 */
export function upstreamRig(baseUrl: string, random = 0.5, call = callOnce) {
  const clock = new WatchedClock();
  const warnings: Record<string, unknown>[] = [];
  const observer = {
    warn: (message: string, fields: object = {}) => warnings.push({ message, ...fields }),
  };
  const upstream = (name: UpstreamName) =>
    new Upstream(name, { baseUrl, clock, random: () => random, observer, call });
  return { clock, warnings, upstream };
}

/**
 * What the endpoints that call upstream depend on, over a stub of upstream. For example,
 * `getOrderBook(liveRig(stub.url))`.
 */
export function liveRig(baseUrl: string, call = callOnce) {
  const { clock, warnings, upstream } = upstreamRig(baseUrl, 0.5, call);
  const [clob, data] = [upstream('clob'), upstream('data')];
  return {
    clock,
    warnings,
    upstream,
    live: liveRead(clock),
    books: new OrderBooks(clob, clock),
    histories: new PriceHistories({ clob, data, clock }),
    lookup: new MarketLookup(upstream('gamma')),
    resolutions: new Resolutions(data),
  };
}

/**
 * A manual clock that waits for the code under test. Calls over real sockets take real time, so a
 * test does not know when the code behind a call starts a timer.
 */
class WatchedClock extends ManualClock {
  /** The lengths of the timers that have begun, in ms. */
  readonly #begun: number[] = [];
  #watchers: { ms: number; resolve: () => void }[] = [];

  override after(ms: number, callback: () => void): () => void {
    const cancel = super.after(ms, callback);
    this.#begun.push(ms);
    for (const watcher of this.#watchers) if (watcher.ms === ms) watcher.resolve();
    this.#watchers = this.#watchers.filter((watcher) => watcher.ms !== ms);
    return cancel;
  }

  /**
   * Waits until a timer of this many milliseconds has begun, and lets its time pass.
   * @throws Error with the timers that began instead, after 30 s
   */
  async passTimer(ms: number): Promise<void> {
    if (!this.#begun.includes(ms)) {
      const begins = new Promise<void>((resolve) => this.#watchers.push({ ms, resolve }));
      await inTime(
        begins,
        () => `No timer of ${ms} ms began; begun: ${this.#begun.join(', ') || 'none'}`,
      );
    }
    // Forgets this timer and earlier ones, so that the next call waits for a new one.
    this.#begun.splice(0, this.#begun.indexOf(ms) + 1);
    await this.advance(ms);
  }
}
