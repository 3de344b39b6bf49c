import type { Filterable, Instrument, MarketSource, OrderField, WireMarket } from '../source.ts';
import { instrumentsOf } from './instruments.ts';
import type { Recordings } from './load.ts';
import { numberIn, stringIn, tokensIn } from './reading.ts';

/** Recorded markets, as they were; what was not recorded of them is derived from their quotes. */
export class RecordedSource implements MarketSource {
  readonly description: string;
  readonly #markets: readonly WireMarket[];
  readonly #instruments = new Map<string, Instrument>();

  /** `startedMs` is the moment the recorded quotes are taken to hold from. */
  constructor(recordings: Recordings, startedMs: number) {
    this.#markets = recordings.markets;
    this.description = `${recordings.markets.length} recorded markets from ${recordings.folder}`;
    for (const market of [...recordings.markets, recordings.envelopeMarket]) {
      for (const instrument of instrumentsOf(market, recordings.books, startedMs)) {
        this.#instruments.set(instrument.token, instrument);
      }
    }
  }

  get size(): number {
    return this.#markets.length;
  }

  sortValue(index: number, field: OrderField): number | string {
    const market = this.#market(index);
    switch (field) {
      case 'volumeNum':
      case 'liquidityNum':
      case 'volume24hr':
        return numberIn(market, field) ?? 0;
      case 'id':
        return Number(market.id);
      case 'startDate':
      case 'endDate':
      case 'createdAt':
        return stringIn(market, field) ?? '';
    }
  }

  filterable(index: number): Filterable {
    const market = this.#market(index);
    return {
      id: stringIn(market, 'id') ?? '',
      slug: stringIn(market, 'slug') ?? '',
      conditionId: stringIn(market, 'conditionId') ?? '',
      tokens: tokensIn(market),
      tagIds: [],
      closed: market.closed === true,
    };
  }

  /** As recorded: the prices do not move and there are no tags. */
  wire(index: number): WireMarket {
    return this.#market(index);
  }

  instrument(token: string): Instrument | undefined {
    return this.#instruments.get(token);
  }

  #market(index: number): WireMarket {
    return this.#markets[index] ?? {};
  }
}
