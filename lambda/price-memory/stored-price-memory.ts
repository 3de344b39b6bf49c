import { CHANGE_WINDOWS, type ChangeWindow, type PricePoint } from '../domain/change.ts';
import type { Baseline, PastKind, PriceMemory } from '../refresh/ports.ts';
import { MemoryIndexKeeper } from './memory-index-keeper.ts';
import { dataItem, isOfThisFormat, pieceKey } from './memory-items.ts';
import type { MemoryStore } from './memory-store.ts';
import { encodePoints } from './past.ts';
import { PastMemory } from './past-memory.ts';
import { priceKey } from './price-key.ts';
import { SampleStore } from './sample-store.ts';
import { tickOf } from './ticks.ts';
import { WindowSamples } from './window-samples.ts';

export interface StoredPriceMemoryOptions {
  readonly store: MemoryStore;
  readonly random: () => number;
  /** Told of what went wrong; nothing of it ends a run. */
  readonly onProblem?: (message: string, error: unknown) => void;
}

/** The price memory over its store (docs/adr/0024-price-memory.md). One a container, for all its runs. */
export class StoredPriceMemory implements PriceMemory {
  readonly #options: StoredPriceMemoryOptions;
  readonly #index: MemoryIndexKeeper;
  readonly #samples: SampleStore;
  readonly #pasts = new PastMemory();
  readonly #windows: Readonly<Record<ChangeWindow, WindowSamples>> = {
    oneDay: new WindowSamples('oneDay'),
    sevenDay: new WindowSamples('sevenDay'),
    thirtyDay: new WindowSamples('thirtyDay'),
  };
  #keptTick: number | undefined;

  constructor(options: StoredPriceMemoryOptions) {
    this.#options = options;
    this.#index = new MemoryIndexKeeper(options.store);
    this.#samples = new SampleStore(options.store);
  }

  get since(): number | undefined {
    return this.#index.since;
  }

  async open(now: number, deadline: number): Promise<number> {
    try {
      await this.#index.read(now, deadline);
    } catch (error) {
      this.#options.onProblem?.('The price memory cannot be read', error);
      return 1;
    }
    const load = (tick: number) => this.#samples.read(tick, deadline);
    const failures = await Promise.all([
      this.#readPieces(deadline),
      ...Object.values(this.#windows).map((window) => window.move(now, this.since, load)),
    ]);
    return failures.reduce((sum, count) => sum + count, 0);
  }

  baseline(token: string, window: ChangeWindow, asOf: number): Baseline | undefined {
    const key = priceKey(token);
    const start = asOf - CHANGE_WINDOWS[window] * 1_000;
    const own = this.#windows[window].price(key, start);
    if (own && own.at === start) return { price: own.price, own: true };
    const told = this.#pasts.pointAt(window, key, start / 1_000);
    if (!own) return told && { price: told.p, own: false };
    const before = told && told.t * 1_000 <= start;
    const nearer = before
      ? own.at > start || told.t * 1_000 > own.at
      : told && own.at > start && told.t * 1_000 < own.at;
    return nearer && told ? { price: told.p, own: false } : { price: own.price, own: true };
  }

  wants(kind: PastKind, token: string, now: number): boolean {
    const windows = kind === 'day' ? (['oneDay'] as const) : (['sevenDay', 'thirtyDay'] as const);
    // What the other kind tells does not count: the month ends half a day before the day's start.
    if (windows.every((window) => this.baseline(token, window, now)?.own)) return false;
    const longest = CHANGE_WINDOWS[kind === 'day' ? 'oneDay' : 'thirtyDay'];
    const asked = this.#pasts.askedUntil(kind, priceKey(token));
    return asked === undefined || asked <= now / 1_000 - longest;
  }

  learn(kind: PastKind, histories: ReadonlyMap<string, readonly PricePoint[]>, until: number): void {
    for (const [token, points] of histories) {
      const earlier = points.filter(({ t }) => t <= until);
      this.#pasts.learn(kind, priceKey(token), Math.floor(until), encodePoints(earlier));
    }
  }

  async keep(asOf: number, prices: ReadonlyMap<string, number>, deadline: number): Promise<boolean> {
    try {
      await this.#keepSample(asOf, prices, deadline);
      await this.#keepPasts(asOf, deadline);
      return true;
    } catch (error) {
      this.#options.onProblem?.('The price memory cannot be written', error);
      return false; // the next run does it
    }
  }

  async #keepSample(asOf: number, prices: ReadonlyMap<string, number>, deadline: number): Promise<void> {
    if (this.#keptTick === tickOf(asOf) || prices.size === 0) return;
    const byKey = new Map([...prices].map(([token, price]) => [priceKey(token), price]));
    const roster = await this.#samples.write(asOf, byKey, this.#index.roster, deadline);
    this.#keptTick = tickOf(asOf);
    this.#index.kept(asOf, roster);
  }

  async #keepPasts(asOf: number, deadline: number): Promise<void> {
    const { store, random } = this.#options;
    const pieces = this.#pasts.newPieces(
      asOf,
      () => `${asOf}-${Math.floor(random() * 2 ** 48).toString(36)}`,
    );
    await Promise.all(
      pieces.map(({ reference, data }) =>
        store.put(dataItem(pieceKey(reference.id), data, reference.expiresAt), deadline),
      ),
    );
    await this.#index.write(asOf, pieces, deadline);
    this.#pasts.saved(pieces);
  }

  /** @returns how many could not be read; what is broken is left out of the index, and its markets are asked for again */
  async #readPieces(deadline: number): Promise<number> {
    const missing = this.#index.pieces.filter(({ id }) => !this.#pasts.has(id));
    let failed = 0;
    await Promise.all(
      missing.map(async (reference) => {
        try {
          const item = await this.#options.store.get(pieceKey(reference.id), deadline);
          try {
            if (!isOfThisFormat(item) || !item.data?.B)
              throw new Error('A piece of the price memory is missing');
            this.#pasts.add(reference, item.data.B);
          } catch (error) {
            this.#index.broken(reference.id);
            this.#options.onProblem?.('A piece of the price memory is asked for again', error);
          }
        } catch {
          failed += 1;
        }
      }),
    );
    return failed;
  }
}
