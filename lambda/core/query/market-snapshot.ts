import { LRUCache } from 'lru-cache';
import { isConditionId, paddedConditionId } from '../domain/condition-id.ts';
import type { Market } from '../domain/market.ts';
import { decodeMarket, defaultPart } from '../domain/market-lines.ts';
import type { SnapshotInfo } from '../domain/snapshot.ts';
import type { UnixMs, UnixSeconds } from '../domain/time.ts';
import type { SearchIndex, SearchIndexer } from '../search/search-index.ts';
import { type EventList, groupIntoEvents } from './market-events.ts';

/** Readable by its id until it expires. */
interface StoredSnapshotInfo extends SnapshotInfo {
  readonly expiresAt: UnixSeconds;
}

/** Depends on snapshot and query only. */
export interface CachedResponse {
  readonly body: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a feed, which names no snapshot. @default the time of the prices */
  readonly updated?: UnixMs;
}

/** Per snapshot; the size counts characters of queries and bodies. */
const RESPONSE_CACHE_SIZE = 64;
const RESPONSE_CACHE_CHARACTERS = 4_000_000;

/** The markets of a snapshot in memory. Each line is parsed once, on first use. */
export class MarketSnapshot {
  readonly info: StoredSnapshotInfo;
  /** By query: most callers send the same few, once a minute. */
  readonly responses = new LRUCache<string, CachedResponse>({
    max: RESPONSE_CACHE_SIZE,
    maxSize: RESPONSE_CACHE_CHARACTERS,
    sizeCalculation: ({ body }, query) => body.length + query.length,
  });
  readonly #lines: readonly string[];
  /** Time of most prices. */
  readonly #asOf: string;
  readonly #parsed: Market[] = [];
  readonly #indexer: SearchIndexer | undefined;
  #markets: readonly Market[] | undefined;
  #positions: ReadonlyMap<string, number> | undefined;
  #events: EventList | undefined;
  #index: SearchIndex | undefined;

  /** @param lines in list order @param indexer only for functions that search */
  constructor(info: StoredSnapshotInfo, lines: readonly string[], indexer?: SearchIndexer) {
    this.info = info;
    this.#lines = lines;
    this.#asOf = new Date(info.asOf).toISOString();
    this.#indexer = indexer;
  }

  get length(): number {
    return this.#lines.length;
  }

  /** The default fields as JSON. @throws RangeError */
  line(position: number): string {
    return defaultPart(this.#line(position));
  }

  /** @throws RangeError */
  market(position: number): Market {
    const market = this.#parsed[position] ?? { pricedAt: this.#asOf, ...decodeMarket(this.#line(position)) };
    this.#parsed[position] = market;
    return market;
  }

  /** In list order. */
  get markets(): readonly Market[] {
    this.#markets ??= this.#lines.map((_, position) => this.market(position));
    return this.#markets;
  }

  /** By condition id in any form, slug or any token. */
  positionOf(name: string): number | undefined {
    this.#positions ??= positionsByName(this.markets);
    return this.#positions.get(isConditionId(name) ? paddedConditionId(name) : name);
  }

  /** By volume. */
  get events(): EventList {
    this.#events ??= groupIntoEvents(this.markets);
    return this.#events;
  }

  /** @throws Error in a function that does not search */
  get index(): SearchIndex {
    if (!this.#indexer) throw new Error('This function has no search index');
    this.#index ??= this.#indexer.indexOf(this.markets);
    return this.#index;
  }

  #line(position: number): string {
    const line = this.#lines[position];
    if (line === undefined) throw new RangeError(`There is no market ${position}`);
    return line;
  }
}

function positionsByName(markets: readonly Market[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  // Backwards: the larger of two markets with one slug wins.
  for (const [position, { slug, outcomes, clobTokenId }] of [...markets.entries()].reverse()) {
    if (slug !== undefined) positions.set(slug, position);
    for (const { tokenId } of outcomes) positions.set(tokenId, position);
    positions.set(clobTokenId, position);
  }
  // Last, so that no slug hides an id.
  for (const [position, { id }] of markets.entries()) positions.set(paddedConditionId(id), position);
  return positions;
}
