/**
 * The markets of a past. `npm run archive -- --past N` reads a past: the N closed markets of
 * highest volume and all listed markets, each with its whole price history (past.ts). This file
 * reads the markets, and what the closed ones pay.
 */
import { MAX_MARKETS_DEFAULT } from '../../lambda/core/contract/constants.ts';
import { paddedConditionId } from '../../lambda/core/domain/ids.ts';
import type { CatalogueMarket } from '../../lambda/core/domain/market.ts';
import { readInstant } from '../../lambda/core/domain/moment.ts';
import { MINUTE_MS, type UnixMs } from '../../lambda/core/domain/time.ts';
import { fieldIf, inGroups } from '../../lambda/core/domain/values.ts';
import type { Clock } from '../../lambda/io/platform/clock.ts';
import {
  MAX_CONDITION_IDS,
  type Page,
  pageOf,
} from '../../lambda/io/polymarket/gamma-catalogue.ts';
import { asObject, asText } from '../../lambda/io/polymarket/json-values.ts';
import { readFoundMarket } from '../../lambda/io/polymarket/market-lookup.ts';
import {
  payoutOf,
  RESOLUTIONS_BATCH_CONDITIONS,
  type Resolution,
  Resolutions,
} from '../../lambda/io/polymarket/resolutions.ts';
import type { CallLimits, Upstream } from '../../lambda/io/upstream/client.ts';
import { UpstreamError } from '../../lambda/io/upstream/upstream-error.ts';

/** A market of a past. */
export interface PastMarket {
  readonly market: CatalogueMarket;
  /** True if the market is open, so that the service lists it. Otherwise it is closed. */
  readonly isListed: boolean;
  readonly closedAt?: UnixMs;
  /** What a share of YES pays, 0 to 1. */
  readonly payout?: number;
  readonly resolvedAt?: UnixMs;
}

/** A part of a market that the files lack. `id` is empty if Gamma's record has none. */
export interface MissingPart {
  readonly id: string;
  readonly part: 'market' | 'payout' | 'prices';
  readonly reason: string;
}

/** The markets of a run. A run reads them once, so an interrupted run ends like any other. */
export interface PastList {
  /** When the run began. */
  readonly asOf: UnixMs;
  /** How many closed markets the user requested. */
  readonly requested: number;
  /** By ascending id; each market once. */
  readonly markets: readonly PastMarket[];
  readonly missing: readonly MissingPart[];
  /** The number of calls, by route. */
  readonly calls: Readonly<Record<string, number>>;
}

export interface ListOptions {
  /** How many closed markets, by volume. */
  readonly requested: number;
  /** How many open markets, by volume. @default as the service lists */
  readonly maxListed?: number;
  readonly gamma: Upstream;
  readonly data: Upstream;
  readonly clock: Clock;
}

/** A market, or why the service cannot read it. */
type FoundRecord = PastMarket | MissingPart;

/** Upstream has this time to answer a call. */
const PATIENCE_MS = 20 * MINUTE_MS;

/** The limits of a call that waits while upstream is away. */
export function patience(clock: Clock): CallLimits {
  return { deadline: clock.now() + PATIENCE_MS, retries: Number.POSITIVE_INFINITY };
}

/** Why upstream did not send a part of the past. @throws errors that concern all parts */
export function reasonOf(error: unknown): string {
  if (!(error instanceof UpstreamError) || error.isForbidden) throw error;
  return error.message;
}

/** Reads the markets of one run from Gamma, and what the closed ones pay from the Data API. */
export class PastListReader {
  readonly #options: ListOptions;
  /** By padded id. The first record of a market counts. */
  readonly #found = new Map<string, FoundRecord>();
  readonly #calls = { 'markets-keyset': 0, 'v2-resolutions': 0 };

  constructor(options: ListOptions) {
    this.#options = options;
  }

  /** How many markets have been found so far, readable or not. */
  get foundCount(): number {
    return this.#found.size;
  }

  /**
   * Reads the list.
   *
   * @param before the markets of an earlier run, which stay
   * @throws UpstreamError if Gamma rejects a call or is away for longer than a run waits
   */
  async read(asOf: UnixMs, before: readonly PastMarket[]): Promise<PastList> {
    const { requested, maxListed = MAX_MARKETS_DEFAULT } = this.#options;
    await this.#addByVolume('closed=true', requested);
    await this.#addByVolume('closed=false', this.#found.size + maxListed);
    await this.#addClosedSince(before);
    this.#addNew(before);
    const unreadable = [...this.#found.values()].filter((one) => 'reason' in one);
    const missing = [...unreadable, ...(await this.#addPayouts())];
    return { asOf, requested, markets: this.#markets(), missing, calls: this.#calls };
  }

  /** Adds pages until there are `maxFound` markets, or a page has nothing new or no cursor. */
  async #addByVolume(filter: string, maxFound: number): Promise<void> {
    const query = `${filter}&order=volumeNum&ascending=false`;
    let cursor = '';
    for (;;) {
      const { records, nextCursor } = await this.#readPage(query + cursor);
      const hasNew = this.#addNew(records, maxFound);
      if (!hasNew || nextCursor === undefined || this.#found.size >= maxFound) return;
      cursor = `&after_cursor=${encodeURIComponent(nextCursor)}`;
    }
  }

  /** Adds those markets of an earlier run that have closed since. The others stay as they were. */
  async #addClosedSince(before: readonly PastMarket[]): Promise<void> {
    const others = before.filter(({ market }) => !this.#found.has(paddedConditionId(market.id)));
    for (const group of inGroups(others, MAX_CONDITION_IDS)) {
      const ids = group.map(({ market }) => `&condition_ids=${market.id.toLowerCase()}`);
      const { records } = await this.#readPage(`closed=true${ids.join('')}`);
      this.#addNew(records);
    }
  }

  /**
   * Adds the records of new markets while there are fewer than `maxFound`.
   *
   * @returns whether any was new
   */
  #addNew(records: readonly FoundRecord[], maxFound = Number.POSITIVE_INFINITY): boolean {
    const countBefore = this.#found.size;
    for (const one of records) {
      if (this.#found.size === maxFound) break;
      const key = paddedConditionId('market' in one ? one.market.id : one.id);
      if (!this.#found.has(key)) this.#found.set(key, one);
    }
    return this.#found.size > countBefore;
  }

  /** Adds what the closed markets pay. @returns those whose payout is unknown */
  async #addPayouts(): Promise<MissingPart[]> {
    const missing: MissingPart[] = [];
    const closed = this.#markets().filter(({ isListed }) => !isListed);
    for (const group of inGroups(closed, RESOLUTIONS_BATCH_CONDITIONS)) {
      const read = await this.#readResolutions(group);
      const isFailed = typeof read === 'string';
      const reason = isFailed ? read : 'not_resolved';
      for (const one of group) {
        const { id } = one.market;
        const resolution = isFailed ? undefined : read.get(paddedConditionId(id));
        const isKnown = this.#addPayout(one, resolution);
        if (!isKnown) missing.push({ id, part: 'payout', reason });
      }
    }
    return missing;
  }

  /**
   * Adds what a market pays: by its resolution, or as an earlier run read it.
   *
   * @returns false if neither is known
   */
  #addPayout(one: PastMarket, resolution: Resolution | undefined): boolean {
    const { id, outcomes, clobTokenId } = one.market;
    const yes = outcomes.findIndex(({ tokenId }) => tokenId === clobTokenId);
    const payout = payoutOf(resolution, yes) ?? one.payout;
    if (payout === undefined) return false;
    const resolvedAt = fieldIf('resolvedAt', resolution?.resolvedAt);
    this.#found.set(paddedConditionId(id), { ...one, payout, ...resolvedAt });
    return true;
  }

  /** The readable markets, by ascending id. */
  #markets(): PastMarket[] {
    const sorted = [...this.#found].sort(([idA], [idB]) => (idA < idB ? -1 : 1));
    return sorted.map(([, one]) => one).filter((one) => 'market' in one);
  }

  #readPage(query: string): Promise<Page<FoundRecord>> {
    const { gamma, clock } = this.#options;
    this.#calls['markets-keyset'] += 1;
    const path = `/markets/keyset?limit=100&include_tag=true&${query}`;
    const parse = (body: unknown) => pageOf(body, readRecord);
    return gamma.request({ route: 'markets-keyset', path, parse, ...patience(clock) });
  }

  /** The resolutions of markets by padded id, or why there are none. */
  #readResolutions(markets: readonly PastMarket[]) {
    const { data, clock } = this.#options;
    this.#calls['v2-resolutions'] += 1;
    const ids = markets.map(({ market }) => market.id);
    return new Resolutions(data).read(ids, patience(clock)).catch(reasonOf);
  }
}

/** Reads a market from Gamma's record, or says why the past lacks it. */
function readRecord(value: unknown): FoundRecord {
  const record = asObject(value) ?? {};
  const id = asText(record.conditionId) ?? '';
  const found = readFoundMarket(record, 0);
  if (!found) return { id, part: 'market', reason: 'condition_id' };
  if ('reason' in found) return { id, part: 'market', reason: found.reason };
  if (record.enableOrderBook !== true) return { id, part: 'market', reason: 'no_order_book' };
  const { market, isClosed, closedAt = '' } = found;
  return { market, isListed: !isClosed, ...fieldIf('closedAt', readInstant(closedAt)) };
}
