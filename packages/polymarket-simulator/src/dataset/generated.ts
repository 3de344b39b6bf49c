import type { Filterable, Instrument, MarketSource, OrderField, WireMarket } from '../source.ts';
import { type MarketFacts, marketFacts, volumeOf } from './facts.ts';
import { wireMarket } from './gamma-market.ts';
import { mirrored, type Quote, quoteAt } from './prices.ts';
import { TAGS } from './tags.ts';
import { readToken } from './tokens.ts';
import { lastTradeTicks, volume24hr } from './trades.ts';

const DAY_MS = 86_400_000;

/** A seeded universe. Markets are made when first looked at; `epoch` is the UTC midnight their dates start from. */
export class GeneratedSource implements MarketSource {
  readonly #seed: number;
  readonly #epoch: number;
  readonly #facts: (MarketFacts | undefined)[] = [];
  #size: number;

  constructor(options: { readonly seed: number; readonly markets: number; readonly now: number }) {
    this.#seed = options.seed;
    this.#size = options.markets;
    this.#epoch = Math.floor(options.now / DAY_MS) * DAY_MS;
  }

  get size(): number {
    return this.#size;
  }

  get description(): string {
    return `${this.#size.toLocaleString('en')} generated markets (seed ${this.#seed})`;
  }

  resize(markets: number): void {
    this.#size = markets;
  }

  facts(index: number): MarketFacts {
    let facts = this.#facts[index];
    if (facts === undefined) {
      facts = marketFacts(this.#seed, index, this.#epoch);
      this.#facts[index] = facts;
    }
    return facts;
  }

  sortValue(index: number, field: OrderField): number | string {
    switch (field) {
      case 'volumeNum':
        return volumeOf(this.#seed, index);
      case 'liquidityNum':
        return this.facts(index).liquidity;
      case 'volume24hr':
        return volume24hr(this.facts(index));
      case 'startDate':
      case 'createdAt':
        return this.facts(index).createdAt;
      case 'endDate':
        return this.facts(index).endDate ?? '';
      case 'id':
        return index;
    }
  }

  filterable(index: number): Filterable {
    const facts = this.facts(index);
    return { ...facts, tagIds: facts.tags.map((slug) => TAGS[slug]?.id ?? slug) };
  }

  wire(index: number, atMs: number, includeTags: boolean): WireMarket {
    return wireMarket(this.facts(index), atMs, includeTags);
  }

  instrument(token: string): Instrument | undefined {
    const found = readToken(this.#seed, token);
    if (found === undefined || found.index >= this.#size) return undefined;
    return instrumentOf(this.facts(found.index), found.outcome, this.#epoch);
  }
}

function instrumentOf(facts: MarketFacts, outcome: 0 | 1, epoch: number): Instrument {
  const { units, key } = facts.price;
  const own = (quote: Quote) => (outcome === 0 ? quote : mirrored(quote, units));
  return {
    token: facts.tokens[outcome],
    conditionId: facts.conditionId,
    units,
    trading: facts.orderBook && !facts.closed,
    bornAt: facts.createdAt,
    endedAt: facts.closed ? epoch : undefined,
    negRisk: facts.group !== '',
    oldBook: facts.oldBook,
    key,
    outcome,
    quote: (atMs) => own(quoteAt(facts.price, atMs)),
    lastTrade(atMs) {
      const price = lastTradeTicks(facts, atMs);
      return price === undefined ? undefined : (outcome === 0 ? price : units - price) / units;
    },
  };
}
