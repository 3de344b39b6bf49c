/**
 * A snapshot as the endpoints read it: the list of markets that one run of the refresher published.
 * The position of a market in the list counts from 0.
 */
import { isConditionId, paddedConditionId } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';
import { decodeMarket, defaultPart } from '../domain/market-lines.ts';
import type { SnapshotInfo } from '../domain/snapshot.ts';
import type { UnixSeconds } from '../domain/time.ts';
import type { SearchIndex, SearchResult } from '../search/search-index.ts';
import { type EventList, groupIntoEvents } from './market-events.ts';

/** A snapshot without its markets. Links can name its id until `expiresAt`. */
type ReadableInfo = SnapshotInfo & { readonly expiresAt: UnixSeconds };

/**
 * The markets of a snapshot in memory. Each is one line of JSON, which is parsed once, on first
 * use.
 */
export class MarketSnapshot {
  readonly info: ReadableInfo;
  readonly #lines: readonly string[];
  readonly #asOf: string;
  readonly #parsed: Market[] = [];
  readonly #searchIndex: SearchIndex | undefined;
  #markets: readonly Market[] | undefined;
  #positions: ReadonlyMap<string, number> | undefined;
  #events: EventList | undefined;

  /** @param lines in list order @param searchIndex only for Lambda functions that search */
  constructor(info: ReadableInfo, lines: readonly string[], searchIndex?: SearchIndex) {
    this.info = info;
    this.#lines = lines;
    this.#asOf = new Date(info.asOf).toISOString();
    this.#searchIndex = searchIndex;
  }

  get length(): number {
    return this.#lines.length;
  }

  /** The default fields of a market as JSON. @throws RangeError for a position beyond the list */
  defaultRow(position: number): string {
    return defaultPart(this.#line(position));
  }

  /** The market at a position. @throws RangeError for a position beyond the list */
  market(position: number): Market {
    const parsed = this.#parsed[position];
    if (parsed) return parsed;
    const stored = decodeMarket(this.#line(position));
    // Without a time of its own, a price was read with the snapshot.
    const market = { ...stored, pricedAt: stored.pricedAt ?? this.#asOf };
    this.#parsed[position] = market;
    return market;
  }

  /** All markets, in list order. */
  get markets(): readonly Market[] {
    this.#markets ??= this.#lines.map((_, position) => this.market(position));
    return this.#markets;
  }

  /** The position of a market by condition id in any form, slug or any token. */
  positionOf(name: string): number | undefined {
    this.#positions ??= positionsByName(this.markets);
    return this.#positions.get(isConditionId(name) ? paddedConditionId(name) : name);
  }

  /** The events of all markets. */
  get events(): EventList {
    this.#events ??= groupIntoEvents(this.markets);
    return this.#events;
  }

  /** Finds markets by a text. @throws Error in a function that does not search */
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
  // Backwards, so that of two markets with one slug the one of higher volume wins.
  for (const [position, { slug, outcomes }] of [...markets.entries()].reverse()) {
    if (slug !== undefined) positions.set(slug, position);
    for (const { tokenId } of outcomes) positions.set(tokenId, position);
  }
  // Last, so that a slug cannot hide an id.
  for (const [position, { id }] of markets.entries())
    positions.set(paddedConditionId(id), position);
  return positions;
}
