import { GeneratedSource } from 'polymarket-simulator';
import type { PricePoint } from '../../lambda/domain/change.ts';
import type { CatalogueRecord } from '../../lambda/domain/market.ts';
import type { Clock } from '../../lambda/platform/clock.ts';
import { readGammaMarket } from '../../lambda/polymarket/gamma-market.ts';
import type { Catalogue, HistoryRange, Prices } from '../../lambda/refresh/ports.ts';

/** What upstream.md measured: a catalogue of 2,000 markets in bands, a history call, a call for midpoints. */
const CATALOGUE_MS = 4_300;
const HISTORY_MS = 500;
const MIDPOINTS_MS = 300;
/** So many markets are traded between two full runs (docs/adr/0018-changes.md), by so much of their volume. */
const TRADED_SHARE = 0.18;
const TRADED_FACTOR = 1.0002;
/** Tokens of a call of the batch route. */
const BATCH_TOKENS = 20;

/** A clock that nobody waits for: whatever takes time moves it. */
export class JumpClock implements Clock {
  time: number;

  constructor(time: number) {
    this.time = time;
  }

  now = (): number => this.time;

  /** Time-outs never come: nothing hangs here. */
  after(): () => void {
    return () => undefined;
  }

  /** Does something that takes so long, beside whatever else is under way. */
  async take<T>(ms: number, work: () => T): Promise<T> {
    const end = this.time + ms;
    const result = work();
    await Promise.resolve();
    this.time = Math.max(this.time, end);
    return result;
  }
}

/** What is wrong at a moment. */
export interface Troubles {
  readonly catalogueDown: boolean;
  readonly histories: 'well' | 'no batch' | 'gone';
}

interface Priced {
  readonly units: number;
  quote(atMs: number): { readonly bid: number | null; readonly ask: number | null };
}

/** Generated markets with the prices that the simulator gives them at any moment, and the calls that were made. */
export class SimulatedUpstreams {
  readonly clock: JumpClock;
  troubles: Troubles = { catalogueDown: false, histories: 'well' };
  historyCalls = 0;
  readonly catalogue: Catalogue;
  readonly prices: Prices;
  readonly #source: GeneratedSource;
  /** What the catalogue says, where it always says the same. */
  readonly #still: readonly CatalogueRecord[] | undefined;
  readonly #instruments = new Map<string, Priced>();

  /** @param moving whether the facts of the catalogue move like its prices: that takes time to make */
  constructor(markets: number, startedAt: number, moving = false) {
    this.clock = new JumpClock(startedAt);
    this.#source = new GeneratedSource({ seed: 1, markets, now: startedAt });
    const source = this.#source;
    const records = this.#records();
    this.#still = moving ? undefined : records;
    for (const record of records) {
      if (record.kind !== 'listable') continue;
      const instrument = source.instrument(record.market.yesTokenId);
      if (instrument) this.#instruments.set(record.market.yesTokenId, instrument);
    }
    // All markets are on the page, always.
    this.catalogue = { page: () => this.#page(), find: async () => [] };
    const upstreams = this;
    this.prices = {
      midpoints: (tokens) => this.#midpoints(tokens),
      histories: (tokens, range) => this.#histories(tokens, range),
      get tokensPerCall() {
        return upstreams.troubles.histories === 'well' ? BATCH_TOKENS : 1;
      },
    };
  }

  /** The midpoint that a token had at a moment; undefined for an empty book. */
  truth(token: string, atMs: number): number | undefined {
    const instrument = this.#instruments.get(token);
    const quote = instrument?.quote(atMs);
    if (!instrument || !quote || (quote.bid === null && quote.ask === null)) return undefined;
    return ((quote.bid ?? 0) + (quote.ask ?? instrument.units)) / (2 * instrument.units);
  }

  async #page() {
    if (this.troubles.catalogueDown) throw new Error('The catalogue is down');
    return await this.clock.take(CATALOGUE_MS, () => ({ records: this.#still ?? this.#traded() }));
  }

  #traded(): CatalogueRecord[] {
    this.#source.growVolumes(TRADED_SHARE, TRADED_FACTOR);
    return this.#records();
  }

  #records(): CatalogueRecord[] {
    return Array.from({ length: this.#source.size }, (_, n) =>
      readGammaMarket(this.#source.wire(n, this.clock.time, true)),
    );
  }

  #midpoints(tokens: readonly string[]): Promise<Map<string, number>> {
    const at = this.clock.time;
    return this.clock.take(MIDPOINTS_MS, () => {
      const known = tokens.map((token) => [token, this.truth(token, at)] as const);
      return new Map(
        known.flatMap(([token, price]) => (price === undefined ? [] : [[token, price] as const])),
      );
    });
  }

  async #histories(tokens: readonly string[], { start, end, fidelity }: HistoryRange) {
    if (this.troubles.histories === 'gone') throw new Error('No route of the histories responds');
    this.historyCalls += this.troubles.histories === 'well' ? 1 : tokens.length;
    return await this.clock.take(HISTORY_MS, () => {
      const points = (token: string): PricePoint[] => {
        const all: PricePoint[] = [];
        for (let t = Math.ceil(start / (fidelity * 60)) * fidelity * 60; t <= end; t += fidelity * 60) {
          const p = this.truth(token, t * 1_000);
          if (p !== undefined) all.push({ t, p });
        }
        return all;
      };
      return new Map(tokens.map((token) => [token, points(token)]));
    });
  }
}
