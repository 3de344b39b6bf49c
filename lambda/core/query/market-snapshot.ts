import {
  DEFAULT_MARKET_FIELDS,
  MARKET_FIELDS,
  type MarketField,
} from '../contract/market-fields.ts';
import { isConditionId, paddedConditionId } from '../domain/ids.ts';
import { defaultFields, type Market, pickFields } from '../domain/market.ts';
import { decodeMarket, defaultPart } from '../domain/market-lines.ts';
import type { SnapshotInfo } from '../domain/snapshot.ts';
import type { UnixSeconds } from '../domain/time.ts';
import type { SearchIndex, SearchResult } from '../search/search-index.ts';
import { csvLine } from './csv.ts';
import { type EventList, groupIntoEvents } from './market-events.ts';

/** What a snapshot in memory knows of itself. Its id is valid until `expiresAt`. */
type ReadableInfo = SnapshotInfo & { readonly expiresAt: UnixSeconds };

/** The markets of a snapshot in memory. Parses each line once, on first use. */
export class MarketSnapshot {
  readonly info: ReadableInfo;
  readonly #lines: readonly string[];
  readonly #asOf: string;
  readonly #parsed: Market[] = [];
  readonly #searchIndex: SearchIndex | undefined;
  #markets: readonly Market[] | undefined;
  #positions: ReadonlyMap<string, number> | undefined;
  #events: EventList | undefined;

  /** @param lines in list order @param searchIndex only for functions that search */
  constructor(info: ReadableInfo, lines: readonly string[], searchIndex?: SearchIndex) {
    this.info = info;
    this.#lines = lines;
    this.#asOf = new Date(info.asOf).toISOString();
    this.#searchIndex = searchIndex;
  }

  get length(): number {
    return this.#lines.length;
  }

  /** The default fields of a market as JSON. @throws RangeError */
  line(position: number): string {
    return defaultPart(this.#line(position));
  }

  /** The market at a position. @throws RangeError */
  market(position: number): Market {
    const market = this.#parsed[position] ?? {
      pricedAt: this.#asOf,
      ...decodeMarket(this.#line(position)),
    };
    this.#parsed[position] = market;
    return market;
  }

  get markets(): readonly Market[] {
    this.#markets ??= this.#lines.map((_, position) => this.market(position));
    return this.#markets;
  }

  /** The position of a market by condition id in any form, slug or any token. */
  positionOf(name: string): number | undefined {
    this.#positions ??= positionsByName(this.markets);
    return this.#positions.get(isConditionId(name) ? paddedConditionId(name) : name);
  }

  get events(): EventList {
    this.#events ??= groupIntoEvents(this.markets);
    return this.#events;
  }

  /** @throws Error in a function that does not search */
  search(query: string): SearchResult {
    if (!this.#searchIndex) throw new Error('This function has no search index');
    return this.#searchIndex.search(this.markets, query);
  }

  #line(position: number): string {
    const line = this.#lines[position];
    if (line === undefined) throw new RangeError(`There is no market ${position}`);
    return line;
  }
}

/** The positions by condition id, slug and token. */
function positionsByName(markets: readonly Market[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  // Backwards, so that the larger of two markets with one slug wins.
  for (const [position, { slug, outcomes, clobTokenId }] of [...markets.entries()].reverse()) {
    if (slug !== undefined) positions.set(slug, position);
    for (const { tokenId } of outcomes) positions.set(tokenId, position);
    positions.set(clobTokenId, position);
  }
  // Last, so that a slug cannot hide an id.
  for (const [position, { id }] of markets.entries())
    positions.set(paddedConditionId(id), position);
  return positions;
}

/** How a response writes markets. */
interface RowFormat {
  readonly kind: 'json' | 'csv';
  /** Undefined means the default fields. */
  readonly fields: readonly MarketField[] | undefined;
}

/**
 * The fields that `fields` names, each once, in order.
 *
 * @returns undefined for `default` alone, which is cut from the stored lines
 */
export function fieldsOf(names: readonly string[] | undefined): readonly MarketField[] | undefined {
  if (names === undefined || names.every((name) => name === 'default')) return undefined;
  const fields = names.flatMap((name): readonly MarketField[] => {
    if (name === 'default') return DEFAULT_MARKET_FIELDS;
    return name === 'all' ? MARKET_FIELDS : [name as MarketField];
  });
  return [...new Set(fields)];
}

/** One market of a response. Reads no other market of the snapshot. */
export function rowOf(
  snapshot: Pick<MarketSnapshot, 'line' | 'market'>,
  position: number,
  { kind, fields }: RowFormat,
): string {
  if (kind === 'json') {
    return fields
      ? JSON.stringify(pickFields(snapshot.market(position), fields))
      : snapshot.line(position);
  }
  const market = snapshot.market(position);
  const shown: Partial<Market> = fields ? market : defaultFields(market, position);
  return csvLine((fields ?? DEFAULT_MARKET_FIELDS).map((name) => shown[name]));
}

/** The body of a response with these rows. */
export function joinRows(rows: readonly string[], { kind, fields }: RowFormat): string {
  return kind === 'json'
    ? jsonArray(rows)
    : [csvLine(fields ?? DEFAULT_MARKET_FIELDS), ...rows].join('');
}

/** A JSON array with one entry per line. @param entries as JSON */
export function jsonArray(entries: readonly string[]): string {
  return `[${entries.join(',\n')}]`;
}

/** Adds a field at the end. @param object as JSON, not empty @param value as JSON */
export function withField(object: string, name: string, value: string): string {
  return `${object.slice(0, -1)},"${name}":${value}}`;
}
