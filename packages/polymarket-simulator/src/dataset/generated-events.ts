import type { EventOrderField, Filterable } from '../source.ts';
import type { Dataset } from './dataset.ts';
import { type EventFacts, eventWithText } from './event-facts.ts';
import type { EventSummary } from './gamma-event.ts';
import { mix } from './hash.ts';
import { EVENT_MARKETS, protocolOf } from './protocol.ts';
import { createdAtOf, flagsOf, hasEvent, liquidityOf, volume24hrOf } from './quick-facts.ts';
import { TAGS } from './tags.ts';

interface EventOf {
  readonly event: EventFacts;
  /** The markets that belong to it. */
  readonly indices: readonly number[];
}

/** The events of a generated dataset, each made from its markets. */
export class GeneratedEvents {
  readonly #source: Dataset;

  constructor(source: Dataset) {
    this.#source = source;
  }

  of(index: number): EventOf {
    const { seed, epoch } = this.#source.key;
    return { event: eventWithText(seed, index, epoch).event, indices: this.#indices(index) };
  }

  summary(index: number): EventSummary {
    const { seed, epoch, v2Share } = this.#source.key;
    const indices = this.#indices(index);
    const keys = indices.map((market) => mix(seed, market));
    const volumes = indices.map((market) => this.#source.volume(market));
    return {
      createdAt: Math.min(...keys.map((key) => createdAtOf(key, epoch))),
      volume: sum(volumes),
      volume24hr: sum(keys.map((key, place) => volume24hrOf(key, volumes[place] ?? 0))),
      liquidity: sum(keys.map(liquidityOf)),
      closed: keys.every((key) => flagsOf(key).closed),
      version: protocolOf(seed, index * EVENT_MARKETS, v2Share),
    };
  }

  sortValue(index: number, field: EventOrderField): number | string {
    switch (field) {
      case 'id':
        return index;
      case 'volume':
      case 'volume24hr':
      case 'liquidity':
        return this.summary(index)[field];
      case 'startDate':
      case 'createdAt':
        return this.summary(index).createdAt;
      case 'endDate':
        return this.of(index).event.endDate ?? '';
    }
  }

  filterable(index: number): Filterable {
    const { event, indices } = this.of(index);
    const summary = this.summary(index);
    return {
      id: event.id,
      slug: event.slug,
      conditionId: '',
      clobTokenIds: [],
      positionIds: [],
      tagIds: event.tags.map((slug) => TAGS[slug]?.id ?? slug),
      closed: summary.closed,
      active: indices.length > 0,
      archived: event.unlisted,
      volume: summary.volume || undefined,
      liquidity: summary.liquidity || undefined,
      startMs: summary.createdAt,
      endMs: event.endMs,
    };
  }

  #indices(index: number): readonly number[] {
    const indices: number[] = [];
    const end = Math.min((index + 1) * EVENT_MARKETS, this.#source.size);
    for (let market = index * EVENT_MARKETS; market < end; market++) {
      if (hasEvent(mix(this.#source.key.seed, market))) indices.push(market);
    }
    return indices;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
