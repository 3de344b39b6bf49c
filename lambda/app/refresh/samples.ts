import { CHANGE_WINDOWS, type ChangeWindow } from '../../core/domain/change.ts';
import type { RangeQuery } from '../../io/platform/dynamodb.ts';
import type { Log } from '../../io/platform/telemetry.ts';
import { decodeText, encodeText, type StoredPriceItem, type StoredPrices } from './stored-prices.ts';

/** Midpoints by key, 0–1; null for a listed market without one. */
type SampledPrices = ReadonlyMap<string, number | null>;

/** Seconds between two samples of all midpoints. */
const SAMPLE_INTERVAL_SECONDS = 600;
/** A sample this much older than the start of a window still gives the price at the start. */
const SAMPLE_MAX_AGE_SECONDS = 1_800;

const WINDOWS = Object.keys(CHANGE_WINDOWS) as readonly ChangeWindow[];
/** Full runs begin every two minutes, but they read their prices some seconds earlier or later. */
const MIN_INTERVAL_SECONDS = SAMPLE_INTERVAL_SECONDS - 30;

/** The service's own samples of prices. It logs failed reads and writes. A broken sample counts as absent. */
export class Samples {
  readonly #stored: Pick<StoredPrices, 'query' | 'put'>;
  readonly #logger: Pick<Log, 'warn'>;
  /** The newest sample before the start of each window. Times are Unix seconds. */
  readonly #starts = new Map<ChangeWindow, { readonly time: number; readonly prices: SampledPrices }>();
  /** Of the samples that this container has found, Unix seconds. */
  #newest: number | undefined;
  #oldest: number | undefined;

  constructor(stored: Pick<StoredPrices, 'query' | 'put'>, logger: Pick<Log, 'warn'>) {
    this.#stored = stored;
    this.#logger = logger;
  }

  /** Time of the oldest sample, Unix ms. */
  get since(): number | undefined {
    return this.#oldest === undefined ? undefined : this.#oldest * 1_000;
  }

  /** Reads the samples at the starts of the windows. After a failed read, the previous ones stay. Times are Unix ms. */
  async load(now: number, deadline: number): Promise<void> {
    const seconds = Math.floor(now / 1_000);
    const loadWindow = async (window: ChangeWindow): Promise<void> => {
      const start = seconds - CHANGE_WINDOWS[window];
      const item = await this.#find(
        { from: start - SAMPLE_MAX_AGE_SECONDS, to: start, newestFirst: true, limit: 1 },
        deadline,
      );
      if (!item || item.n === this.#starts.get(window)?.time) return;
      this.#starts.set(window, { time: item.n, prices: decodeSample(item.data) });
    };
    const findOldest = async (): Promise<void> => {
      this.#oldest ??= (await this.#find({ limit: 1 }, deadline))?.n;
    };
    const reads = [...WINDOWS.map(loadWindow), findOldest()];
    await Promise.all(reads.map((read) => this.#attempt('The refresher could not read a price sample', read)));
  }

  /**
   * The price of a market at the start of a window, 0–1. `age`: seconds between the sample and the start.
   *
   * @param asOf end of the window, Unix seconds
   * @returns null if the list had the market without a midpoint; undefined if no sample has the market
   */
  startPrice(key: string, window: ChangeWindow, asOf: number): { price: number; age: number } | null | undefined {
    const sample = this.#starts.get(window);
    const age = sample ? asOf - CHANGE_WINDOWS[window] - sample.time : Number.POSITIVE_INFINITY;
    const price = age <= SAMPLE_MAX_AGE_SECONDS ? sample?.prices.get(key) : undefined;
    return typeof price === 'number' ? { price, age } : price;
  }

  /** Stores a sample if the last one of any container is ten minutes old. @param asOf Unix ms */
  async save(asOf: number, prices: SampledPrices, deadline: number): Promise<void> {
    const seconds = Math.floor(asOf / 1_000);
    const from = seconds - MIN_INTERVAL_SECONDS;
    if (this.#newest !== undefined && this.#newest > from) return;
    const store = async (): Promise<void> => {
      const newest = await this.#find({ from: from + 1, to: seconds, newestFirst: true, limit: 1 }, deadline);
      const data = encodeText(JSON.stringify({ prices: Object.fromEntries(prices) }));
      if (!newest) await this.#stored.put('SAMPLE', { n: seconds, data }, deadline);
      this.#newest = newest?.n ?? seconds;
      this.#oldest ??= this.#newest;
    };
    await this.#attempt('The refresher could not store a price sample', store());
  }

  async #find(query: RangeQuery, deadline: number): Promise<StoredPriceItem | undefined> {
    for await (const item of this.#stored.query('SAMPLE', query, deadline)) return item;
    return undefined;
  }

  async #attempt(message: string, work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => this.#logger.warn(message, { error }));
  }
}

function decodeSample(data: Uint8Array): SampledPrices {
  const { prices } = JSON.parse(decodeText(data)) as { readonly prices: Record<string, unknown> };
  const isPrice = (entry: [string, unknown]): entry is [string, number | null] =>
    entry[1] === null || (typeof entry[1] === 'number' && entry[1] >= 0 && entry[1] <= 1);
  return new Map(Object.entries(prices).filter(isPrice));
}
