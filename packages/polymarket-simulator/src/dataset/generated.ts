import type {
  EventOrderField,
  Filterable,
  Instrument,
  MarketSource,
  OrderField,
  WireMarket,
} from '../source.ts';
import type { Dataset } from './dataset.ts';
import { type DatasetKey, type MarketFacts, marketFacts } from './facts.ts';
import { wireEvent } from './gamma-event.ts';
import { wireMarket } from './gamma-market.ts';
import { GeneratedEvents } from './generated-events.ts';
import { mix, unit } from './hash.ts';
import { instrumentOf } from './instrument.ts';
import { MarketView } from './market-view.ts';
import {
  EVENT_MARKETS,
  paddedCondition,
  protocolOf,
  readPositionId,
  readV2ConditionId,
  v1ConditionId,
} from './protocol.ts';
import { createdAtOf, liquidityOf, volume24hrOf, volumeOf } from './quick-facts.ts';
import { readToken } from './tokens.ts';

export interface GeneratedOptions {
  readonly seed: number;
  readonly markets: number;
  /** Ms; the dates of the dataset start from this day. */
  readonly now: number;
  /** Share of the markets on Protocol V2. @default 0 */
  readonly v2Share?: number;
}

const DAY_MS = 86_400_000;
/** Markets kept after they were looked at: about five kilobytes each. */
const KEPT_FACTS = 20_000;

/** A seeded dataset. Markets are made when first looked at; `epoch` is the UTC midnight their dates start from. */
export class GeneratedSource implements MarketSource, Dataset {
  #key: DatasetKey;
  #size: number;
  readonly #facts = new Map<number, MarketFacts>();
  #volumes: Float64Array;
  #v1Conditions: Map<string, number> | undefined;
  readonly #events: GeneratedEvents;

  constructor({ seed, markets, now, v2Share = 0 }: GeneratedOptions) {
    this.#key = { seed, v2Share, epoch: Math.floor(now / DAY_MS) * DAY_MS };
    this.#size = markets;
    this.#volumes = volumesOf(seed, markets);
    this.#events = new GeneratedEvents(this);
  }

  get size(): number {
    return this.#size;
  }

  get key(): DatasetKey {
    return this.#key;
  }

  get description(): string {
    const share = this.#key.v2Share === 0 ? '' : `, ${Math.round(this.#key.v2Share * 100)} % on Protocol V2`;
    return `${this.#size.toLocaleString('en')} generated markets (seed ${this.#key.seed}${share})`;
  }

  resize(markets: number): void {
    this.#size = markets;
    this.#volumes = volumesOf(this.#key.seed, markets);
    this.#v1Conditions = undefined;
  }

  setV2Share(share: number): void {
    this.#key = { ...this.#key, v2Share: share };
    this.#facts.clear();
    this.#v1Conditions = undefined;
  }

  growVolumes(share: number, factor: number): void {
    this.#volumes = this.#volumes.map((volume, index) =>
      unit(mix(index, Math.round(volume) | 0)) < share ? Number((volume * factor).toFixed(6)) : volume,
    );
  }

  facts(index: number): MarketFacts {
    let facts = this.#facts.get(index);
    if (facts === undefined) {
      facts = marketFacts(this.#key, index);
      if (this.#facts.size >= KEPT_FACTS) this.#facts.clear();
      this.#facts.set(index, facts);
    }
    return facts;
  }

  /** USD, as of now. */
  volume(index: number): number {
    return this.#volumes[index] ?? volumeOf(this.#key.seed, index);
  }

  sortValue(index: number, field: OrderField): number | string {
    switch (field) {
      case 'volumeNum':
        return this.volume(index);
      case 'liquidityNum':
        return liquidityOf(mix(this.#key.seed, index));
      case 'volume':
        return textOf(this.volume(index));
      case 'liquidity':
        return textOf(liquidityOf(mix(this.#key.seed, index)));
      case 'volume24hr':
        return volume24hrOf(mix(this.#key.seed, index), this.volume(index));
      case 'startDate':
      case 'createdAt':
        return createdAtOf(mix(this.#key.seed, index), this.#key.epoch);
      case 'endDate':
        return this.facts(index).endDate ?? '';
      case 'id':
        return index;
    }
  }

  filterable(index: number): Filterable {
    return new MarketView(this, index);
  }

  wire(index: number, atMs: number, includeTags: boolean): WireMarket {
    const { event } = this.facts(index);
    const nested = event === undefined ? undefined : wireEvent(event, this.#events.summary(event.index));
    return this.#wire(index, atMs, includeTags, nested);
  }

  instrument(token: string): Instrument | undefined {
    const { seed, v2Share } = this.#key;
    const v2 = readPositionId(seed, token);
    const found = v2 ?? readToken(seed, token);
    if (found === undefined || found.index >= this.#size) return undefined;
    if (protocolOf(seed, found.index, v2Share) !== (v2 === undefined ? 'v1' : 'v2')) return undefined;
    const facts = this.facts(found.index);
    if (facts.assetIds[found.outcome] !== token) return undefined;
    return instrumentOf(facts, found.outcome, this.#key.epoch);
  }

  assetIds(conditionId: string): readonly string[] | undefined {
    const index = readV2ConditionId(this.#key.seed, conditionId) ?? this.#v1Index(conditionId);
    if (index === undefined || index >= this.#size) return undefined;
    const facts = this.facts(index);
    return facts.paddedConditionId === conditionId ? facts.assetIds : undefined;
  }

  get eventCount(): number {
    return Math.ceil(this.#size / EVENT_MARKETS);
  }

  eventSortValue(index: number, field: EventOrderField): number | string {
    return this.#events.sortValue(index, field);
  }

  eventFilterable(index: number): Filterable {
    return this.#events.filterable(index);
  }

  wireEvent(index: number, atMs: number, options: { readonly includeMarkets: boolean }): WireMarket {
    const { event, indices } = this.#events.of(index);
    const wired = wireEvent(event, this.#events.summary(index));
    if (!options.includeMarkets) return wired;
    return { ...wired, markets: indices.map((market) => this.#wire(market, atMs, false, undefined)) };
  }

  #wire(index: number, atMs: number, includeTags: boolean, event: WireMarket | undefined): WireMarket {
    return wireMarket(this.facts(index), { atMs, includeTags, volume: this.volume(index), event });
  }

  #v1Index(conditionId: string): number | undefined {
    this.#v1Conditions ??= new Map(
      Array.from({ length: this.#size }, (_, index) => [
        paddedCondition(v1ConditionId(mix(this.#key.seed, index))),
        index,
      ]),
    );
    return this.#v1Conditions.get(conditionId);
  }
}

function volumesOf(seed: number, markets: number): Float64Array {
  return Float64Array.from({ length: markets }, (_, index) => volumeOf(seed, index));
}

/** An amount as its string field has it: left out when zero. */
function textOf(amount: number): string {
  return amount === 0 ? '' : String(amount);
}
