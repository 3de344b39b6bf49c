import type {
  EventOrderField,
  Filterable,
  Instrument,
  MarketSource,
  OrderField,
  WireMarket,
} from '../source.ts';
import { instrumentsOf } from './instruments.ts';
import type { Recordings } from './load.ts';
import { assetIdsIn, eventIn, numberIn, paddedConditionIn, stringIn, stringsIn } from './market-fields.ts';

/** Recorded markets, as they were; what was not recorded of them is derived from their quotes. */
export class RecordedSource implements MarketSource {
  readonly description: string;
  readonly #markets: readonly WireMarket[];
  readonly #instruments = new Map<string, Instrument>();
  readonly #conditions = new Map<string, readonly string[]>();
  /** Events in the order in which the catalogue first names them, with their markets. */
  readonly #events: readonly { readonly event: WireMarket; readonly markets: readonly WireMarket[] }[];

  /** `startedMs` is the moment the recorded quotes are taken to hold from. */
  constructor(recordings: Recordings, startedMs: number) {
    this.#markets = recordings.markets;
    this.description = `${recordings.markets.length} recorded markets from ${recordings.folder}`;
    for (const market of [...recordings.markets, recordings.envelopeMarket]) {
      for (const instrument of instrumentsOf(market, recordings.books, startedMs)) {
        this.#instruments.set(instrument.token, instrument);
      }
      this.#conditions.set(paddedConditionIn(market) ?? '', assetIdsIn(market));
    }
    this.#events = eventsOf(recordings.markets);
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
      case 'volume':
      case 'liquidity':
        return stringIn(market, field) ?? '';
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
      ...dated(market),
      conditionId: paddedConditionIn(market) ?? '',
      clobTokenIds: stringsIn(market, 'clobTokenIds'),
      positionIds: stringsIn(market, 'positionIds'),
      active: market.active !== false,
      archived: market.archived === true,
      volume: numberIn(market, 'volumeNum'),
      liquidity: numberIn(market, 'liquidityNum'),
    };
  }

  /** As recorded: the prices do not move and there are no tags. */
  wire(index: number): WireMarket {
    return this.#market(index);
  }

  instrument(token: string): Instrument | undefined {
    return this.#instruments.get(token);
  }

  assetIds(conditionId: string): readonly string[] | undefined {
    return this.#conditions.get(conditionId);
  }

  get eventCount(): number {
    return this.#events.length;
  }

  eventSortValue(index: number, field: EventOrderField): number | string {
    const event = this.#events[index]?.event ?? {};
    if (field === 'id') return Number(event.id);
    return field === 'startDate' || field === 'endDate' || field === 'createdAt'
      ? (stringIn(event, field) ?? '')
      : (numberIn(event, field) ?? 0);
  }

  eventFilterable(index: number): Filterable {
    const event = this.#events[index]?.event ?? {};
    return {
      ...dated(event),
      conditionId: '',
      clobTokenIds: [],
      positionIds: [],
      active: event.active !== false,
      archived: event.archived === true,
      volume: numberIn(event, 'volume'),
      liquidity: numberIn(event, 'liquidity'),
    };
  }

  /** The event as its markets name it. */
  wireEvent(index: number, _atMs: number, options: { readonly includeMarkets: boolean }): WireMarket {
    const { event = {}, markets = [] } = this.#events[index] ?? {};
    if (!options.includeMarkets) return event;
    return { ...event, markets: markets.map((market) => ({ ...market, events: undefined })) };
  }

  #market(index: number): WireMarket {
    return this.#markets[index] ?? {};
  }
}

function dated(thing: WireMarket) {
  const end = Date.parse(stringIn(thing, 'endDate') ?? '');
  return {
    id: stringIn(thing, 'id') ?? '',
    slug: stringIn(thing, 'slug') ?? '',
    tagIds: [],
    closed: thing.closed === true,
    startMs: Date.parse(stringIn(thing, 'startDate') ?? '') || 0,
    endMs: Number.isNaN(end) ? undefined : end,
  };
}

function eventsOf(markets: readonly WireMarket[]) {
  const events = new Map<unknown, { event: WireMarket; markets: WireMarket[] }>();
  for (const market of markets) {
    const event = eventIn(market);
    if (event === undefined) continue;
    const known = events.get(event.id);
    if (known === undefined) events.set(event.id, { event, markets: [market] });
    else known.markets.push(market);
  }
  return [...events.values()];
}
