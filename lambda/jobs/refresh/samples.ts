import { CHANGE_WINDOWS, CHANGE_WINDOWS_MS, type ChangeWindow } from '../../core/domain/change.ts';
import {
  MINUTE_MS,
  SECOND_MS,
  toUnixMs,
  toUnixSeconds,
  type UnixMs,
} from '../../core/domain/time.ts';
import type { Log } from '../../io/platform/telemetry.ts';
import type { RangeQuery } from '../../io/snapshots/range-query.ts';
import {
  decodeText,
  encodeText,
  type StoredPriceItem,
  type StoredPrices,
} from '../../io/snapshots/stored-prices.ts';

/** The midpoints of a sample (0–1) by key; null for a listed market without a midpoint. */
type SampledPrices = ReadonlyMap<string, number | null>;

/** The midpoints of all listed markets at one time. */
interface Sample {
  readonly time: UnixMs;
  readonly prices: SampledPrices;
}

/**
 * A token's price in our own samples, `ageMs` before the start of a window. `unknown`: no sample
 * lists the token. `no midpoint`: its book was not tight.
 */
export type SampledPrice =
  | 'unknown'
  | 'no midpoint'
  | { readonly price: number; readonly ageMs: number };

/** The time between samples. */
const SAMPLE_INTERVAL_MS = 10 * MINUTE_MS;
/** A sample up to this much older than the start of a window gives the price at the start. */
const SAMPLE_MAX_AGE_MS = 30 * MINUTE_MS;
/**
 * A sample is due this long after the last one. It is shorter than the interval, because the prices
 * of a run arrive some seconds earlier or later than those of another.
 */
const MIN_INTERVAL_MS = SAMPLE_INTERVAL_MS - 30 * SECOND_MS;

/**
 * Our own samples of prices. Failed reads and writes are logged; a broken sample counts as absent.
 */
export class Samples {
  readonly #stored: Pick<StoredPrices, 'query' | 'put'>;
  readonly #logger: Pick<Log, 'warn'>;
  /** Samples shortly before each window's start, newest first. */
  readonly #starts = new Map<ChangeWindow, readonly Sample[]>();
  /** The newest and the oldest sample that this container has found. */
  #newest: UnixMs | undefined;
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

  /** Reads the samples at the start of a window that this container does not have yet. */
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
      if (prices) added.unshift({ time: toUnixMs(n), prices });
    }
    this.#starts.set(window, [...added, ...kept]);
  }

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
    const sample = this.#starts
      .get(window)
      ?.find(
        ({ time, prices }) => time <= start && start - time <= SAMPLE_MAX_AGE_MS && prices.has(key),
      );
    const price = sample?.prices.get(key);
    if (!sample || price === undefined) return 'unknown';
    return price === null ? 'no midpoint' : { price, ageMs: start - sample.time };
  }

  /** Stores a sample if the last one of any container is ten minutes old. */
  async save(asOf: UnixMs, prices: SampledPrices, deadline: UnixMs): Promise<void> {
    const n = toUnixSeconds(asOf);
    // A newer sample than this makes another one unnecessary.
    const tooRecent = toUnixMs(n) - MIN_INTERVAL_MS;
    if (this.#newest !== undefined && this.#newest > tooRecent) return;
    const store = async (): Promise<void> => {
      const from = toUnixSeconds(tooRecent) + 1;
      const range = { from, to: n, newestFirst: true, firstOnly: true };
      const ofOtherContainer = await this.#first(range, deadline);
      const data = encodeText(JSON.stringify({ prices: Object.fromEntries(prices) }));
      if (!ofOtherContainer) await this.#stored.put('SAMPLE', { n, data }, deadline);
      this.#newest = toUnixMs(ofOtherContainer?.n ?? n);
    };
    await this.#attempt('The refresher could not store a price sample', store());
  }

  /** The prices of a stored sample, without malformed ones. */
  #decode(n: number, data: Uint8Array): SampledPrices | undefined {
    const isPrice = (entry: [string, unknown]): entry is [string, number | null] =>
      entry[1] === null || (typeof entry[1] === 'number' && entry[1] >= 0 && entry[1] <= 1);
    try {
      const { prices } = JSON.parse(decodeText(data)) as {
        readonly prices: Record<string, unknown>;
      };
      return new Map(Object.entries(prices).filter(isPrice));
    } catch (error) {
      this.#logger.warn('A stored price sample is broken', { n, error });
      return undefined;
    }
  }

  async #first(query: RangeQuery, deadline: UnixMs): Promise<StoredPriceItem | undefined> {
    for await (const item of this.#stored.query('SAMPLE', query, deadline)) return item;
    return undefined;
  }

  /** Waits for work, and logs its failure. */
  async #attempt(message: string, work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => this.#logger.warn(message, { error }));
  }
}
