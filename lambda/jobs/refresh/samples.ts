/**
 * Samples: every ten minutes the refresher stores the midpoint (the price between the best bid and
 * ask) of each listed market. Later runs compare with them to compute the price changes over 1 hour,
 * 1 day, 7 and 30 days.
 */
import { CHANGE_WINDOWS, CHANGE_WINDOWS_MS, type ChangeWindow } from '../../core/domain/change.ts';
import {
  MINUTE_MS,
  toUnixMs,
  toUnixSeconds,
  type UnixMs,
  type UnixSeconds,
} from '../../core/domain/time.ts';
import type { Log } from '../../io/platform/telemetry.ts';
import type { RangeQuery } from '../../io/snapshots/range-query.ts';
import {
  decodeText,
  encodeText,
  type StoredPriceItem,
  type StoredPrices,
} from '../../io/snapshots/stored-prices.ts';

/**
 * Midpoints (0–1) by key of the token (`priceKey`); null for a listed market without a midpoint,
 * because its book was not tight.
 */
type SampledPrices = ReadonlyMap<string, number | null>;

/** A stored sample. */
interface Sample {
  readonly time: UnixMs;
  readonly prices: SampledPrices;
}

/**
 * What the samples say about a token at the start of a window: a price that was read `ageMs` before
 * the start, `no midpoint` if the book was not tight, or `unknown` if no sample lists the token.
 */
export type SampledPrice =
  | 'unknown'
  | 'no midpoint'
  | { readonly price: number; readonly ageMs: number };

/** A sample up to this much older than the start of a window gives the price at the start. */
const SAMPLE_MAX_AGE_MS = 30 * MINUTE_MS;
/**
 * A sample is due this long after the last one. It is less than ten minutes, because the prices of a
 * run arrive some seconds earlier or later than those of another.
 */
const MIN_INTERVAL_SECONDS = 10 * 60 - 30;

/**
 * The samples of all containers, in the table and in memory. A run calls `load`, then `find`, then
 * `save`. Failed reads and writes are logged; a broken sample counts as absent.
 */
export class Samples {
  readonly #stored: Pick<StoredPrices, 'query' | 'put'>;
  readonly #logger: Pick<Log, 'warn'>;
  /** Samples shortly before each window's start, newest first. */
  readonly #starts = new Map<ChangeWindow, readonly Sample[]>();
  /** The newest sample that `save` has found or stored. */
  #newest: UnixSeconds | undefined;
  #oldest: UnixMs | undefined;

  constructor(stored: Pick<StoredPrices, 'query' | 'put'>, logger: Pick<Log, 'warn'>) {
    this.#stored = stored;
    this.#logger = logger;
  }

  /** Time of the oldest sample; undefined before the first. */
  get since(): UnixMs | undefined {
    return this.#oldest;
  }

  /** Reads the samples at the starts of the windows. If a read fails, the previous samples stay. */
  async load(now: UnixMs, deadline: UnixMs): Promise<void> {
    const reads = [
      ...CHANGE_WINDOWS.map((window) => this.#loadWindow(window, now, deadline)),
      this.#findOldest(deadline),
    ];
    await Promise.all(
      reads.map((read) => this.#attempt('The refresher could not read a price sample', read)),
    );
  }

  /** Forgets the samples that are now too old for a window, and reads the newer ones. */
  async #loadWindow(window: ChangeWindow, now: UnixMs, deadline: UnixMs): Promise<void> {
    const start = now - CHANGE_WINDOWS_MS[window];
    const oldest = start - SAMPLE_MAX_AGE_MS;
    const kept = this.#starts.get(window)?.filter(({ time }) => time >= oldest) ?? [];
    this.#starts.set(window, kept);
    const newestKept = kept[0]?.time;
    const from = newestKept === undefined ? toUnixSeconds(oldest) : toUnixSeconds(newestKept) + 1;
    const range = { from, to: toUnixSeconds(start) };
    const added: Sample[] = [];
    for await (const { n, data } of this.#stored.query('SAMPLE', range, deadline)) {
      const prices = this.#decode(n, data);
      // The table returns the oldest first, and the list begins with the newest.
      if (prices) added.unshift({ time: toUnixMs(n), prices });
    }
    this.#starts.set(window, [...added, ...kept]);
  }

  /** Finds the oldest sample once: `since` never changes afterwards. */
  async #findOldest(deadline: UnixMs): Promise<void> {
    if (this.#oldest !== undefined) return;
    const item = await this.#first({ firstOnly: true }, deadline);
    this.#oldest = item && toUnixMs(item.n);
  }

  /**
   * The price of a token at the start of a window.
   *
   * @param asOf end of the window
   */
  find(key: string, window: ChangeWindow, asOf: UnixMs): SampledPrice {
    const start = asOf - CHANGE_WINDOWS_MS[window];
    for (const { time, prices } of this.#starts.get(window) ?? []) {
      const ageMs = start - time;
      const price = prices.get(key);
      if (ageMs < 0 || ageMs > SAMPLE_MAX_AGE_MS || price === undefined) continue;
      return price === null ? 'no midpoint' : { price, ageMs };
    }
    return 'unknown';
  }

  /** Stores a sample if the last one of any container is ten minutes old. */
  async save(asOf: UnixMs, prices: SampledPrices, deadline: UnixMs): Promise<void> {
    const time = toUnixSeconds(asOf);
    if (this.#newest !== undefined && time - this.#newest < MIN_INTERVAL_SECONDS) return;
    await this.#attempt(
      'The refresher could not store a price sample',
      this.#saveIfDue(time, prices, deadline),
    );
  }

  /** Stores a sample unless another container has stored a recent one. */
  async #saveIfDue(time: UnixSeconds, prices: SampledPrices, deadline: UnixMs): Promise<void> {
    const from = time - MIN_INTERVAL_SECONDS + 1;
    const range = { from, to: time, newestFirst: true, firstOnly: true };
    const ofOtherContainer = await this.#first(range, deadline);
    const data = encodeText(JSON.stringify({ prices: Object.fromEntries(prices) }));
    if (!ofOtherContainer) await this.#stored.put('SAMPLE', { n: time, data }, deadline);
    this.#newest = ofOtherContainer?.n ?? time;
  }

  /** The prices of a stored sample, without malformed ones. */
  #decode(n: number, data: Uint8Array): SampledPrices | undefined {
    try {
      const sample: { prices: Record<string, unknown> } = JSON.parse(decodeText(data));
      const prices = new Map<string, number | null>();
      for (const [key, price] of Object.entries(sample.prices))
        if (isMidpoint(price)) prices.set(key, price);
      return prices;
    } catch (error) {
      this.#logger.warn('A stored price sample is broken', { n, error });
      return undefined;
    }
  }

  /** The first sample of a range. */
  async #first(query: RangeQuery, deadline: UnixMs): Promise<StoredPriceItem | undefined> {
    for await (const item of this.#stored.query('SAMPLE', query, deadline)) return item;
    return undefined;
  }

  /** Waits for work, and logs its failure. */
  async #attempt(message: string, work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => this.#logger.warn(message, { error }));
  }
}

function isMidpoint(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && value >= 0 && value <= 1);
}
